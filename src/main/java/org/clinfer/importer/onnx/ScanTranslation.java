package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.ControlFlowTranslation.Site;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.tensor.DType;

/** A Scan: as many copies of its body as its sequences have elements, or a Loop that takes an element of each in a iteration. */
final class ScanTranslation {

    private final ControlFlowTranslation outer;
    private final OnnxGraphWriter graph;
    private final Site site;
    private final OnnxNode node;
    private final GraphProto body;

    ScanTranslation(ControlFlowTranslation outer, Site site) {
        this.outer = outer;
        this.graph = outer.graph();
        this.site = site;
        this.node = site.node();
        this.body = node.graph("body");
    }

    /**
     * One of the sequences of a Scan.
     *
     * @param backwards whether the last element comes first
     */
    private record Sequence(String value, long axis, boolean backwards) {}

    void translate() {
        if (node.opset() < 9) {
            batches();
            return;
        }
        int sequences = sequences(0);
        int states = node.inputs().size() - sequences;
        int lists = requireLists(states, sequences);
        List<Sequence> over =
                sequences(states, axes("scan_input_axes", sequences), directions("scan_input_directions", sequences));
        List<String> before = node.inputs().subList(0, states);
        long[] listAxes = axes("scan_output_axes", lists);
        boolean[] listBackwards = directions("scan_output_directions", lists);
        Optional<Long> length = length(over);
        if (length.filter(count ->
                        count > 0 && count <= ControlFlowTranslation.MOST_WRITTEN_OUT / (body.getNodeCount() + 1))
                .isEmpty()) {
            run(before, over, listAxes, listBackwards);
            return;
        }
        IterationLists listed = new IterationLists(lists);
        outer.give(node, iterations(length.get(), node.name(), before, over, listed));
        listed.join(node, graph, states, listAxes, listBackwards);
    }

    /** @param first the inputs that are neither states nor sequences */
    private int sequences(int first) {
        return Math.toIntExact(Math.max(
                0, Math.min(node.integer("num_scan_inputs"), node.inputs().size() - first)));
    }

    private List<Sequence> sequences(int first, long[] axes, boolean[] backwards) {
        List<Sequence> over = new ArrayList<>();
        for (int i = 0; i < axes.length; i++) {
            over.add(new Sequence(node.inputs().get(first + i), axes[i], backwards[i]));
        }
        return over;
    }

    /** The number of outputs that list what the iterations give. */
    private int requireLists(int states, int sequences) {
        int lists = body.getOutputCount() - states;
        if (sequences < 1
                || body.getInputCount() != states + sequences
                || lists < 0
                || node.allOutputs().size() > body.getOutputCount()) {
            throw node.malformed("its body must take " + states + " values and an element of each sequence");
        }
        return lists;
    }

    private void run(List<String> before, List<Sequence> over, long[] listAxes, boolean[] listBackwards) {
        InnerGraph inner = new InnerGraph(graph, node, "body", true);
        String count =
                new Steps(node, graph).size(over.get(0).value(), over.get(0).axis());
        String iteration = inner.input("iteration", DType.INT64);
        String goesOn = inner.input("condition", DType.BOOL);
        List<String> given = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            KnownType first = graph.types().of(before.get(i)).rankOnly();
            given.add(inner.input(body.getInput(i), first));
        }
        Steps steps = new Steps(node, inner.writer());
        for (Sequence sequence : over) {
            inner.writer().take(sequence.value(), node);
            String index = iteration;
            if (sequence.backwards()) {
                inner.writer().take(count, node);
                index = steps.add("Sub", steps.add("Sub", count, steps.whole(1)), iteration);
            }
            Params axis = new Params().put("axis", sequence.axis());
            given.add(steps.add("Gather", axis, sequence.value(), index));
        }
        inner.give(goesOn);
        inner.write(outer, body, given, site);
        List<String> inputs = new ArrayList<>(List.of(count, ""));
        inputs.addAll(before);
        List<String> outputs = outer.usedOutputs(node);
        for (int i = before.size(); i < outputs.size(); i++) {
            int list = i - before.size();
            if (!outputs.get(i).isEmpty() && (listAxes[list] != 0 || listBackwards[list])) {
                outputs.set(i, graph.freshName(outputs.get(i)));
            }
        }
        inner.addLoop(inputs, outputs);
        for (int i = before.size(); i < outputs.size(); i++) {
            if (!outputs.get(i).equals(node.outputs().get(i)) && !outputs.get(i).isEmpty()) {
                int list = i - before.size();
                arranged(outputs.get(i), node.outputs().get(i), listAxes[list], listBackwards[list]);
            }
        }
    }

    /** A list of iterations along another axis than the first, or from the last to the first. */
    private void arranged(String list, String output, long axis, boolean backwards) {
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
            int along = (int) (axis < 0 ? axis + rank : axis);
            turned = steps.moved(turned, 0, along);
        }
        graph.addStep(node, node.name(), "Identity", List.of(turned), List.of(output), new Params());
    }

    /** Operator set 8: values and sequences have an axis of batches first, and each batch goes its own way. */
    private void batches() {
        if (node.hasInput(0)) {
            throw node.unsupportedUse("sequence_lens");
        }
        int sequences = sequences(1);
        int states = node.inputs().size() - 1 - sequences;
        int lists = requireLists(states, sequences);
        boolean[] backwards = directions("directions", sequences);
        long[] second = new long[sequences];
        Arrays.fill(second, 1);
        long length = knownLength(sequences(1 + states, second, backwards));
        List<Sequence> over = sequences(1 + states, new long[sequences], backwards);
        long batches = knownLength(over);
        if (batches == 0) {
            throw node.unsupportedUse("no batch");
        }
        IterationLists results = new IterationLists(states + lists);
        Steps steps = new Steps(node, graph);
        for (long batch = 0; batch < batches; batch++) {
            String index = steps.whole(batch);
            List<String> before = node.inputs().subList(1, 1 + states).stream()
                    .map(value -> part(steps, value, index))
                    .toList();
            List<Sequence> parts = over.stream()
                    .map(each -> new Sequence(part(steps, each.value(), index), 0, each.backwards()))
                    .toList();
            IterationLists listed = new IterationLists(lists);
            List<String> given = new ArrayList<>(iterations(length, node.name() + "/" + batch, before, parts, listed));
            for (int i = 0; i < lists; i++) {
                given.add(stacked(steps, listed.require(i, node)));
            }
            results.note(given);
        }
        List<String> stacked = new ArrayList<>();
        for (int i = 0; i < states + lists; i++) {
            stacked.add(stacked(steps, results.require(i, node)));
        }
        outer.give(node, stacked);
    }

    /** One batch of a value. */
    private static String part(Steps steps, String value, String batch) {
        return steps.add("Gather", new Params().put("axis", 0L), value, batch);
    }

    /** Values along a new first axis. */
    private static String stacked(Steps steps, List<String> values) {
        return steps.concat(
                values.stream().map(value -> steps.unsqueezed(value, 0)).toList());
    }

    /**
     * Adds so many copies of the body, one after the other.
     *
     * @param listed takes what each iteration gives beside the states
     * @return the states after the last iteration
     */
    private List<String> iterations(
            long count, String stem, List<String> before, List<Sequence> over, IterationLists listed) {
        Steps steps = new Steps(node, graph);
        List<String> values = before;
        for (long iteration = 0; iteration < count; iteration++) {
            List<String> given = new ArrayList<>(values);
            for (Sequence sequence : over) {
                String index = steps.whole(sequence.backwards() ? count - 1 - iteration : iteration);
                given.add(steps.add("Gather", new Params().put("axis", sequence.axis()), sequence.value(), index));
            }
            List<String> made = outer.place(body, given, site, stem + "/" + iteration);
            values = made.subList(0, before.size());
            listed.note(made.subList(before.size(), made.size()));
        }
        return values;
    }

    private long[] axes(String attribute, int count) {
        long[] axes = node.integers(attribute).orElse(new long[count]);
        if (axes.length != count) {
            throw node.malformed("attribute '" + attribute + "' must have " + count + " numbers");
        }
        return axes;
    }

    private boolean[] directions(String attribute, int count) {
        long[] given = axes(attribute, count);
        boolean[] backwards = new boolean[count];
        for (int i = 0; i < count; i++) {
            backwards[i] = given[i] != 0;
        }
        return backwards;
    }

    private long knownLength(List<Sequence> over) {
        return length(over)
                .orElseThrow(() -> node.unsupportedUse("batches whose number or length is not known beforehand"));
    }

    /** The number of elements of the sequences, where that is known. */
    private Optional<Long> length(List<Sequence> over) {
        for (Sequence sequence : over) {
            KnownType type = graph.types().of(sequence.value());
            if (type.rank().isPresent()) {
                int rank = type.rank().getAsInt();
                long axis = sequence.axis() < 0 ? sequence.axis() + rank : sequence.axis();
                Optional<Long> size = axis < 0 || axis >= rank ? Optional.empty() : type.size((int) axis);
                if (size.isPresent()) {
                    return size;
                }
            }
        }
        return Optional.empty();
    }
}
