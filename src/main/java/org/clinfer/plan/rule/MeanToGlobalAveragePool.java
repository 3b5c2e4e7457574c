package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;

/**
 * Rewrites the mean over all spatial axes as a global average pool, which has kernels for more layouts.
 *
 * <pre>
 * y = Mean(x) {axis: [2, 3], keep_dims: true}
 * y = AvgPool(x) {is_global: true}
 * </pre>
 *
 * <p>Not of integers, or of other axes.
 */
final class MeanToGlobalAveragePool implements FusionRule {

    @Override
    public Set<String> needs() {
        return Set.of("Mean");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part mean = Part.at(position, graph);
        if (!mean.op().equals("Mean")
                || graph.type(mean.input(0)).shape().rank() != 4
                || !graph.type(mean.input(0)).dtype().isFloating()
                || !mean.binding().flag("keep_dims")
                || !Arrays.equals(mean.binding().integers("reduced"), new long[] {2, 3})) {
            return false;
        }
        Node by = mean.placed().as("AvgPool", List.of(mean.input(0)));
        return graph.replace(position, by, Map.of("is_global", ExpressionValue.of(true)), List.of());
    }
}
