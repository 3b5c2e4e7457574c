package org.clinfer.cpu.quantized;

import java.nio.IntBuffer;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.convolution.ConvolutionLayout;
import org.clinfer.cpu.convolution.IntegerConvolution;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Convolution of quantized values of 8 bits, summed in 32 bits. */
final class QuantizedConvolution implements CpuOperator {

    private static final int WEIGHTS = 1;
    private static final int BIAS = 2;
    private static final int X_ZERO_POINT = 3;
    private static final int W_ZERO_POINT = 4;
    private static final int X_SCALE = 5;
    private static final int Y_ZERO_POINT = 8;

    private final @Nullable VectorKernels kernels;

    QuantizedConvolution(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        ConvolutionLayout layout = ConvolutionLayout.of(call.parameters());
        int channels = layout.channels().out();
        float[] x =
                new QuantizedValues(call.input(0), kernels).all(call.optionalInput(X_ZERO_POINT), 1, call.parallel());
        int[] bias = QuantizedValues.integers(call.optionalInput(BIAS));
        @Nullable
        Tensor[] scales = {call.optionalInput(X_SCALE), call.optionalInput(X_SCALE + 1), call.optionalInput(X_SCALE + 2)
        };
        Requantization requantization =
                Requantization.of(call.output(), scales, call.optionalInput(Y_ZERO_POINT), Math.max(channels, 1));
        TypedMemory y = new TypedMemory(call.output());
        new IntegerConvolution(layout, call.parallel(), kernels)
                .run(x, weights(call, channels), (sums, at, stretch) -> {
                    int channel = stretch.channel();
                    for (int i = at; i < at + stretch.count() && bias.length > 0; i++) {
                        sums[i] += bias[channel];
                        if (stretch.isAlongChannels()) {
                            channel = channel + 1 == channels ? 0 : channel + 1;
                        }
                    }
                    requantization.store(sums, at, y, stretch, kernels);
                });
    }

    private float[] weights(CpuCall call, int channels) {
        Tensor zeroPoint = call.optionalInput(W_ZERO_POINT);
        QuantizedValues weights = new QuantizedValues(call.input(WEIGHTS), kernels);
        if (zeroPoint != null && !call.isConstant(W_ZERO_POINT)) {
            return weights.all(zeroPoint, channels, call.parallel());
        }
        // nodes may share weights and not their zero points
        IntBuffer form = IntBuffer.wrap(QuantizedValues.integers(zeroPoint));
        return call.packed(WEIGHTS, form, () -> weights.all(zeroPoint, channels, call.parallel()));
    }
}
