package org.clinfer.importer.tensorflow.functional;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.NameAttrList;
import org.clinfer.importer.tensorflow.proto.NodeDef;

/**
 * Turns the control flow of TensorFlow 1, and that which TensorFlow 2 lowers to it when it freezes a graph, into If and While
 * with functions. What has another form than TensorFlow writes stays as it is.
 */
public final class Functionalization {

    /** The operators that are part of If, While and lists then. */
    public static final Set<String> OPERATORS = Set.of(
            "Enter",
            "Exit",
            "LoopCond",
            "Merge",
            "NextIteration",
            "Switch",
            "TensorArrayCloseV3",
            "TensorArrayGatherV3",
            "TensorArrayReadV3",
            "TensorArrayScatterV3",
            "TensorArraySizeV3",
            "TensorArrayV3",
            "TensorArrayWriteV3");

    private static final Set<String> FIRST = Set.of("Enter", "Merge", "TensorArrayV3");

    /** Steps from node to node at most. */
    private static final long STEPS = 50_000_000;

    private final List<FunctionDef> functions = new ArrayList<>();

    private Functionalization() {}

    /** {@return the same graph with If and While} */
    public static GraphDef of(GraphDef graph) {
        if (graph.getNodeList().stream().noneMatch(node -> FIRST.contains(node.getOp()))) {
            return graph;
        }
        NodeMap nodes = new NodeMap(graph.getNodeList(), WorkBudget.of(STEPS));
        if (nodes.all().size() != graph.getNodeCount()) {
            return graph;
        }
        Functionalization functions = new Functionalization();
        try {
            TensorArrays.replace(nodes);
            new Loops(nodes, functions).replace();
            new Conditions(nodes, functions).replace();
        } catch (NotFunctional tooLarge) {
            return graph;
        }
        GraphDef.Builder result = graph.toBuilder().clearNode().addAllNode(nodes.all());
        functions.functions.forEach(function -> result.getLibraryBuilder().addFunction(function));
        return result.build();
    }

    /** Adds a function; an attribute that names it. */
    AttrValue add(FunctionDef function) {
        functions.add(function);
        NameAttrList name = NameAttrList.newBuilder()
                .setName(function.getSignature().getName())
                .build();
        return AttrValue.newBuilder().setFunc(name).build();
    }

    /** A name for a function, which begins with that of its node. */
    String name(String node, String part) {
        return node + "/" + part + "_" + functions.size();
    }

    /** A node that gives a value under the name that it had. */
    static NodeDef alias(String name, String value) {
        return NodeDef.newBuilder()
                .setName(name)
                .setOp("Identity")
                .addInput(value)
                .build();
    }
}
