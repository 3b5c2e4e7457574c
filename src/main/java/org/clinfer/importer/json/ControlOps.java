package org.clinfer.importer.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;

/**
 * If and Loop, whose graphs stand within their operator. What these take of the graph around is not listed: it is the
 * inputs of the graphs that the operator does not give itself.
 */
final class ControlOps {

    private static final Map<String, List<String>> BODIES = Map.of(
            ControlFlow.IF, List.of(ControlFlow.THEN, ControlFlow.ELSE), ControlFlow.LOOP, List.of(ControlFlow.BODY));

    private static final ArgumentNames CONDITION = new ArgumentNames("input", List.of("condition"), false);
    private static final ArgumentNames STATES =
            new ArgumentNames("input", List.of("most_turns", "condition", "states"), true);
    private static final ArgumentNames GIVEN = new ArgumentNames("output", List.of("y"), true);

    /** The inputs of a Loop before its states. */
    private static final int BEFORE_STATES = 2;

    private ControlOps() {}

    static boolean isControl(String optype) {
        return BODIES.containsKey(optype);
    }

    /** The number of inputs of a graph that its operator gives, under names of their own. */
    static int given(OpEntry op) {
        return op.optype().equals(ControlFlow.LOOP) ? own(op).size() : 0;
    }

    /** The inputs that the operator lists, with the places of those that it leaves out. */
    private static List<String> own(OpEntry op) {
        if (op.optype().equals(ControlFlow.IF)) {
            return CONDITION.positions(op.inputs(), op.source());
        }
        List<String> own = STATES.positions(op.inputs(), op.source());
        while (own.size() < BEFORE_STATES) {
            own.add("");
        }
        return own;
    }

    /** The node of an operator with its graphs, by their names. */
    static Node read(OpEntry op, Map<String, Graph> bodies) {
        Placeholders.requireParams(op, Set.of());
        List<String> wanted = BODIES.getOrDefault(op.optype(), List.of());
        if (!bodies.keySet().equals(Set.copyOf(wanted))) {
            throw new GraphException(
                    op.source(), op.optype() + " has the bodies " + wanted + ", not " + List.copyOf(bodies.keySet()));
        }
        Map<String, Graph> ordered = new LinkedHashMap<>();
        wanted.forEach(name -> ordered.put(name, Objects.requireNonNull(bodies.get(name))));
        List<String> own = own(op);
        List<String> outputs = GIVEN.positions(op.outputs(), op.source());
        requireArguments(op, own, outputs, ordered);
        Set<String> captured = new LinkedHashSet<>();
        for (Graph body : ordered.values()) {
            body.inputs().stream().skip(given(op)).map(Graph.Input::name).forEach(captured::add);
        }
        List<String> inputs = Stream.concat(own.stream(), captured.stream()).toList();
        Map<String, Attribute> params = op.optype().equals(ControlFlow.IF)
                ? Map.of()
                : Map.of(ControlFlow.STATES, Attribute.of(own.size() - BEFORE_STATES));
        return new Node(op.name(), op.optype(), inputs, outputs, params, ordered, op.source());
    }

    private static void requireArguments(
            OpEntry op, List<String> own, List<String> outputs, Map<String, Graph> bodies) {
        boolean isLoop = op.optype().equals(ControlFlow.LOOP);
        int states = own.size() - BEFORE_STATES;
        if (isLoop ? own.subList(BEFORE_STATES, own.size()).contains("") : own.isEmpty()) {
            throw new GraphException(op.source(), isLoop ? "a state has no name" : "If needs the input 'condition'");
        }
        for (Map.Entry<String, Graph> body : bodies.entrySet()) {
            int least = isLoop ? 1 + Math.max(states, outputs.size()) : outputs.size();
            int gives = body.getValue().outputs().size();
            int takes = body.getValue().inputs().size();
            if (isLoop ? gives < least : gives != least) {
                throw new GraphException(
                        op.source(),
                        "its " + body.getKey() + " gives " + gives + " values, but must give "
                                + (isLoop ? "a condition, the states and what the operator lists, " : "") + least);
            }
            if (takes < given(op)) {
                throw new GraphException(
                        op.source(),
                        "its " + body.getKey() + " takes " + takes
                                + " values, but must take the iteration, the condition and the states, " + own.size());
            }
        }
    }

    static List<OpEntry.Arg> inputs(Node node) {
        List<String> own = new ArrayList<>(node.inputs());
        own.subList(own.size() - ControlFlow.captured(node).size(), own.size()).clear();
        return (node.op().equals(ControlFlow.IF) ? CONDITION : STATES).named(own, node.source());
    }

    static List<OpEntry.Arg> outputs(Node node) {
        return GIVEN.named(node.outputs(), node.source());
    }
}
