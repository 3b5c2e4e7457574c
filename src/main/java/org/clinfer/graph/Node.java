package org.clinfer.graph;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
 * @param source where it comes from
 */
public record Node(
        String name,
        String op,
        List<String> inputs,
        List<String> outputs,
        Map<String, Attribute> params,
        Map<String, Graph> bodies,
        SourceRef source) {

    public Node {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        params = Map.copyOf(params);
        bodies = Collections.unmodifiableMap(new LinkedHashMap<>(bodies));
    }

    /** A use of an operator without graphs of its own. */
    public Node(
            String name,
            String op,
            List<String> inputs,
            List<String> outputs,
            Map<String, Attribute> params,
            SourceRef source) {
        this(name, op, inputs, outputs, params, Map.of(), source);
    }

    /** Whether it is control flow, see {@link ControlFlow}: it runs graphs, and data decide which or how often. */
    public boolean isControl() {
        return !bodies.isEmpty();
    }

    /**
     * One of the graphs that it runs.
     *
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
