package org.clinfer.run;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.describe.InputDescription;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.tensor.Tensor;

/**
 * Indices that kernels read and inputs of the network give: tested before a run begins, because kernels take the nearest
 * element where there is none.
 *
 * @param ranges what each input that has some must keep to, for each node
 */
record GivenIndices(List<Range> ranges) {

    /** The name of the argument, and of the scratch value that says how many elements there are to choose from. */
    private static final String ARGUMENT = "indices";

    private static final String SIZE = "axis_size";

    /**
     * The indices that a node takes.
     *
     * @param input the input that gives them, perhaps with others
     * @param size they are at least {@code -size} and less than this
     */
    record Range(String input, long size, String op, SourceRef source) {}

    /** Those of a plan; nodes that run by themselves on made-up constants have no inputs of a network. */
    static GivenIndices of(ExecutionPlan plan) {
        Set<String> inputs =
                plan.graph().inputs().stream().map(Graph.Input::name).collect(Collectors.toSet());
        Set<Range> ranges = new LinkedHashSet<>();
        for (PlacedNode node : plan.graph().nodes()) {
            boolean takesIndices = node.target() == PlacedNode.Target.DEVICE
                    && node.description().inputs().stream()
                            .map(InputDescription::name)
                            .anyMatch(ARGUMENT::equals)
                    && node.binding().has(SIZE);
            if (takesIndices
                    && node.binding().value(ARGUMENT) instanceof ExpressionValue.TensorArg indices
                    && indices.given() != null
                    && inputs.contains(indices.given())) {
                ranges.add(new Range(
                        indices.given(),
                        node.binding().integer(SIZE),
                        node.op(),
                        node.form().source()));
            }
        }
        return new GivenIndices(List.copyOf(ranges));
    }

    /**
     * Goes on if all indices are inside.
     *
     * @throws GraphException if one is not
     */
    void test(Map<String, Tensor> inputs) {
        for (Range range : ranges) {
            Tensor given = inputs.get(range.input());
            if (given == null) {
                throw new IllegalStateException("input '" + range.input() + "' is not given");
            }
            for (long i = 0; i < given.elements(); i++) {
                long index = given.getLong(i);
                if (index < -range.size() || index >= range.size()) {
                    throw new GraphException(
                            range.source(),
                            range.op() + ": index " + index + " at position " + i + " of input '" + range.input()
                                    + "' is outside of " + -range.size() + " ... " + (range.size() - 1));
                }
            }
        }
    }
}
