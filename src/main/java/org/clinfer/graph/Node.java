package org.clinfer.graph;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One use of an operator.
 *
 * @param name unique in its graph
 * @param op the canonical operator, as its description calls it ({@code optype})
 * @param inputs value names in the order of the description's {@code tensors_in}; {@code ""} where an optional one is
 *     left out; a variadic argument takes all that remain
 * @param outputs value names in the order of {@code tensors_out}; {@code ""} where nobody uses it
 * @param params parameters that were given, by name; the description supplies defaults for the others
 * @param bodies the graphs that control flow runs, by the name of their attribute; empty for every other operator
 * @param opaque why it is a layer that Clinfer does not have, whose operator is the file's; empty for every other node
 * @param source where it comes from
 */
public record Node(
        String name,
        String op,
        List<String> inputs,
        List<String> outputs,
        Map<String, Attribute> params,
        Map<String, Graph> bodies,
        Optional<Opaque> opaque,
        SourceRef source) {

    public Node {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        params = Map.copyOf(params);
        bodies = Collections.unmodifiableMap(new LinkedHashMap<>(bodies));
    }

    /**
     * A use of an operator without graphs of its own.
     *
     * @param name unique in the graph
     * @param op the canonical operator
     * @param inputs names of values; empty for one that is left out
     * @param outputs names of the values that it gives
     * @param params attributes by name
     * @param source where it comes from
     */
    public Node(
            String name,
            String op,
            List<String> inputs,
            List<String> outputs,
            Map<String, Attribute> params,
            SourceRef source) {
        this(name, op, inputs, outputs, params, Map.of(), Optional.empty(), source);
    }

    /**
     * A use of control flow, which runs graphs.
     *
     * @param name unique in the graph
     * @param op an operator of {@link ControlFlow}
     * @param inputs names of values; empty for one that is left out
     * @param outputs names of the values that it gives
     * @param params attributes by name
     * @param bodies the graphs by attribute
     * @param source where it comes from
     */
    public Node(
            String name,
            String op,
            List<String> inputs,
            List<String> outputs,
            Map<String, Attribute> params,
            Map<String, Graph> bodies,
            SourceRef source) {
        this(name, op, inputs, outputs, params, bodies, Optional.empty(), source);
    }

    /**
     * {@return a layer of a file that Clinfer does not have}
     *
     * @param name unique in the graph
     * @param op the layer's type in the file
     * @param inputs names of values; empty for one that is left out
     * @param outputs names of the values that it gives
     * @param opaque why nothing runs it
     * @param source where it comes from
     */
    public static Node opaque(
            String name, String op, List<String> inputs, List<String> outputs, Opaque opaque, SourceRef source) {
        return new Node(name, op, inputs, outputs, Map.of(), Map.of(), Optional.of(opaque), source);
    }

    /**
     * {@return the same node under another name}
     *
     * @param other the other name
     */
    public Node named(String other) {
        return new Node(other, op, inputs, outputs, params, bodies, opaque, source);
    }

    /**
     * {@return whether it is control flow, see {@link ControlFlow}: it runs graphs, and data decide which or how
     * often}
     */
    public boolean isControl() {
        return !bodies.isEmpty();
    }

    /**
     * {@return one of the graphs that it runs}
     *
     * @param attribute its name
     * @throws IllegalArgumentException if it has none of this name
     */
    public Graph body(String attribute) {
        Graph body = bodies.get(attribute);
        if (body == null) {
            throw new IllegalArgumentException(this + " has no " + attribute);
        }
        return body;
    }

    @Override
    public String toString() {
        return "'" + name + "' (" + op + ")";
    }
}
