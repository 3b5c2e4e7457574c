package org.clinfer.plan.rule;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;

/**
 * Fuses the Add of a residual into the convolution before it.
 *
 * <pre>
 * a = Conv2d(x, w, b);  y = Add(a, r)
 * y = FusedConv(x, w, b, r) {residual_add: BEFORE}
 *
 * a = FusedConv(x, w, b) {activation: RELU};  y = Add(a, r)
 * y = FusedConv(x, w, b, r) {activation: RELU, residual_add: AFTER}
 * </pre>
 *
 * <p>Both terms have one shape. Of two convolutions it is the later one. Not where anything else uses its result, or where
 * it adds something already.
 */
final class FuseResidualIntoConv implements FusionRule {

    @Override
    public Set<String> needs() {
        return FusableConvolution.OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode sum = graph.node(position).orElseThrow();
        Node node = sum.form();
        boolean isSum = node.op().equals("Add") || node.op().equals("Sum");
        if (!isSum || node.inputs().size() != 2) {
            return false;
        }
        List<String> terms = node.inputs();
        int later = made(terms.get(1), graph) > made(terms.get(0), graph) ? 1 : 0;
        return fuse(sum, position, later, graph) || fuse(sum, position, 1 - later, graph);
    }

    private static int made(String value, Rewriting graph) {
        return graph.producer(value).orElse(-1);
    }

    private static boolean fuse(PlacedNode sum, int position, int side, Rewriting graph) {
        List<String> terms = sum.inputs();
        Optional<FusableConvolution> found = FusableConvolution.before(terms.get(side), sum, graph)
                .filter(convolution -> !convolution.hasResidual());
        return found.filter(convolution -> convolution
                        .input(FusableConvolution.RESIDUAL, terms.get(1 - side))
                        .param("residual_add", ExpressionValue.of(convolution.hasActivation() ? "AFTER" : "BEFORE"))
                        .takeOver(position, graph))
                .isPresent();
    }
}
