package org.clinfer.cpu;

import java.util.function.IntUnaryOperator;
import org.clinfer.graph.Parameters;

/**
 * How the tensors of a convolution lie in memory.
 *
 * @param dataLast whether the channels of x and y are their last axis instead of their second
 * @param weightsLast whether weights are [kernel..., in, out] instead of [out, in, kernel...]
 * @param multiplier where it is above 1, weights are [multiplier, in, kernel...]
 */
record ConvolutionLayout(
        Convolution.Channels channels, Window window, boolean dataLast, boolean weightsLast, int multiplier) {

    static ConvolutionLayout of(Parameters parameters) {
        Convolution.Channels channels = Convolution.Channels.of(parameters);
        return new ConvolutionLayout(
                channels,
                Window.of(parameters),
                isText(parameters, "data_format", "NXC"),
                isText(parameters, "weights_format", "XIO"),
                isText(parameters, "weights_format", "MIX") ? channels.outPerGroup() : 1);
    }

    private static boolean isText(Parameters parameters, String name, String text) {
        return parameters.has(name) && parameters.text(name).equals(text);
    }

    /** Takes x to [batch, in, spatial...]. */
    IntUnaryOperator x() {
        return dataLast ? AxisSwap.swapped(window.inElements(), channels.in()) : AxisSwap.SAME;
    }

    /** Takes the weights to [out, in / groups, kernel...]. */
    IntUnaryOperator weights() {
        if (weightsLast) {
            return AxisSwap.reversed(window.taps(), channels.inPerGroup(), channels.out());
        }
        return multiplier > 1 ? AxisSwap.exchanged(multiplier, channels.in(), window.taps()) : AxisSwap.SAME;
    }

    /** Takes [batch, out, spatial...] to y. */
    IntUnaryOperator y() {
        return dataLast ? AxisSwap.swapped(channels.out(), window.outElements()) : AxisSwap.SAME;
    }
}
