package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.SparseTensorProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.Tensor;

/**
 * If, Loop and Scan. Where it is known beforehand what they do, the branch that a condition chooses, or so many copies of a
 * body as there are iterations, stand in their place; otherwise their branches and bodies become graphs that a node runs.
 */
final class ControlFlowTranslation {

    static final Set<String> OPERATORS = Set.of("If", "Loop", "Scan", "SequenceMap");

    /** Branches and bodies within others, so deep. */
    private static final int MAX_DEPTH = 32;

    /** A small file can say very many iterations; what has more nodes than this is no network to be written out. */
    private static final int MAX_NODES = 20_000;

    /** And so many values that these nodes, branches and bodies read and give. */
    private static final int MAX_VALUES = 200_000;

    /** A loop of more nodes is not written out. */
    static final int MOST_WRITTEN_OUT = 4_000;

    /**
     * A node where it stands.
     *
     * @param scope what the values of the graphs around it are called
     * @param depth how many branches and bodies it is in
     */
    record Site(OnnxNode node, Map<String, String> scope, int depth) {}

    /** The budgets of nodes and values for branches and bodies of the whole file. */
    private record Room(WorkBudget nodes, WorkBudget values) {}

    private final OnnxGraphWriter graph;
    private final OnnxTensorReader tensors;
    private final BiConsumer<OnnxNode, OnnxGraphWriter> plain;
    private final Room room;

    /** Initializers of bodies, each once for all iterations, by the object that a body has. */
    private final IdentityHashMap<Object, String> initializers = new IdentityHashMap<>();

    /** @param plain translates a node that is none of these operators, into a graph */
    ControlFlowTranslation(
            OnnxGraphWriter graph, OnnxTensorReader tensors, BiConsumer<OnnxNode, OnnxGraphWriter> plain) {
        this(graph, tensors, plain, new Room(WorkBudget.of(MAX_NODES), WorkBudget.of(MAX_VALUES)));
    }

    private ControlFlowTranslation(
            OnnxGraphWriter graph, OnnxTensorReader tensors, BiConsumer<OnnxNode, OnnxGraphWriter> plain, Room room) {
        this.graph = graph;
        this.tensors = tensors;
        this.plain = plain;
        this.room = room;
    }

    static boolean has(OnnxNode node) {
        return node.isStandard() && OPERATORS.contains(node.op());
    }

    /** Adds the values that branches and bodies of a node read. */
    static void addUsed(NodeProto node, SourceRef source, Set<String> used) {
        addUsed(node, source, used, 0);
    }

    private static void addUsed(NodeProto node, SourceRef source, Set<String> used, int depth) {
        for (GraphProto graph : depth < MAX_DEPTH ? OnnxNode.graphs(node, source) : List.<GraphProto>of()) {
            for (NodeProto inner : graph.getNodeList()) {
                used.addAll(inner.getInputList());
                addUsed(inner, source, used, depth + 1);
            }
            graph.getOutputList().forEach(output -> used.add(output.getName()));
        }
    }

    /** The graph that this writes to. */
    OnnxGraphWriter graph() {
        return graph;
    }

    /** This, for a graph inside of the graph. */
    ControlFlowTranslation in(OnnxGraphWriter inner) {
        return new ControlFlowTranslation(inner, tensors, plain, room);
    }

    void translate(OnnxNode node) {
        translate(new Site(node, Map.of(), 0));
    }

    private void translate(Site site) {
        OnnxNode node = site.node;
        if (site.depth >= MAX_DEPTH) {
            throw node.malformed("branches and bodies are within each other more than " + MAX_DEPTH + " deep");
        }
        boolean takes = node.op().equals("Loop") || node.op().equals("SequenceMap");
        if (!takes && !node.inputs().stream().allMatch(graph::isTensor)) {
            throw node.unsupportedUse("a sequence or an optional value");
        }
        switch (node.op()) {
            case "If" -> branch(site);
            case "Loop" -> new LoopTranslation(this, site).translate();
            case "SequenceMap" -> map(site);
            default -> new ScanTranslation(this, site).translate();
        }
        node.requireAllConsumed();
    }

    private void branch(Site site) {
        OnnxNode node = site.node;
        node.requireInputs(1, 1);
        GraphProto yes = node.graph("then_branch");
        GraphProto no = node.graph("else_branch");
        Optional<Long> condition = graph.element(node.input(0));
        List<GraphProto> bodies =
                condition.map(known -> List.of(known == 0 ? no : yes)).orElseGet(() -> List.of(yes, no));
        for (GraphProto body : bodies) {
            if (body.getInputCount() > 0
                    || body.getOutputCount() != node.allOutputs().size()) {
                throw node.malformed("its branches must have no inputs and an output for each of its own");
            }
        }
        if (condition.isPresent()) {
            give(node, place(bodies.get(0), List.of(), site, node.name()));
            return;
        }
        InnerGraph first = new InnerGraph(graph, node, "then", false);
        first.write(this, yes, List.of(), site);
        InnerGraph second = new InnerGraph(graph, node, "else", false);
        second.write(this, no, List.of(), site);
        Set<String> captured = new LinkedHashSet<>(first.captured());
        captured.addAll(second.captured());
        List<String> inputs = new ArrayList<>(List.of(node.input(0)));
        inputs.addAll(captured);
        List<KnownType> types = new ArrayList<>();
        for (int i = 0; i < node.outputs().size(); i++) {
            types.add(first.types().get(i).and(second.types().get(i)));
            if (first.givesStack(i) != second.givesStack(i)) {
                throw node.malformed("one of its branches gives a sequence where the other gives a tensor");
            }
        }
        Map<String, Graph> written = new LinkedHashMap<>();
        written.put(ControlFlow.THEN, first.build());
        written.put(ControlFlow.ELSE, second.build());
        Node made = new Node(node.name(), ControlFlow.IF, inputs, usedOutputs(node), Map.of(), written, node.source());
        graph.addControl(made, types);
        first.markStacks(made.outputs(), 0);
    }

    /** The outputs of a node, those that nobody reads without names. */
    List<String> usedOutputs(OnnxNode node) {
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputs().size(); i++) {
            outputs.add(graph.isOutputUsed(node, i) ? node.outputs().get(i) : "");
        }
        return outputs;
    }

    /** A copy of the body for each value of a sequence. */
    private void map(Site site) {
        OnnxNode node = site.node;
        GraphProto body = node.graph("body");
        List<List<String>> inputs = new ArrayList<>();
        int count = 0;
        for (String input : node.inputs()) {
            Optional<List<String>> sequence = graph.sequence(input);
            if (sequence.isEmpty() && (inputs.isEmpty() || graph.isStack(input))) {
                throw node.unsupportedUse("a sequence of which it is not known beforehand how many values it has");
            }
            inputs.add(sequence.orElse(List.of(input)));
            count = inputs.size() == 1 ? inputs.get(0).size() : count;
            if (sequence.isPresent() && sequence.get().size() != count) {
                throw node.malformed("its sequences must have as many values as the first, " + count);
            }
        }
        if (body.getInputCount() != inputs.size()
                || body.getOutputCount() < node.allOutputs().size()) {
            throw node.malformed("its body must take " + inputs.size() + " values and give one for each output");
        }
        IterationLists listed = new IterationLists(body.getOutputCount());
        for (int iteration = 0; iteration < count; iteration++) {
            List<String> given = new ArrayList<>();
            for (int i = 0; i < inputs.size(); i++) {
                boolean isSequence = graph.sequence(node.inputs().get(i)).isPresent();
                given.add(inputs.get(i).get(isSequence ? iteration : 0));
            }
            listed.note(place(body, given, site, node.name() + "/" + iteration));
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            if (!node.outputs().get(i).isEmpty()) {
                graph.addSequence(node.outputs().get(i), listed.get(i));
            }
        }
    }

    /** The first outputs of the node are these values. */
    void give(OnnxNode node, List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            if (graph.isOutputUsed(node, i)) {
                graph.addSame(node, values.get(i), node.outputs().get(i));
            }
        }
    }

    /**
     * The nodes of a branch or body, with names of their own.
     *
     * @param given what its inputs are
     * @param stem what the names begin with
     * @return what its outputs are
     */
    List<String> place(GraphProto body, List<String> given, Site site, String stem) {
        OnnxNode owner = site.node;
        spend(body, owner);
        Map<String, String> names = new HashMap<>(site.scope);
        for (int i = 0; i < given.size(); i++) {
            names.put(body.getInput(i).getName(), given.get(i));
        }
        for (TensorProto tensor : body.getInitializerList()) {
            names.put(
                    tensor.getName(),
                    initializers.computeIfAbsent(
                            tensor, first -> add(tensor.getName(), stem, tensors.read(tensor, owner.source()))));
        }
        for (SparseTensorProto tensor : body.getSparseInitializerList()) {
            String name = tensor.getValues().getName();
            names.put(
                    name,
                    initializers.computeIfAbsent(
                            tensor, first -> add(name, stem, tensors.read(tensor, owner.source()))));
        }
        List<OnnxNode> copies = new ArrayList<>();
        for (NodeProto node : body.getNodeList()) {
            copies.add(renamed(node, names, owner, stem));
        }
        List<String> outputs = body.getOutputList().stream()
                .map(output -> names.getOrDefault(output.getName(), output.getName()))
                .toList();
        graph.use(outputs);
        for (OnnxNode node : copies) {
            node.inputs().forEach(input -> graph.take(input, node));
            if (has(node)) {
                translate(new Site(node, names, site.depth + 1));
            } else {
                plain.accept(node, graph);
            }
        }
        return outputs;
    }

    private String add(String initializer, String stem, Tensor tensor) {
        String name = graph.freshName(LocalFunctions.joined(stem, initializer));
        graph.addConstant(name, tensor);
        return name;
    }

    private void spend(GraphProto body, OnnxNode owner) {
        long used = (long) body.getInputCount() + body.getOutputCount() + body.getInitializerCount();
        for (NodeProto node : body.getNodeList()) {
            used += node.getInputCount() + node.getOutputCount();
        }
        if (!room.nodes.spend(body.getNodeCount() + 1)) {
            throw owner.unsupportedUse("more than " + room.nodes.limit() + " nodes when it is written out");
        }
        if (!room.values.spend(used)) {
            throw owner.unsupportedUse("more than " + room.values.limit() + " values when it is written out");
        }
    }

    /** A value that no node of the body gives is one of the graphs around it. */
    private OnnxNode renamed(NodeProto node, Map<String, String> names, OnnxNode owner, String stem) {
        List<String> inputs = node.getInputList().stream()
                .map(input -> names.getOrDefault(input, input))
                .toList();
        graph.use(inputs);
        Set<String> inside = new HashSet<>();
        addUsed(node, owner.source(), inside);
        graph.use(inside.stream().map(value -> names.getOrDefault(value, value)).toList());
        List<String> outputs = new ArrayList<>();
        for (String output : node.getOutputList()) {
            String name = output.isEmpty() ? "" : graph.freshName(LocalFunctions.joined(stem, output));
            outputs.add(name);
            if (!output.isEmpty()) {
                names.put(output, name);
            }
        }
        String name = LocalFunctions.joined(stem, node.getName().isEmpty() ? node.getOpType() : node.getName());
        return owner.inner(node.toBuilder()
                .setName(name)
                .clearInput()
                .addAllInput(inputs)
                .clearOutput()
                .addAllOutput(outputs)
                .build());
    }
}
