package org.clinfer.graph;

import java.util.List;

/**
 * The operators whose nodes run graphs. A graph sees no value of the graph around it: whatever it takes is an input of the
 * node, and its inputs of the same names follow those that the operator defines.
 *
 * <ul>
 *   <li>{@link #IF}: inputs {@code condition, captured...}; bodies {@link #THEN} and {@link #ELSE} take the captured values
 *       and give the outputs.
 *   <li>{@link #LOOP}: inputs {@code most iterations, condition, states..., captured...}, of which the first two may be left out;
 *       {@link #BODY} takes {@code iteration, condition, states..., captured...} and gives {@code condition, states...,
 *       listed...}. Outputs are the states after the last iteration, and each listed value of all iterations along a new first axis.
 *       The parameter {@link #STATES} says how many states there are.
 * </ul>
 */
public final class ControlFlow {

    /** The operator that runs one of two graphs. */
    public static final String IF = "If";
    /** The attribute of {@link #IF} with the graph for a condition that is true. */
    public static final String THEN = "then_branch";
    /** The attribute of {@link #IF} with the graph for a condition that is false. */
    public static final String ELSE = "else_branch";

    /** The operator that runs a graph again and again. */
    public static final String LOOP = "Loop";
    /** The attribute of {@link #LOOP} with its graph. */
    public static final String BODY = "body";
    /** The parameter of {@link #LOOP} with the number of its states. */
    public static final String STATES = "states";

    private ControlFlow() {}

    /**
     * {@return the states of a Loop}
     *
     * @param loop a node of {@link #LOOP}
     */
    public static int states(Node loop) {
        return loop.params().get(STATES) instanceof Attribute.IntValue count ? Math.toIntExact(count.value()) : 0;
    }

    /**
     * {@return the values that a node gives to its bodies under their own names}
     *
     * @param node a node of {@link #IF} or {@link #LOOP}
     */
    public static List<String> captured(Node node) {
        int own = node.op().equals(LOOP) ? 2 + states(node) : 1;
        return node.inputs().subList(own, node.inputs().size());
    }
}
