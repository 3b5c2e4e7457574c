package org.clinfer.importer.tensorflow.savedmodel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.OpDef;

/** The functions of a graph, and what its operators call their outputs. */
final class Library {

    private static final long MOST_OUTPUTS = 1 << 16;

    private final SourceRef source;
    private final Map<String, FunctionDef> functions = new HashMap<>();
    private final Map<String, Map<String, NodeDef>> bodies = new HashMap<>();
    private final Map<String, OpDef> operators = new HashMap<>();

    Library(MetaGraphDef meta, SourceRef source) {
        this.source = source;
        meta.getMetaInfoDef().getStrippedOpList().getOpList().forEach(op -> operators.put(op.getName(), op));
        for (FunctionDef function : meta.getGraphDef().getLibrary().getFunctionList()) {
            functions.put(function.getSignature().getName(), function);
            operators.put(function.getSignature().getName(), function.getSignature());
        }
    }

    void add(FunctionDef function) {
        functions.put(function.getSignature().getName(), function);
    }

    Optional<FunctionDef> function(String name) {
        return Optional.ofNullable(functions.get(name));
    }

    /** A function's nodes by their names. */
    Map<String, NodeDef> body(FunctionDef function) {
        return bodies.computeIfAbsent(
                function.getSignature().getName(), name -> CallScope.byName(function.getNodeDefList(), source));
    }

    /** The number of the output that a function's nodes know by the name of its argument, which may be of several. */
    int port(NodeDef node, String argument, int index) {
        OpDef op = operators.get(node.getOp());
        List<OpDef.ArgDef> outputs = op == null ? List.of() : op.getOutputArgList();
        int before = 0;
        for (OpDef.ArgDef output : outputs) {
            if (output.getName().equals(argument)) {
                return before + index;
            }
            before += count(node, output);
        }
        return index;
    }

    private static int count(NodeDef node, OpDef.ArgDef output) {
        if (output.hasNumberAttr() && !output.getNumberAttr().isEmpty()) {
            return (int) Math.max(
                    0,
                    Math.min(
                            MOST_OUTPUTS,
                            attribute(node, output.getNumberAttr()).getI()));
        }
        if (output.hasTypeListAttr() && !output.getTypeListAttr().isEmpty()) {
            return attribute(node, output.getTypeListAttr()).getList().getTypeCount();
        }
        return 1;
    }

    private static AttrValue attribute(NodeDef node, String name) {
        return node.getAttrOrDefault(name, AttrValue.getDefaultInstance());
    }
}
