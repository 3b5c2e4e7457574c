package org.clinfer.importer.onnx;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.FunctionProto;
import org.clinfer.importer.onnx.proto.GraphProto;
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

    private final String file;
    private final Map<List<String>, FunctionProto> functions = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, Integer> copies = new HashMap<>();
    private final WorkBudget nodesMade = WorkBudget.of(MAX_NODES);
    private final WorkBudget valuesMade = WorkBudget.of(MAX_VALUES);

    private LocalFunctions(ModelProto model, String file) {
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
        List<Placed> placed = new ArrayList<>();
        for (int index = 0; index < nodes.size(); index++) {
            Placed node = new Placed(nodes.get(index), index, model.getOpsetImportList());
            functions.place(node, 0, placed::add);
        }
        return placed;
    }

    private static List<String> key(String domain, String name, String overload) {
        return List.of(domain(domain), name, overload);
    }

    /** @param target takes the node, or those of the function that it calls */
    private void place(Placed at, int depth, Consumer<Placed> target) {
        NodeProto node = at.node;
        FunctionProto function = functions.get(key(node.getDomain(), node.getOpType(), node.getOverload()));
        if (depth > 0) {
            spend(node, at.index);
        }
        if (function == null) {
            target.accept(functions.isEmpty() ? at : new Placed(withoutCalls(at, depth), at.index, at.operatorSets));
        } else if (depth >= MAX_DEPTH) {
            throw malformed(node, at.index, "functions call each other more than " + MAX_DEPTH + " deep");
        } else {
            placeBody(at, function, depth, target);
        }
    }

    /** A node in whose branches and bodies no function is called. */
    private NodeProto withoutCalls(Placed at, int depth) {
        return withGraphs(at.node, at.index, depth, graph -> {
            GraphProto.Builder written = graph.toBuilder().clearNode();
            graph.getNodeList().forEach(node -> names.addAll(node.getOutputList()));
            for (NodeProto node : graph.getNodeList()) {
                place(new Placed(node, at.index, at.operatorSets), depth + 1, inner -> {
                    if (!agree(inner.operatorSets, at.operatorSets)) {
                        throw new UnsupportedException(
                                OnnxNode.sourceOf(node, at.index, file),
                                "function of other operator sets",
                                "it is called in a branch or body of other operator sets than its own");
                    }
                    written.addNode(inner.node);
                });
            }
            return written.build();
        });
    }

    /** {@return whether no domain has two versions} */
    private static boolean agree(List<OperatorSetIdProto> some, List<OperatorSetIdProto> others) {
        Map<String, Long> versions = new HashMap<>();
        some.forEach(set -> versions.put(domain(set.getDomain()), set.getVersion()));
        return others.stream().allMatch(set -> {
            Long version = versions.get(domain(set.getDomain()));
            return version == null || version == set.getVersion();
        });
    }

    private static String domain(String name) {
        return OnnxNode.isStandard(name) ? "" : name;
    }

    /** A node with its branches and bodies changed. */
    private NodeProto withGraphs(NodeProto node, int index, int depth, UnaryOperator<GraphProto> change) {
        if (node.getAttributeList().stream().noneMatch(each -> OnnxNode.typeOf(each) == AttributeType.GRAPH)) {
            return node;
        }
        if (depth >= MAX_DEPTH) {
            throw malformed(node, index, "branches and bodies are within each other more than " + MAX_DEPTH + " deep");
        }
        NodeProto.Builder changed = node.toBuilder().clearAttribute();
        for (AttributeProto attribute : node.getAttributeList()) {
            if (OnnxNode.typeOf(attribute) == AttributeType.GRAPH) {
                GraphProto graph = OnnxNode.parsed(attribute, OnnxNode.sourceOf(node, index, file));
                ByteString bytes = change.apply(graph).toByteString();
                changed.addAttribute(attribute.toBuilder().setG(bytes));
            } else {
                changed.addAttribute(attribute);
            }
        }
        return changed.build();
    }

    /** Nodes that stand in the file are not counted. */
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

    private void placeBody(Placed at, FunctionProto function, int depth, Consumer<Placed> target) {
        NodeProto call = at.node;
        if (call.getInputCount() > function.getInputCount() || call.getOutputCount() > function.getOutputCount()) {
            throw malformed(call, at.index, "it has more inputs or outputs than the function it calls");
        }
        String stem = call.getName().isEmpty() ? call.getOpType() + "_" + at.index : call.getName();
        Call inside = new Call(stem, at.index, attributes(call, function), new HashMap<>(Map.of("", "")));
        for (int i = 0; i < function.getInputCount(); i++) {
            inside.values.put(function.getInput(i), i < call.getInputCount() ? call.getInput(i) : "");
        }
        List<NodeProto> identities = new ArrayList<>();
        for (int i = 0; i < call.getOutputCount(); i++) {
            String inner = function.getOutput(i);
            String outer = call.getOutput(i);
            if (!outer.isEmpty() && inside.values.putIfAbsent(inner, outer) != null) {
                // an input handed through, or one value under two names
                identities.add(identity(inside.values.get(inner), outer));
            }
        }
        for (NodeProto node : function.getNodeList()) {
            NodeProto copy = copy(node, inside, depth);
            place(new Placed(copy, at.index, function.getOpsetImportList()), depth + 1, target);
        }
        identities.forEach(copy -> place(new Placed(copy, at.index, at.operatorSets), depth + 1, target));
    }

    /**
     * A call of a function.
     *
     * @param stem what the names of its values begin with
     * @param given the attributes of the function
     * @param values what the values of the function's body are called here
     */
    private record Call(String stem, int index, Map<String, AttributeProto> given, Map<String, String> values) {

        /** The call where a branch or body has names of its own. */
        Call inner() {
            return new Call(stem, index, given, new HashMap<>(values));
        }
    }

    /** A node of a function's body, as a call of the function has it. */
    private NodeProto copy(NodeProto node, Call call, int depth) {
        NodeProto.Builder copy = node.toBuilder().clearInput().clearOutput().clearAttribute();
        node.getInputList().forEach(value -> copy.addInput(named(value, call)));
        node.getOutputList().forEach(value -> copy.addOutput(named(value, call)));
        node.getAttributeList().forEach(attribute -> add(copy, attribute, call.given));
        copy.setName(joined(call.stem, node.getName().isEmpty() ? node.getOpType() : node.getName()));
        return withGraphs(copy.build(), call.index, depth, graph -> copy(graph, call.inner(), depth + 1));
    }

    /** A branch or body within a function's body; what it defines hides what has the same name around it. */
    private GraphProto copy(GraphProto graph, Call call, int depth) {
        GraphProto.Builder copy = graph.toBuilder();
        copy.getInputBuilderList().forEach(input -> input.setName(defined(input.getName(), call)));
        copy.getInitializerBuilderList().forEach(tensor -> tensor.setName(defined(tensor.getName(), call)));
        copy.getSparseInitializerBuilderList()
                .forEach(tensor -> tensor.getValuesBuilder()
                        .setName(defined(tensor.getValues().getName(), call)));
        graph.getNodeList().forEach(node -> node.getOutputList().forEach(value -> defined(value, call)));
        copy.clearNode();
        for (NodeProto node : graph.getNodeList()) {
            NodeProto inner = copy(node, call, depth);
            spend(inner, call.index);
            copy.addNode(inner);
        }
        copy.getValueInfoBuilderList().forEach(value -> value.setName(named(value.getName(), call)));
        copy.getOutputBuilderList().forEach(output -> output.setName(named(output.getName(), call)));
        return copy.build();
    }

    private String defined(String value, Call call) {
        if (!value.isEmpty()) {
            call.values.remove(value);
        }
        return named(value, call);
    }

    private static NodeProto identity(String from, String to) {
        return NodeProto.newBuilder()
                .setOpType("Identity")
                .addInput(from)
                .addOutput(to)
                .build();
    }

    /** A value of a function's body has a name of its own for every call. */
    private String named(String value, Call call) {
        return call.values.computeIfAbsent(value, inner -> {
            String plain = joined(call.stem, inner);
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
    private static void add(NodeProto.Builder inner, AttributeProto attribute, Map<String, AttributeProto> given) {
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
