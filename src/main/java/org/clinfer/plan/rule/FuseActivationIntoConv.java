package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Fuses an activation into the convolution before it.
 *
 * <pre>
 * a = Conv2d(x, w, b);  y = Relu(a)
 * y = FusedConv(x, w, b) {activation: RELU}
 * </pre>
 *
 * <p>Not where anything else uses the convolution's result, or where it ends with an activation already, or where it adds a
 * residual after one. The slope of PRelu must be one constant for all, or one for each channel.
 */
final class FuseActivationIntoConv implements FusionRule {

    @Override
    public Set<String> needs() {
        return FusableConvolution.OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode activation = graph.node(position).orElseThrow();
        Node node = activation.form();
        if (node.inputs().isEmpty()) {
            return false;
        }
        return FusableConvolution.before(node.inputs().get(0), activation, graph)
                .filter(convolution -> !convolution.hasActivation())
                .filter(convolution -> describes(convolution, activation, graph))
                .filter(convolution -> convolution.takeOver(position, graph))
                .isPresent();
    }

    /** Gives the convolution the parameters of the activation; whether there are any that do. */
    private static boolean describes(FusableConvolution convolution, PlacedNode activation, Rewriting graph) {
        if (activation.op().equals("PRelu")) {
            Optional<String> slope = slope(convolution, activation, graph);
            slope.ifPresent(name ->
                    convolution.param("activation", ExpressionValue.of("PRELU")).input(FusableConvolution.SLOPE, name));
            return slope.isPresent();
        }
        Optional<Map<String, ExpressionValue>> params = PlainActivation.of(activation);
        params.ifPresent(values -> values.forEach(convolution::param));
        return params.isPresent();
    }

    /** The slopes as a vector; empty where they are not constant, or differ along other axes than that of the channels. */
    private static Optional<String> slope(FusableConvolution convolution, PlacedNode activation, Rewriting graph) {
        String name = activation.inputs().get(1);
        Optional<Tensor> slopes = graph.constant(name);
        if (slopes.isEmpty()) {
            return Optional.empty();
        }
        long[] sizes = slopes.get().shape().sizes();
        int axis = activation.binding().flag("per_channel")
                ? 1
                : PerChannel.axis(sizes, convolution.type().shape().rank(), convolution.channelAxis());
        if (axis != convolution.channelAxis()) {
            return Optional.empty();
        }
        if (sizes.length == 1) {
            return Optional.of(name);
        }
        return graph.folded()
                .reshaped(
                        List.of(name, "as a vector"),
                        slopes.get(),
                        Shape.of(slopes.get().elements()))
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }
}
