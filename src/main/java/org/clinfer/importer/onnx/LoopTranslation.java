package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.onnx.ControlFlowTranslation.Site;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;

/** A Loop: a step that counts, as many copies of its body as it has iterations, or a node that runs its body. */
final class LoopTranslation {

    private final ControlFlowTranslation outer;
    private final OnnxGraphWriter graph;
    private final Site site;
    private final OnnxNode node;

    LoopTranslation(ControlFlowTranslation outer, Site site) {
        this.outer = outer;
        this.graph = outer.graph();
        this.site = site;
        this.node = site.node();
    }

    void translate() {
        if (CountingLoop.translates(node, graph, site.scope())) {
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
        if (!isWrittenOut(body, before)) {
            run(body, before);
        }
    }

    /** Writes a loop out if it is known beforehand how many iterations it has, and they are not too many. */
    private boolean isWrittenOut(GraphProto body, List<String> before) {
        Optional<Long> most = node.hasInput(0) ? graph.element(node.input(0)) : Optional.of(Long.MAX_VALUE);
        Optional<Long> goesOn = node.hasInput(1) ? graph.element(node.input(1)) : Optional.of(1L);
        int states = before.size();
        int lists = body.getOutputCount() - 1 - states;
        List<String> values = before;
        IterationLists listed = new IterationLists(lists);
        Steps steps = new Steps(node, graph);
        String yes = shaped(steps, body.getInput(1), steps.truth(true));
        long iteration = 0;
        long nodes = body.getNodeCount() + 1L;
        if (most.isEmpty()
                || (most.get() <= Integer.MAX_VALUE && most.get() * nodes > ControlFlowTranslation.MOST_WRITTEN_OUT)) {
            return false;
        }
        while (iteration < most.get() && goesOn.isPresent() && goesOn.get() != 0) {
            if ((iteration + 1) * nodes > ControlFlowTranslation.MOST_WRITTEN_OUT) {
                throw node.unsupportedUse("more than " + Integer.MAX_VALUE + " iterations");
            }
            String number = shaped(steps, body.getInput(0), steps.whole(iteration));
            List<String> given = new ArrayList<>(List.of(number, yes));
            given.addAll(values);
            List<String> made = outer.place(body, given, site, node.name() + "/" + iteration);
            goesOn = graph.element(made.get(0));
            values = made.subList(1, states + 1);
            listed.note(made.subList(states + 1, made.size()));
            iteration++;
        }
        if (goesOn.isEmpty() || (iteration == 0 && lists > 0)) {
            return false;
        }
        outer.give(node, values);
        listed.join(node, graph, states, new long[lists], new boolean[lists]);
        return true;
    }

    /** A node that runs the body of a Loop. */
    private void run(GraphProto body, List<String> before) {
        InnerGraph inner = new InnerGraph(graph, node, "body", true);
        List<String> given = new ArrayList<>();
        Steps within = new Steps(node, inner.writer());
        given.add(shaped(within, body.getInput(0), inner.input(body.getInput(0).getName(), DType.INT64)));
        given.add(shaped(within, body.getInput(1), inner.input(body.getInput(1).getName(), DType.BOOL)));
        List<String> inputs = new ArrayList<>(List.of(node.optionalInput(0), node.optionalInput(1)));
        for (int i = 0; i < before.size(); i++) {
            if (graph.isNothing(before.get(i))) {
                throw node.unsupportedUse(
                        "an optional value that a number of iterations changes which is not known beforehand");
            }
            Optional<Long> joined = joined(body, before.get(i), i);
            inputs.add(joined.isPresent() ? "" : new Stack(node, graph).of(before.get(i), ofValues(body, i)));
            given.add(
                    joined.isPresent()
                            ? joinedState(inner, body.getInput(2 + i), before.get(i), joined.get())
                            : state(inner, body.getInput(2 + i), inputs.get(2 + i)));
        }
        inner.write(outer, body, given, site);
        for (int i = 0; i < before.size(); i++) {
            if (inputs.get(2 + i).isEmpty()) {
                inputs.set(
                        2 + i, JoinedSequences.none(node, graph, inner.types().get(1 + i)));
                graph.addJoined(
                        node.outputs().get(i),
                        graph.joinable(node.outputs().get(i)).orElseThrow());
            } else if (inner.givesStack(1 + i) != graph.isStack(inputs.get(2 + i))) {
                throw node.malformed(
                        "state " + i + " is a sequence before a iteration and a tensor after it, or the other way");
            }
        }
        inner.addLoop(inputs, outer.usedOutputs(node));
    }

    /**
     * The number of the iteration or the condition as the body declares it: exporters whose count is a vector of one
     * element give the body such vectors, as ONNX Runtime does.
     */
    private static String shaped(Steps steps, ValueInfoProto declared, String scalar) {
        boolean isVector = DeclaredTypes.declared(declared).rank().stream().anyMatch(rank -> rank == 1);
        return isVector ? steps.add("Reshape", scalar, steps.vector(1)) : scalar;
    }

    private static KnownType ofValues(GraphProto body, int state) {
        return DeclaredTypes.ofValues(body.getInput(2 + state));
    }

    /** The axis along which an empty sequence is joined after the loop, if the loop does no more than make it longer. */
    private Optional<Long> joined(GraphProto body, String before, int state) {
        boolean isEmpty = graph.sequence(before).filter(List::isEmpty).isPresent();
        return isEmpty && state < node.outputs().size() && JoinedSequences.isOnlyInserted(body, state, node.source())
                ? graph.joinable(node.outputs().get(state))
                : Optional.empty();
    }

    /** The body's input for such a sequence, of which the first value is known once the body is written. */
    private String joinedState(InnerGraph inner, ValueInfoProto declared, String before, long axis) {
        KnownType value = DeclaredTypes.ofValues(declared).or(graph.types().of(before));
        DType dtype =
                value.dtype().orElseThrow(() -> node.unsupportedUse("an empty sequence whose data type is not known"));
        String taken = inner.input(declared.getName(), dtype, KnownType.NOTHING);
        inner.writer().addJoined(taken, axis);
        return taken;
    }

    /** The body's input for a state of which this is the first value. */
    private String state(InnerGraph inner, ValueInfoProto declared, String state) {
        String taken = inner.input(
                declared,
                graph.types()
                        .of(state)
                        .rankOnly()
                        .or(Stack.type(DeclaredTypes.ofValues(declared)).rankOnly()));
        if (graph.isStack(state)) {
            inner.writer().addStack(taken, KnownType.NOTHING);
        }
        return taken;
    }
}
