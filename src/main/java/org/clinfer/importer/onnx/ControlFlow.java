package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * If, Loop and Scan where it is known beforehand what they do: the branch that a condition chooses, and so many copies of a
 * body as there are turns, stand in their place.
 */
final class ControlFlow {

    private static final Set<String> OPERATORS = Set.of("If", "Loop", "Scan");

    /** Branches and bodies within others, so deep. */
    private static final int MAX_DEPTH = 32;

    /** A small file can say very many turns; what has more nodes than this is no network to be written out. */
    private static final int MAX_NODES = 20_000;

    /** What has a result for all elements, with sizes that do not depend on them, besides what works element by element. */
    private static final Set<String> NEVER_FAIL =
            Set.of("Constant", "Softmax", "LogSoftmax", "MatMul", "Gemm", "Conv", "Transpose", "BatchNormalization");

    private final GraphWriter graph;
    private final TensorReader tensors;
    private final Consumer<OnnxNode> plain;
    private int placed;

    /** @param plain translates a node that is none of these operators */
    ControlFlow(GraphWriter graph, TensorReader tensors, Consumer<OnnxNode> plain) {
        this.graph = graph;
        this.tensors = tensors;
        this.plain = plain;
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

    void translate(OnnxNode node) {
        translate(node, Map.of(), 0);
    }

    /** @param scope what the values of graphs around the node are called here */
    private void translate(OnnxNode node, Map<String, String> scope, int depth) {
        if (depth >= MAX_DEPTH) {
            throw node.malformed("branches and bodies are within each other more than " + MAX_DEPTH + " deep");
        }
        switch (node.op()) {
            case "If" -> branch(node, scope, depth);
            case "Loop" -> loop(node, scope, depth);
            default -> scan(node, scope, depth);
        }
        node.requireAllConsumed();
    }

    private void branch(OnnxNode node, Map<String, String> scope, int depth) {
        node.requireInputs(1, 1);
        GraphProto yes = node.graph("then_branch");
        GraphProto no = node.graph("else_branch");
        Optional<Long> condition = graph.values().single(node.input(0));
        List<GraphProto> bodies =
                condition.map(known -> List.of(known == 0 ? no : yes)).orElseGet(() -> List.of(yes, no));
        for (GraphProto body : bodies) {
            if (body.getInputCount() > 0
                    || body.getOutputCount() != node.allOutputs().size()) {
                throw node.malformed("its branches must have no inputs and an output for each of its own");
            }
        }
        if (condition.isEmpty()) {
            select(node, yes, no, scope, depth);
        } else {
            give(node, 0, place(bodies.get(0), List.of(), node, node.name(), scope, depth));
        }
    }

    /** Both branches, and what data choose of their results: where these are alike, and neither branch can fail. */
    private void select(OnnxNode node, GraphProto yes, GraphProto no, Map<String, String> scope, int depth) {
        for (GraphProto body : List.of(yes, no)) {
            for (NodeProto inner : body.getNodeList()) {
                if (!OnnxNode.isStandard(inner.getDomain()) || !neverFails(inner.getOpType())) {
                    throw node.unsupportedUse(
                            "a condition that is not known beforehand, and " + inner.getOpType() + " in a branch");
                }
            }
        }
        List<String> first = place(yes, List.of(), node, node.name() + "/then", scope, depth);
        List<String> second = place(no, List.of(), node, node.name() + "/else", scope, depth);
        for (int i = 0; i < first.size(); i++) {
            KnownType type = graph.types().of(first.get(i));
            boolean known = type.dtype().isPresent()
                    && type.shape().filter(Shape::isKnown).isPresent();
            if (!known || !type.equals(graph.types().of(second.get(i)))) {
                throw node.unsupportedUse("a condition that is not known beforehand, and branches whose results are"
                        + " not known to have the same type and sizes");
            }
        }
        Steps steps = new Steps(node, graph);
        String condition = steps.add("Reshape", node.input(0), steps.vector());
        List<String> chosen = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            chosen.add(steps.add("Where", condition, first.get(i), second.get(i)));
        }
        give(node, 0, chosen);
    }

    /** ONNX's element-wise operators have the names of those that they become. */
    private static boolean neverFails(String op) {
        return NEVER_FAIL.contains(op)
                || OpCatalog.builtIn()
                        .find(op)
                        .filter(OpDescription::elementwise)
                        .isPresent();
    }

    private void loop(OnnxNode node, Map<String, String> scope, int depth) {
        if (CountingLoop.translates(node, graph)) {
            return;
        }
        GraphProto body = node.graph("body");
        int states = Math.max(node.inputs().size() - 2, 0);
        int lists = body.getOutputCount() - 1 - states;
        if (body.getInputCount() != states + 2 || lists < 0 || node.allOutputs().size() > body.getOutputCount() - 1) {
            throw node.malformed(
                    "its body must take a number, a condition and " + states + " values, and give the last two");
        }
        long most = node.hasInput(0)
                ? graph.values()
                        .single(node.input(0))
                        .orElseThrow(() -> node.unsupportedUse("a number of turns that is not known beforehand"))
                : Long.MAX_VALUE;
        boolean goesOn = !node.hasInput(1) || condition(node, node.input(1));
        List<String> values = new ArrayList<>();
        for (int i = 0; i < states; i++) {
            values.add(node.input(i + 2));
        }
        List<List<String>> listed = lists(lists);
        Steps steps = new Steps(node, graph);
        String yes = steps.truth(true);
        for (long turn = 0; turn < most && goesOn; turn++) {
            List<String> given = new ArrayList<>(List.of(steps.whole(turn), yes));
            given.addAll(values);
            List<String> made = place(body, given, node, node.name() + "/" + turn, scope, depth);
            goesOn = condition(node, made.get(0));
            values = made.subList(1, states + 1);
            note(made.subList(states + 1, made.size()), listed);
        }
        give(node, 0, values);
        join(node, states, listed, new long[lists], new boolean[lists]);
    }

    private boolean condition(OnnxNode node, String value) {
        return graph.values()
                        .single(value)
                        .orElseThrow(() -> node.unsupportedUse("a condition that is not known beforehand"))
                != 0;
    }

    private void scan(OnnxNode node, Map<String, String> scope, int depth) {
        if (node.opset() < 9) {
            scanBatches(node, scope, depth);
            return;
        }
        GraphProto body = node.graph("body");
        int sequences = Math.toIntExact(Math.max(
                0, Math.min(node.integer("num_scan_inputs"), node.inputs().size())));
        int states = node.inputs().size() - sequences;
        int lists = body.getOutputCount() - states;
        if (sequences < 1
                || body.getInputCount() != node.inputs().size()
                || lists < 0
                || node.allOutputs().size() > body.getOutputCount()) {
            throw node.malformed("its body must take " + states + " values and an element of each sequence");
        }
        long[] axes = axes(node, "scan_input_axes", sequences);
        boolean[] backwards = directions(node, "scan_input_directions", sequences);
        Turns turns = new Turns(body, length(node, node.inputs().subList(states, states + sequences), axes));
        List<List<String>> listed = lists(lists);
        List<String> before = node.inputs().subList(0, states);
        List<String> over = node.inputs().subList(states, states + sequences);
        List<String> values = turns.run(node, node.name(), before, over, axes, backwards, listed, scope, depth);
        give(node, 0, values);
        join(
                node,
                states,
                listed,
                axes(node, "scan_output_axes", lists),
                directions(node, "scan_output_directions", lists));
    }

    /** Operator set 8: values and sequences have an axis of batches first, and each batch goes its own way. */
    private void scanBatches(OnnxNode node, Map<String, String> scope, int depth) {
        if (node.hasInput(0)) {
            throw node.unsupportedUse("sequence_lens");
        }
        GraphProto body = node.graph("body");
        int sequences = Math.toIntExact(Math.max(
                0, Math.min(node.integer("num_scan_inputs"), node.inputs().size() - 1)));
        int states = node.inputs().size() - 1 - sequences;
        int lists = body.getOutputCount() - states;
        if (sequences < 1
                || body.getInputCount() != states + sequences
                || lists < 0
                || node.allOutputs().size() > body.getOutputCount()) {
            throw node.malformed("its body must take " + states + " values and an element of each sequence");
        }
        boolean[] backwards = directions(node, "directions", sequences);
        List<String> over = node.inputs().subList(1 + states, 1 + states + sequences);
        long[] second = new long[sequences];
        Arrays.fill(second, 1);
        Turns turns = new Turns(body, length(node, over, second));
        long batches = length(node, over, new long[sequences]);
        List<List<String>> results = lists(states + lists);
        Steps steps = new Steps(node, graph);
        for (long batch = 0; batch < batches; batch++) {
            List<List<String>> listed = lists(lists);
            List<String> before = part(steps, node.inputs().subList(1, 1 + states), batch);
            List<String> values = turns.run(
                    node,
                    node.name() + "/" + batch,
                    before,
                    part(steps, over, batch),
                    new long[sequences],
                    backwards,
                    listed,
                    scope,
                    depth);
            note(values, results.subList(0, states));
            for (int i = 0; i < lists; i++) {
                if (listed.get(i).isEmpty()) {
                    throw node.unsupportedUse("no turn, and a list of what its turns give");
                }
                results.get(states + i).add(stacked(steps, listed.get(i)));
            }
        }
        if (batches == 0) {
            throw node.unsupportedUse("no batch");
        }
        give(node, 0, results.stream().map(each -> stacked(steps, each)).toList());
    }

    /** One batch of each value. */
    private static List<String> part(Steps steps, List<String> values, long batch) {
        return values.stream()
                .map(value -> steps.add("Gather", new Params().put("axis", 0L), value, steps.whole(batch)))
                .toList();
    }

    /** Values along a new first axis. */
    private static String stacked(Steps steps, List<String> values) {
        return steps.concat(
                values.stream().map(value -> steps.unsqueezed(value, 0)).toList());
    }

    /** So many copies of a body, one after the other. */
    private final class Turns {

        private final GraphProto body;
        private final long count;

        Turns(GraphProto body, long count) {
            this.body = body;
            this.count = count;
        }

        /**
         * Adds them.
         *
         * @param listed where what each turn gives beside the values is added to
         * @return the values after the last turn
         */
        List<String> run(
                OnnxNode node,
                String stem,
                List<String> before,
                List<String> over,
                long[] axes,
                boolean[] backwards,
                List<List<String>> listed,
                Map<String, String> scope,
                int depth) {
            Steps steps = new Steps(node, graph);
            List<String> values = new ArrayList<>(before);
            for (long turn = 0; turn < count; turn++) {
                List<String> given = new ArrayList<>(values);
                for (int i = 0; i < over.size(); i++) {
                    String place = steps.whole(backwards[i] ? count - 1 - turn : turn);
                    given.add(steps.add("Gather", new Params().put("axis", axes[i]), over.get(i), place));
                }
                List<String> made = place(body, given, node, stem + "/" + turn, scope, depth);
                values = made.subList(0, before.size());
                note(made.subList(before.size(), made.size()), listed);
            }
            return values;
        }
    }

    private static long[] axes(OnnxNode node, String attribute, int count) {
        long[] axes = node.integers(attribute).orElse(new long[count]);
        if (axes.length != count) {
            throw node.malformed("attribute '" + attribute + "' must have " + count + " numbers");
        }
        return axes;
    }

    private static boolean[] directions(OnnxNode node, String attribute, int count) {
        long[] given = axes(node, attribute, count);
        boolean[] backwards = new boolean[count];
        for (int i = 0; i < count; i++) {
            backwards[i] = given[i] != 0;
        }
        return backwards;
    }

    /** How many elements the sequences have. */
    private long length(OnnxNode node, List<String> over, long[] axes) {
        for (int i = 0; i < axes.length; i++) {
            KnownType type = graph.types().of(over.get(i));
            if (type.rank().isPresent()) {
                long axis = axes[i] < 0 ? axes[i] + type.rank().getAsInt() : axes[i];
                Optional<Long> size = axis < 0 ? Optional.empty() : type.size(Math.toIntExact(axis));
                if (size.isPresent()) {
                    return size.get();
                }
            }
        }
        throw node.unsupportedUse("a length that is not known beforehand");
    }

    private static List<List<String>> lists(int count) {
        List<List<String>> lists = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    private static void note(List<String> made, List<List<String>> lists) {
        for (int i = 0; i < lists.size(); i++) {
            lists.get(i).add(made.get(i));
        }
    }

    /** Outputs of the node from one on are these values. */
    private void give(OnnxNode node, int first, List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            if (graph.isOutputUsed(node, first + i)) {
                String output = node.outputs().get(first + i);
                graph.addStep(node, node.name(), "Identity", List.of(values.get(i)), List.of(output), new Params());
            }
        }
    }

    /** Outputs of the node from one on list what each turn gave, along an axis of their own. */
    private void join(OnnxNode node, int first, List<List<String>> lists, long[] axes, boolean[] backwards) {
        Steps steps = new Steps(node, graph);
        for (int i = 0; i < lists.size(); i++) {
            if (!graph.isOutputUsed(node, first + i)) {
                continue;
            }
            if (lists.get(i).isEmpty()) {
                throw node.unsupportedUse("no turn, and a list of what its turns give");
            }
            List<String> parts = new ArrayList<>();
            for (String part : lists.get(i)) {
                parts.add(backwards[i] ? 0 : parts.size(), steps.unsqueezed(part, axes[i]));
            }
            String output = node.outputs().get(first + i);
            Params params = new Params().put("axis", axes[i]);
            graph.addStep(node, node.name(), "Concat", parts, List.of(output), params);
        }
    }

    /**
     * The nodes of a branch or body, with names of their own.
     *
     * @param given what its inputs are
     * @return what its outputs are
     */
    private List<String> place(
            GraphProto body, List<String> given, OnnxNode owner, String stem, Map<String, String> scope, int depth) {
        placed += body.getNodeCount() + 1;
        if (placed > MAX_NODES) {
            throw owner.unsupportedUse("more than " + MAX_NODES + " nodes when it is written out");
        }
        Map<String, String> names = new HashMap<>(scope);
        for (int i = 0; i < given.size(); i++) {
            names.put(body.getInput(i).getName(), given.get(i));
        }
        for (TensorProto tensor : body.getInitializerList()) {
            String name = graph.freshName(stem + "/" + tensor.getName());
            Tensor read = tensors.read(tensor, owner.source());
            graph.addConstant(name, read);
            names.put(tensor.getName(), name);
        }
        if (body.getSparseInitializerCount() > 0) {
            throw owner.unsupportedUse("sparse initializers");
        }
        List<OnnxNode> nodes = new ArrayList<>();
        for (NodeProto node : body.getNodeList()) {
            nodes.add(renamed(node, names, owner, stem));
        }
        List<String> outputs = body.getOutputList().stream()
                .map(output -> names.getOrDefault(output.getName(), output.getName()))
                .toList();
        graph.use(outputs);
        for (OnnxNode node : nodes) {
            if (has(node)) {
                translate(node, names, depth + 1);
            } else {
                plain.accept(node);
            }
        }
        return outputs;
    }

    /** A value that no node of the body gives is one of the graphs around it. */
    private OnnxNode renamed(NodeProto node, Map<String, String> names, OnnxNode owner, String stem) {
        List<String> inputs = node.getInputList().stream()
                .map(input -> names.getOrDefault(input, input))
                .toList();
        graph.use(inputs);
        List<String> outputs = new ArrayList<>();
        for (String output : node.getOutputList()) {
            String name = output.isEmpty() ? "" : graph.freshName(stem + "/" + output);
            outputs.add(name);
            if (!output.isEmpty()) {
                names.put(output, name);
            }
        }
        String name = stem + "/" + (node.getName().isEmpty() ? node.getOpType() : node.getName());
        return owner.inner(node.toBuilder()
                .setName(name)
                .clearInput()
                .addAllInput(inputs)
                .clearOutput()
                .addAllOutput(outputs)
                .build());
    }
}
