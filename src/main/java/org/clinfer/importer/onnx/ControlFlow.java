package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.SparseTensorProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * If, Loop and Scan. Where it is known beforehand what they do, the branch that a condition chooses, or so many copies of a
 * body as there are turns, stand in their place; otherwise their branches and bodies become graphs that a node runs.
 */
final class ControlFlow {

    private static final Set<String> OPERATORS = Set.of("If", "Loop", "Scan", "SequenceMap");

    /** Branches and bodies within others, so deep. */
    private static final int MAX_DEPTH = 32;

    /** A small file can say very many turns; what has more nodes than this is no network to be written out. */
    private static final int MAX_NODES = 20_000;

    /** And so many values that these nodes, branches and bodies read and give. */
    private static final int MAX_VALUES = 200_000;

    /** A loop of more nodes is not written out. */
    private static final int MOST_WRITTEN_OUT = 4_000;

    /** What branches and bodies of the whole file may have. */
    private record Room(WorkBudget nodes, WorkBudget values) {}

    private final GraphWriter graph;
    private final TensorReader tensors;
    private final BiConsumer<OnnxNode, GraphWriter> plain;
    private final Room room;

    /** Initializers of bodies, each once for all turns, by the object that a body has. */
    private final IdentityHashMap<Object, String> initializers = new IdentityHashMap<>();

    /** @param plain translates a node that is none of these operators, into a graph */
    ControlFlow(GraphWriter graph, TensorReader tensors, BiConsumer<OnnxNode, GraphWriter> plain) {
        this(graph, tensors, plain, new Room(WorkBudget.of(MAX_NODES), WorkBudget.of(MAX_VALUES)));
    }

    private ControlFlow(GraphWriter graph, TensorReader tensors, BiConsumer<OnnxNode, GraphWriter> plain, Room room) {
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
            case "SequenceMap" -> map(node, scope, depth);
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
        if (condition.isPresent()) {
            give(node, 0, place(bodies.get(0), List.of(), node, node.name(), scope, depth));
            return;
        }
        InnerGraph first = new InnerGraph(node, "then");
        first.write(yes, List.of(), scope, depth);
        InnerGraph second = new InnerGraph(node, "else");
        second.write(no, List.of(), scope, depth);
        Set<String> inputs = new LinkedHashSet<>(first.graph.captured());
        inputs.addAll(second.graph.captured());
        List<String> all = new ArrayList<>(List.of(node.input(0)));
        all.addAll(inputs);
        List<KnownType> types = new ArrayList<>();
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputs().size(); i++) {
            types.add(first.types.get(i).and(second.types.get(i)));
            outputs.add(graph.isOutputUsed(node, i) ? node.outputs().get(i) : "");
        }
        Map<String, Graph> written = new LinkedHashMap<>();
        written.put(org.clinfer.graph.ControlFlow.THEN, first.graph.build());
        written.put(org.clinfer.graph.ControlFlow.ELSE, second.graph.build());
        String op = org.clinfer.graph.ControlFlow.IF;
        graph.addControl(new Node(node.name(), op, all, outputs, Map.of(), written, node.source()), types);
    }

    /** A branch or body as a graph of its own. */
    private final class InnerGraph {

        private final OnnxNode owner;
        private final String stem;
        private final GraphWriter graph;
        private final List<KnownType> types = new ArrayList<>();

        InnerGraph(OnnxNode owner, String name) {
            this.owner = owner;
            this.stem = owner.name() + "/" + name;
            this.graph = ControlFlow.this.graph.inner(stem, owner.source());
        }

        /** A scalar input of the graph that its file does not declare. */
        String input(String name, DType dtype) {
            String unique = graph.freshName(stem + "/" + name);
            graph.addInput(unique, dtype, KnownType.of(TensorType.of(dtype)));
            return unique;
        }

        /** An input of the graph, with what its declaration and the value that it is at first have in common. */
        String input(ValueInfoProto declared, KnownType first) {
            KnownType said = DeclaredTypes.declared(declared);
            DType dtype = first.dtype()
                    .or(said::dtype)
                    .orElseThrow(() -> owner.unsupportedUse(
                            "a body that takes '" + declared.getName() + "', whose data type is not known"));
            // an empty shape also stands for one that the exporter did not know
            Optional<Shape> shape = said.shape()
                    .filter(known -> known.rank() > 0)
                    .or(() -> first.shape().map(known -> KnownType.anyShape(known.rank())));
            String name = graph.freshName(stem + "/" + declared.getName());
            graph.addInput(name, dtype, new KnownType(Optional.of(dtype), shape));
            return name;
        }

        /** Adds the nodes of a branch or body, and what it gives. */
        void write(GraphProto body, List<String> given, Map<String, String> scope, int depth) {
            new ControlFlow(graph, tensors, plain, room)
                    .place(body, given, owner, stem, scope, depth)
                    .forEach(this::give);
        }

        /** Adds an output. */
        void give(String value) {
            graph.take(value, owner);
            if (graph.sequence(value).isPresent() || graph.isNothing(value)) {
                throw owner.unsupportedUse("a sequence or an optional value that data decide");
            }
            String output = graph.freshName(value);
            graph.addStep(owner, stem, "Identity", List.of(value), List.of(output), new Params());
            graph.addOutput(output);
            types.add(graph.types().of(value));
        }
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
        List<String> before = node.inputs()
                .subList(Math.min(2, node.inputs().size()), node.inputs().size());
        if (!isWrittenOut(node, body, before, scope, depth)) {
            run(node, body, before, scope, depth);
        }
    }

    /** Writes a loop out if it is known beforehand how many turns it has, and they are not too many. */
    private boolean isWrittenOut(
            OnnxNode node, GraphProto body, List<String> before, Map<String, String> scope, int depth) {
        Optional<Long> most = node.hasInput(0) ? graph.values().single(node.input(0)) : Optional.of(Long.MAX_VALUE);
        Optional<Long> goesOn = node.hasInput(1) ? graph.values().single(node.input(1)) : Optional.of(1L);
        int states = before.size();
        int lists = body.getOutputCount() - 1 - states;
        List<String> values = before;
        List<List<String>> listed = lists(lists);
        Steps steps = new Steps(node, graph);
        String yes = steps.truth(true);
        long turn = 0;
        long nodes = body.getNodeCount() + 1L;
        if (most.isEmpty() || (most.get() <= Integer.MAX_VALUE && most.get() * nodes > MOST_WRITTEN_OUT)) {
            return false;
        }
        while (turn < most.get() && goesOn.isPresent() && goesOn.get() != 0) {
            if ((turn + 1) * nodes > MOST_WRITTEN_OUT) {
                throw node.unsupportedUse("more than " + Integer.MAX_VALUE + " turns");
            }
            List<String> given = new ArrayList<>(List.of(steps.whole(turn), yes));
            given.addAll(values);
            List<String> made = place(body, given, node, node.name() + "/" + turn, scope, depth);
            goesOn = graph.values().single(made.get(0));
            values = made.subList(1, states + 1);
            note(made.subList(states + 1, made.size()), listed);
            turn++;
        }
        if (goesOn.isEmpty() || (turn == 0 && lists > 0)) {
            return false;
        }
        give(node, 0, values);
        join(node, states, listed, new long[lists], new boolean[lists]);
        return true;
    }

    /** A node that runs the body of a Loop. */
    private void run(OnnxNode node, GraphProto body, List<String> before, Map<String, String> scope, int depth) {
        InnerGraph inner = new InnerGraph(node, "body");
        List<String> given = new ArrayList<>();
        given.add(inner.input(body.getInput(0), KnownType.of(TensorType.of(DType.INT64))));
        given.add(inner.input(body.getInput(1), KnownType.of(TensorType.of(DType.BOOL))));
        for (int i = 0; i < before.size(); i++) {
            if (graph.sequence(before.get(i)).isPresent() || graph.isNothing(before.get(i))) {
                throw node.unsupportedUse("a sequence or an optional value that a number of turns changes which is not"
                        + " known beforehand");
            }
            given.add(inner.input(
                    body.getInput(2 + i), graph.types().of(before.get(i)).rankOnly()));
        }
        inner.write(body, given, scope, depth);
        List<String> inputs = new ArrayList<>(List.of(node.optionalInput(0), node.optionalInput(1)));
        inputs.addAll(before);
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputs().size(); i++) {
            outputs.add(graph.isOutputUsed(node, i) ? node.outputs().get(i) : "");
        }
        add(node, inner, inputs, outputs);
    }

    /** A node that runs a body in turns. */
    private void add(OnnxNode node, InnerGraph body, List<String> inputs, List<String> outputs) {
        int states = inputs.size() - 2;
        List<KnownType> types = new ArrayList<>();
        for (int i = 1; i < body.types.size(); i++) {
            KnownType each = body.types.get(i).rankOnly();
            types.add(
                    i <= states
                            ? each.and(graph.types().of(inputs.get(1 + i)).rankOnly())
                            : each.withShape(each.shape().map(shape -> KnownType.anyShape(shape.rank() + 1))));
        }
        List<String> all = new ArrayList<>(inputs);
        all.addAll(body.graph.captured());
        graph.addControl(
                new Node(
                        node.name(),
                        org.clinfer.graph.ControlFlow.LOOP,
                        all,
                        outputs,
                        Map.of(org.clinfer.graph.ControlFlow.STATES, Attribute.of(states)),
                        Map.of(org.clinfer.graph.ControlFlow.BODY, body.graph.build()),
                        node.source()),
                types);
    }

    /** A copy of the body for each value of a sequence. */
    private void map(OnnxNode node, Map<String, String> scope, int depth) {
        GraphProto body = node.graph("body");
        List<List<String>> inputs = new ArrayList<>();
        int count = 0;
        for (String input : node.inputs()) {
            Optional<List<String>> sequence = graph.sequence(input);
            if (sequence.isEmpty() && inputs.isEmpty()) {
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
        List<List<String>> listed = lists(body.getOutputCount());
        for (int turn = 0; turn < count; turn++) {
            List<String> given = new ArrayList<>();
            for (int i = 0; i < inputs.size(); i++) {
                boolean isSequence = graph.sequence(node.inputs().get(i)).isPresent();
                given.add(inputs.get(i).get(isSequence ? turn : 0));
            }
            note(place(body, given, node, node.name() + "/" + turn, scope, depth), listed);
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            if (!node.outputs().get(i).isEmpty()) {
                graph.addSequence(node.outputs().get(i), listed.get(i));
            }
        }
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
        List<String> before = node.inputs().subList(0, states);
        List<String> over = node.inputs().subList(states, states + sequences);
        long[] listAxes = axes(node, "scan_output_axes", lists);
        boolean[] listBackwards = directions(node, "scan_output_directions", lists);
        Optional<Long> length = length(over, axes);
        if (length.filter(count -> count > 0 && count <= MOST_WRITTEN_OUT / (body.getNodeCount() + 1))
                .isEmpty()) {
            List<Sequence> elements = new ArrayList<>();
            for (int i = 0; i < sequences; i++) {
                elements.add(new Sequence(over.get(i), axes[i], backwards[i]));
            }
            run(new Scan(node, body, before, elements), listAxes, listBackwards, scope, depth);
            return;
        }
        List<List<String>> listed = lists(lists);
        Turns turns = new Turns(body, length.get());
        List<String> values = turns.run(node, node.name(), before, over, axes, backwards, listed, scope, depth);
        give(node, 0, values);
        join(node, states, listed, listAxes, listBackwards);
    }

    /**
     * One of the sequences of a Scan.
     *
     * @param backwards whether the last element comes first
     */
    private record Sequence(String value, long axis, boolean backwards) {}

    /** A Scan as a Loop, which takes an element of each sequence in each turn. */
    private record Scan(OnnxNode node, GraphProto body, List<String> before, List<Sequence> over) {}

    private void run(Scan scan, long[] listAxes, boolean[] listBackwards, Map<String, String> scope, int depth) {
        OnnxNode node = scan.node;
        InnerGraph inner = new InnerGraph(node, "body");
        String count = new Steps(node, graph)
                .size(scan.over.get(0).value(), scan.over.get(0).axis());
        String turn = inner.input("turn", DType.INT64);
        String goesOn = inner.input("condition", DType.BOOL);
        List<String> given = new ArrayList<>();
        for (int i = 0; i < scan.before.size(); i++) {
            KnownType first = graph.types().of(scan.before.get(i)).rankOnly();
            given.add(inner.input(scan.body.getInput(i), first));
        }
        Steps steps = new Steps(node, inner.graph);
        for (Sequence sequence : scan.over) {
            inner.graph.take(sequence.value(), node);
            String place = turn;
            if (sequence.backwards()) {
                inner.graph.take(count, node);
                place = steps.add("Sub", steps.add("Sub", count, steps.whole(1)), turn);
            }
            Params axis = new Params().put("axis", sequence.axis());
            given.add(steps.add("Gather", axis, sequence.value(), place));
        }
        inner.give(goesOn);
        inner.write(scan.body, given, scope, depth);
        List<String> inputs = new ArrayList<>(List.of(count, ""));
        inputs.addAll(scan.before);
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputs().size(); i++) {
            int list = i - scan.before.size();
            boolean isPlain = list < 0 || (listAxes[list] == 0 && !listBackwards[list]);
            String name = graph.isOutputUsed(node, i) ? node.outputs().get(i) : "";
            outputs.add(isPlain || name.isEmpty() ? name : graph.freshName(name));
        }
        add(node, inner, inputs, outputs);
        for (int i = scan.before.size(); i < node.outputs().size(); i++) {
            if (!outputs.get(i).equals(node.outputs().get(i)) && !outputs.get(i).isEmpty()) {
                int list = i - scan.before.size();
                arranged(node, outputs.get(i), node.outputs().get(i), listAxes[list], listBackwards[list]);
            }
        }
    }

    /** A list of turns along another axis than the first, or from the last to the first. */
    private void arranged(OnnxNode node, String list, String output, long axis, boolean backwards) {
        Steps steps = new Steps(node, graph);
        String turned = list;
        if (backwards) {
            Params params = new Params()
                    .put("starts", new long[] {-1})
                    .put("ends", new long[] {Long.MIN_VALUE})
                    .put("axes", new long[] {0})
                    .put("steps", new long[] {-1});
            turned = steps.add("Slice", params, list);
        }
        if (axis != 0) {
            int rank = steps.rank(list);
            if (axis < -rank || axis >= rank) {
                throw node.malformed("a list of " + rank + " axes has no axis " + axis);
            }
            int place = (int) (axis < 0 ? axis + rank : axis);
            List<Long> perm = new ArrayList<>();
            for (long i = 1; i < rank; i++) {
                perm.add(i);
            }
            perm.add(place, 0L);
            turned = steps.add(
                    "Transpose",
                    new Params().put("perm", perm.stream().mapToLong(i -> i).toArray()),
                    turned);
        }
        graph.addStep(node, node.name(), "Identity", List.of(turned), List.of(output), new Params());
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
        Turns turns = new Turns(body, knownLength(node, over, second));
        long batches = knownLength(node, over, new long[sequences]);
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

    private long knownLength(OnnxNode node, List<String> over, long[] axes) {
        return length(over, axes)
                .orElseThrow(() -> node.unsupportedUse("batches whose number or length is not known beforehand"));
    }

    /** How many elements the sequences have, where that is known. */
    private Optional<Long> length(List<String> over, long[] axes) {
        for (int i = 0; i < axes.length; i++) {
            KnownType type = graph.types().of(over.get(i));
            if (type.rank().isPresent()) {
                int rank = type.rank().getAsInt();
                long axis = axes[i] < 0 ? axes[i] + rank : axes[i];
                Optional<Long> size = axis < 0 || axis >= rank ? Optional.empty() : type.size((int) axis);
                if (size.isPresent()) {
                    return size;
                }
            }
        }
        return Optional.empty();
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
                String value = values.get(i);
                Optional<List<String>> sequence = graph.sequence(value);
                if (sequence.isPresent()) {
                    graph.addSequence(output, sequence.get());
                } else if (graph.isNothing(value)) {
                    graph.addNothing(output);
                } else {
                    graph.addStep(node, node.name(), "Identity", List.of(value), List.of(output), new Params());
                }
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
        spend(body, owner);
        Map<String, String> names = new HashMap<>(scope);
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
                translate(node, names, depth + 1);
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
