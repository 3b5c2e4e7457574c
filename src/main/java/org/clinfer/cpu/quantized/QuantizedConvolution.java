package org.clinfer.cpu.quantized;

import java.nio.IntBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.convolution.Codes;
import org.clinfer.cpu.convolution.ConvolutionFactors;
import org.clinfer.cpu.convolution.ConvolutionLayout;
import org.clinfer.cpu.convolution.IntegerConvolution;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;
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
        ConvolutionLayout layout = call.kept(ConvolutionLayout.class, () -> ConvolutionLayout.of(call.parameters()));
        int channels = layout.channels().out();
        Tensor zeroPoint = call.optionalInput(X_ZERO_POINT);
        int zero = zeroPoint == null ? 0 : (int) zeroPoint.getLong(0);
        DType dtype = call.input(0).dtype();
        Finish finish = Finish.of(call, channels, kernels);
        new IntegerConvolution(
                        factors(call, zero, channels),
                        new QuantizedValues(call.input(0), kernels).codes(zero),
                        weights(call),
                        layout,
                        (int) dtype.lowest() - zero,
                        (int) dtype.highest() - zero,
                        kernels)
                .run(finish::store, finish::store);
    }

    private ConvolutionFactors factors(CpuCall call, int zero, int channels) {
        QuantizedValues x = new QuantizedValues(call.input(0), kernels);
        QuantizedValues weights = new QuantizedValues(call.input(WEIGHTS), kernels);
        Tensor zeroPoint = call.optionalInput(W_ZERO_POINT);
        // nodes may share weights and not their zero points
        IntBuffer kind = IntBuffer.wrap(QuantizedValues.integers(zeroPoint));
        return new ConvolutionFactors(
                call,
                (from, to, at, count) -> x.read(from, count, zero, to, at),
                () -> weights.all(zeroPoint, channels, call.parallel()),
                kind);
    }

    /** The weights as they are, if they have one zero point. */
    private @Nullable Codes weights(CpuCall call) {
        int[] zeros = QuantizedValues.integers(call.optionalInput(W_ZERO_POINT));
        boolean isOne = Arrays.stream(zeros).distinct().count() <= 1;
        return isOne ? new QuantizedValues(call.input(WEIGHTS), kernels).codes(zeros.length == 0 ? 0 : zeros[0]) : null;
    }

    /** The end of the sums: a bias, and the steps of y. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Finish(
            int[] bias,
            int channels,
            Requantization requantization,
            TypedMemory y,
            @Nullable VectorKernels kernels) {

        /** Floats hold a sum below it, and its bias, rounded as the sum of both is where it is made a float. */
        private static final int EXACT = 1 << 24;

        static Finish of(CpuCall call, int channels, @Nullable VectorKernels kernels) {
            @Nullable
            Tensor[] scales = {
                call.optionalInput(X_SCALE), call.optionalInput(X_SCALE + 1), call.optionalInput(X_SCALE + 2)
            };
            return new Finish(
                    QuantizedValues.integers(call.optionalInput(BIAS)),
                    channels,
                    Requantization.of(call.output(), scales, call.optionalInput(Y_ZERO_POINT), Math.max(channels, 1)),
                    new TypedMemory(call.output()),
                    kernels);
        }

        void store(int[] sums, int at, Epilogue.Stretch stretch) {
            int channel = stretch.channel();
            for (int i = at; i < at + stretch.count() && bias.length > 0; i++) {
                sums[i] += bias[channel];
                if (stretch.isAlongChannels()) {
                    channel = channel + 1 == channels ? 0 : channel + 1;
                }
            }
            requantization.store(sums, at, y, stretch, kernels);
        }

        /** The same for sums of at most 2^24 in magnitude. */
        void store(float[] sums, int at, Epilogue.Stretch stretch) {
            int term = bias.length == 0 || stretch.isAlongChannels() ? 0 : bias[stretch.channel()];
            if (!stretch.isAlongChannels() && Math.abs((long) term) <= EXACT && requantization.isOfBytes()) {
                requantization.storeBytes(sums, at, term, y, stretch, kernels);
                return;
            }
            int[] exact = new int[stretch.count()];
            for (int i = 0; i < exact.length; i++) {
                exact[i] = (int) sums[at + i];
            }
            store(exact, 0, stretch);
        }
    }
}
