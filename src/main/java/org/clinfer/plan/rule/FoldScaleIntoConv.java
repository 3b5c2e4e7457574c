package org.clinfer.plan.rule;

import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;

/**
 * Folds a factor and an addend per channel after a convolution into its weights and bias.
 *
 * <pre>
 * a = Conv2d(x, w, b);  y = Mul(a, c)          y = BatchNorm(a, scale, bias, mean, variance)
 * y = FusedConv(x, w * c, b * c)
 * </pre>
 *
 * <p>BatchNorm, and Mul, Div, Add and Sub of constants with one element, or one for each channel. Not where anything else
 * uses the convolution's result, where it does more than its sum, or where weights would lose digits: see
 * {@link ScaledWeights}.
 */
final class FoldScaleIntoConv implements FusionRule {

    @Override
    public Set<String> needs() {
        return FusableConvolution.OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode scale = graph.node(position).orElseThrow();
        return switch (scale.op()) {
            case "BatchNorm" -> foldBatchNorm(scale, position, graph);
            case "Mul", "Div", "Add", "Sub" ->
                foldArithmetic(scale, position, 0, graph) || foldArithmetic(scale, position, 1, graph);
            default -> false;
        };
    }

    /** The convolution whose sum a value is. */
    private static Optional<FusableConvolution> sum(String value, PlacedNode scale, Rewriting graph) {
        return FusableConvolution.before(value, scale, graph)
                .filter(convolution -> !convolution.hasActivation() && !convolution.hasResidual());
    }

    private static boolean foldBatchNorm(PlacedNode norm, int position, Rewriting graph) {
        String sum = norm.inputs().get(0);
        Optional<FusableConvolution> convolution = sum(sum, norm, graph).filter(found -> found.channelAxis() == 1);
        Optional<ChannelScale> scale = convolution.flatMap(any -> ChannelScale.ofBatchNorm(norm, graph::constant));
        return scale.isPresent() && fold(convolution.orElseThrow(), position, scale.get(), graph);
    }

    private static boolean foldArithmetic(PlacedNode scale, int position, int side, Rewriting graph) {
        Node node = scale.form();
        Optional<FusableConvolution> convolution = sum(node.inputs().get(side), scale, graph);
        Optional<Tensor> constant = graph.constant(node.inputs().get(1 - side));
        if (convolution.isEmpty()
                || constant.isEmpty()
                || (node.op().equals("Div") && side == 1)
                || PerChannel.axis(
                                constant.get().shape().sizes(),
                                convolution.get().type().shape().rank(),
                                convolution.get().channelAxis())
                        < 0) {
            return false;
        }
        int channels = convolution.get().channels();
        double[] values = constant.get().toDoubleArray();
        ChannelScale made = new ChannelScale(channels);
        for (int i = 0; i < channels; i++) {
            double value = values[values.length == 1 ? 0 : i];
            switch (node.op()) {
                case "Mul" -> made.set(i, value, 0);
                case "Div" -> made.set(i, 1 / value, 0);
                case "Sub" -> made.set(i, side == 0 ? 1 : -1, side == 0 ? -value : value);
                default -> made.set(i, 1, value);
            }
        }
        return fold(convolution.get(), position, made, graph);
    }

    private static boolean fold(FusableConvolution convolution, int position, ChannelScale scale, Rewriting graph) {
        String by = graph.node(position).orElseThrow().written().name();
        Optional<String> weights = ScaledWeights.weights(convolution, by, scale, graph);
        Optional<String> bias = weights.flatMap(any -> ScaledWeights.bias(convolution, by, scale, graph));
        return bias.isPresent()
                && convolution
                        .input(FusableConvolution.WEIGHTS, weights.orElseThrow())
                        .input(FusableConvolution.BIAS, bias.get())
                        .takeOver(position, graph);
    }
}
