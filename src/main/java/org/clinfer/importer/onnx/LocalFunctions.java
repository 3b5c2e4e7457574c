package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.FunctionProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;

/** The nodes of a model with the bodies of the functions that it defines itself in the place of their calls. */
final class LocalFunctions {

    /** Functions that call functions, so deep. */
    private static final int MAX_DEPTH = 32;

    /** A small file can say very many calls: so many nodes may be made of them. */
    private static final int MAX_NODES = 50_000;

    /** And so many values that these nodes read and give. */
    private static final int MAX_VALUES = 500_000;

    /** Names grow with every call in a call; so many characters of the end are kept. */
    private static final int MAX_NAME = 400;

    /**
     * A node where it counts.
     *
     * @param index the number of the model's node that it is, or that calls for it
     * @param operatorSets those that its operator is one of
     */
    record Placed(NodeProto node, int index, List<OperatorSetIdProto> operatorSets) {}

    private final ModelProto model;
    private final String file;
    private final Map<List<String>, FunctionProto> functions = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, Integer> copies = new HashMap<>();
    private final List<Placed> placed = new ArrayList<>();
    private final WorkBudget nodesMade = WorkBudget.of(MAX_NODES);
    private final WorkBudget valuesMade = WorkBudget.of(MAX_VALUES);

    private LocalFunctions(ModelProto model, String file) {
        this.model = model;
        this.file = file;
        for (FunctionProto function : model.getFunctionsList()) {
            List<String> key = key(function.getDomain(), function.getName(), function.getOverload());
            if (functions.put(key, function) != null) {
                throw new GraphException(
                        new SourceRef(file, "function '" + function.getName() + "'"), "it is defined twice");
            }
        }
    }

    /**
     * All nodes, in their order.
     *
     * @throws GraphException for functions that call themselves, or calls that do not fit them
     */
    static List<Placed> inlined(ModelProto model, String file) {
        LocalFunctions functions = new LocalFunctions(model, file);
        List<NodeProto> nodes = model.getGraph().getNodeList();
        nodes.forEach(node -> {
            functions.names.addAll(node.getInputList());
            functions.names.addAll(node.getOutputList());
        });
        for (int index = 0; index < nodes.size(); index++) {
            functions.place(nodes.get(index), index, model.getOpsetImportList(), 0);
        }
        return functions.placed;
    }

    private static List<String> key(String domain, String name, String overload) {
        return List.of(OnnxNode.isStandard(domain) ? "" : domain, name, overload);
    }

    private void place(NodeProto node, int index, List<OperatorSetIdProto> operatorSets, int depth) {
        FunctionProto function = functions.get(key(node.getDomain(), node.getOpType(), node.getOverload()));
        if (depth > 0) {
            spend(node, index);
        }
        if (function == null) {
            placed.add(new Placed(node, index, operatorSets));
        } else if (depth >= MAX_DEPTH) {
            throw malformed(node, index, "functions call each other more than " + MAX_DEPTH + " deep");
        } else {
            placeBody(node, function, index, depth);
        }
    }

    /** What the file has itself is not counted. */
    private void spend(NodeProto node, int index) {
        if (!nodesMade.spend(1)) {
            throw malformed(node, index, "the calls of its functions make more than " + nodesMade.limit() + " nodes");
        }
        if (!valuesMade.spend(node.getInputCount() + node.getOutputCount() + node.getAttributeCount())) {
            throw malformed(
                    node,
                    index,
                    "the nodes that the calls of its functions make have more than " + valuesMade.limit() + " values");
        }
    }

    private void placeBody(NodeProto call, FunctionProto function, int index, int depth) {
        if (call.getInputCount() > function.getInputCount() || call.getOutputCount() > function.getOutputCount()) {
            throw malformed(call, index, "it has more inputs or outputs than the function it calls");
        }
        Map<String, String> values = new HashMap<>();
        values.put("", "");
        for (int i = 0; i < function.getInputCount(); i++) {
            values.put(function.getInput(i), i < call.getInputCount() ? call.getInput(i) : "");
        }
        List<NodeProto> identities = new ArrayList<>();
        for (int i = 0; i < call.getOutputCount(); i++) {
            String inner = function.getOutput(i);
            String outer = call.getOutput(i);
            if (!outer.isEmpty() && values.putIfAbsent(inner, outer) != null) {
                // an input handed through, or one value under two names
                identities.add(identity(values.get(inner), outer));
            }
        }
        String stem = call.getName().isEmpty() ? call.getOpType() + "_" + index : call.getName();
        Map<String, AttributeProto> given = attributes(call, function);
        for (NodeProto node : function.getNodeList()) {
            NodeProto.Builder inner =
                    node.toBuilder().clearInput().clearOutput().clearAttribute();
            node.getInputList().forEach(value -> inner.addInput(named(value, values, stem)));
            node.getOutputList().forEach(value -> inner.addOutput(named(value, values, stem)));
            for (AttributeProto attribute : node.getAttributeList()) {
                add(inner, attribute, given, index);
            }
            inner.setName(joined(stem, node.getName().isEmpty() ? node.getOpType() : node.getName()));
            place(inner.build(), index, function.getOpsetImportList(), depth + 1);
        }
        identities.forEach(copy -> place(copy, index, model.getOpsetImportList(), depth + 1));
    }

    private static NodeProto identity(String from, String to) {
        return NodeProto.newBuilder()
                .setOpType("Identity")
                .addInput(from)
                .addOutput(to)
                .build();
    }

    /** A value of a function's body has a name of its own for every call. */
    private String named(String value, Map<String, String> values, String stem) {
        return values.computeIfAbsent(value, inner -> {
            String plain = joined(stem, inner);
            String name = plain;
            while (!names.add(name)) {
                name = plain + "_" + copies.merge(plain, 1, Integer::sum);
            }
            return name;
        });
    }

    /** A name within another; its end where it is long. */
    static String joined(String stem, String name) {
        String all = stem + "/" + name;
        return all.length() <= MAX_NAME ? all : all.substring(all.length() - MAX_NAME);
    }

    private static Map<String, AttributeProto> attributes(NodeProto call, FunctionProto function) {
        Map<String, AttributeProto> given = new HashMap<>();
        function.getAttributeProtoList().forEach(otherwise -> given.put(otherwise.getName(), otherwise));
        call.getAttributeList().forEach(attribute -> given.put(attribute.getName(), attribute));
        return given;
    }

    /** Adds an attribute, or what the call gives for it; one that it does not give is left out. */
    private void add(NodeProto.Builder inner, AttributeProto attribute, Map<String, AttributeProto> given, int index) {
        if (OnnxNode.typeOf(attribute) == AttributeType.GRAPH) {
            throw new UnsupportedException(
                    OnnxNode.sourceOf(inner.build(), index, file),
                    "subgraph in a local function",
                    "it has a subgraph inside of a local function");
        }
        if (attribute.getRefAttrName().isEmpty()) {
            inner.addAttribute(attribute);
        } else if (given.containsKey(attribute.getRefAttrName())) {
            AttributeProto value = given.get(attribute.getRefAttrName());
            inner.addAttribute(value.toBuilder().setName(attribute.getName()));
        }
    }

    private GraphException malformed(NodeProto node, int index, String message) {
        return new GraphException(OnnxNode.sourceOf(node, index, file), message);
    }
}
