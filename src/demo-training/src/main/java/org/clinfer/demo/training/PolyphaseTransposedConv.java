package org.clinfer.demo.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.convolutional.Conv2d;

/**
 * A transposed convolution made of an ordinary one, since the training library has none.
 *
 * <p>Where the kernel is twice the stride {@code s}, row {@code s * q + r} of the unpadded result is
 * {@code x[q] * w[r] + x[q - 1] * w[r + s]}: for each of the {@code s} phases {@code r} a convolution with two taps over
 * the padded input. Computing all phases as channels, interleaving them and cutting the padding off gives the result.
 */
final class PolyphaseTransposedConv {

    private static final int TAPS = 2;

    private PolyphaseTransposedConv() {}

    /** Input batch x in x height x width, weights in x out x kernel x kernel, bias out. */
    static NDArray apply(NDArray input, NDArray weights, NDArray bias, Step.Window window) {
        int stride = window.stride();
        if (window.kernel() != TAPS * stride) {
            throw new IllegalArgumentException(
                    "kernel " + window.kernel() + " is not twice the stride " + window.stride());
        }
        Shape shape = input.getShape();
        long outputs = weights.getShape().get(1);
        long height = shape.get(2);
        long width = shape.get(3);
        NDArray phases = Conv2d.conv2d(
                        input,
                        phaseWeights(weights, stride, input.getManager()),
                        null,
                        new Shape(1, 1),
                        new Shape(1, 1),
                        new Shape(1, 1),
                        1)
                .singletonOrThrow();
        NDArray full = phases.reshape(shape.get(0), outputs, stride, stride, height + 1, width + 1)
                .transpose(0, 1, 4, 2, 5, 3)
                .reshape(shape.get(0), outputs, (height + 1) * stride, (width + 1) * stride);
        long start = window.padding();
        long bottom = (height + 1) * stride - start;
        long right = (width + 1) * stride - start;
        NDArray perChannel = bias.reshape(1, outputs, 1, 1);
        perChannel.attach(input.getManager());
        return full.get(":, :, " + start + ":" + bottom + ", " + start + ":" + right)
                .add(perChannel);
    }

    /**
     * Weights of the two-tap convolution, (out * stride * stride) x in x 2 x 2; the later tap comes first. What leads to
     * them is freed with the batch, not with the parameters it comes from.
     */
    private static NDArray phaseWeights(NDArray weights, int stride, NDManager batch) {
        long inputs = weights.getShape().get(0);
        long outputs = weights.getShape().get(1);
        NDArray split = weights.reshape(inputs, outputs, TAPS, stride, TAPS, stride);
        split.attach(batch);
        return split.flip(2, 4).transpose(1, 3, 5, 0, 2, 4).reshape(outputs * stride * stride, inputs, TAPS, TAPS);
    }
}
