package org.clinfer.cpu.elements;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** The epilogue of a convolution: bias, residual and activation, applied where a stretch of y is stored. */
public abstract class Epilogue {

    private static final int BIAS = 2;
    private static final int RESIDUAL = 3;
    private static final int SLOPE = 4;

    private final TypedMemory y;
    private final @Nullable TypedMemory residual;
    private final boolean isResidualLast;
    final @Nullable Loops activation;

    /**
     * Elements of y: {@code element}, {@code element + step} …
     *
     * @param channel output channel of the first
     * @param isAlongChannels whether each is of the next channel, after the last of the first; else all are of one
     */
    public record Stretch(int element, int step, int count, int channel, boolean isAlongChannels) {}

    /**
     * The destination of sums.
     *
     * @param <A> an array of sums
     */
    @FunctionalInterface
    public interface Store<A> {
        /** Finishes and stores the sums from {@code sums[at]} on, which may be overwritten. */
        void store(A sums, int at, Stretch stretch);
    }

    private Epilogue(CpuCall call, @Nullable VectorFunctions vectors) {
        this.y = new TypedMemory(call.output());
        Tensor added = call.optionalInput(RESIDUAL);
        this.residual = added == null ? null : new TypedMemory(added);
        this.isResidualLast = call.parameters().text("residual_add").equals("AFTER");
        this.activation = Activations.after(call.parameters(), vectors);
    }

    /**
     * The coefficient of the channel of sum {@code i}: there is one for all, or one for each. Without any it is not asked
     * for, but HotSpot may divide before it looks whether it has to.
     */
    private static int coefficient(int coefficients, Stretch stretch, int i) {
        int channel = stretch.isAlongChannels ? stretch.channel + i : stretch.channel;
        return channel % Math.max(1, coefficients);
    }

    /** In float arithmetic, for float32 and the 16-bit floats. */
    public static final class OfFloats extends Epilogue implements Store<float[]> {
        private final @Nullable VectorFunctions vectors;
        private final float[] bias;
        private final float[] slope;

        public OfFloats(CpuCall call, @Nullable VectorKernels kernels) {
            super(call, kernels == null ? null : kernels.functions());
            this.vectors = kernels == null ? null : kernels.functions();
            boolean isAlongChannels = call.parameters().text("data_format").equals("NXC");
            float[] biases = all(call.optionalInput(BIAS));
            float[] slopes = all(call.optionalInput(SLOPE));
            this.bias = isAlongChannels ? repeated(biases) : biases;
            this.slope = isAlongChannels ? repeated(slopes) : slopes;
        }

        /** One after the other as often as short rows may need them. */
        private static float[] repeated(float[] coefficients) {
            int length = coefficients.length;
            int times = Rounding.ceilDiv(Chunks.SIZE, Math.max(1, length));
            float[] repeated = new float[length * times];
            for (int i = 0; i < times; i++) {
                System.arraycopy(coefficients, 0, repeated, i * length, length);
            }
            return repeated;
        }

        private static float[] all(@Nullable Tensor tensor) {
            return tensor == null ? new float[0] : TensorValues.allFloats(tensor);
        }

        @Override
        public void store(float[] sums, int at, Stretch stretch) {
            addBias(sums, at, stretch);
            if (!super.isResidualLast) {
                addResidual(sums, at, stretch);
            }
            if (activation != null) {
                activation.floats().run(sums, at, at + stretch.count);
            }
            if (slope.length > 0) {
                weighNegative(sums, at, stretch);
            }
            if (super.isResidualLast) {
                addResidual(sums, at, stretch);
            }
            super.y.store(stretch.element, stretch.step, stretch.count, sums, at);
        }

        private void addBias(float[] sums, int at, Stretch stretch) {
            if (bias.length == 0) {
                return;
            }
            if (!stretch.isAlongChannels) {
                float term = bias[stretch.channel];
                for (int i = at; i < at + stretch.count; i++) {
                    sums[i] += term;
                }
            } else if (stretch.channel + stretch.count <= bias.length) {
                add(sums, at, bias, stretch.channel, stretch.count);
            } else {
                int channel = stretch.channel;
                for (int i = at; i < at + stretch.count; i++) {
                    sums[i] += bias[channel];
                    channel = channel + 1 == bias.length ? 0 : channel + 1;
                }
            }
        }

        private void weighNegative(float[] sums, int at, Stretch stretch) {
            if (!stretch.isAlongChannels) {
                float factor = slope[stretch.channel % slope.length];
                for (int i = at; i < at + stretch.count; i++) {
                    sums[i] = sums[i] < 0 ? factor * sums[i] : sums[i];
                }
                return;
            }
            int channel = stretch.channel % slope.length;
            for (int i = at; i < at + stretch.count; i++) {
                sums[i] = sums[i] < 0 ? slope[channel] * sums[i] : sums[i];
                channel = channel + 1 == slope.length ? 0 : channel + 1;
            }
        }

        private void addResidual(float[] sums, int at, Stretch stretch) {
            TypedMemory residual = super.residual;
            if (residual == null) {
                return;
            }
            float[] added = new float[stretch.count];
            residual.load(stretch.element, stretch.step, stretch.count, added, 0);
            add(sums, at, added, 0, added.length);
        }

        private void add(float[] sums, int at, float[] values, int from, int count) {
            if (vectors != null) {
                vectors.add(sums, at, values, from, count);
            } else if (at == 0 && from == 0) {
                RowKernels.add(sums, values, count);
            } else {
                for (int i = 0; i < count; i++) {
                    sums[at + i] += values[from + i];
                }
            }
        }
    }

    /** In double arithmetic, for float64. */
    public static final class OfDoubles extends Epilogue {
        private final double[] bias;
        private final double[] slope;

        public OfDoubles(CpuCall call) {
            super(call, null);
            this.bias = all(call.optionalInput(BIAS));
            this.slope = all(call.optionalInput(SLOPE));
        }

        private static double[] all(@Nullable Tensor tensor) {
            return tensor == null ? new double[0] : TensorValues.allDoubles(tensor);
        }

        /** Finishes and stores the sums from {@code sums[0]} on, which are overwritten. */
        public void store(double[] sums, Stretch stretch) {
            TypedMemory residual = super.residual;
            double[] added = new double[stretch.count];
            if (residual != null) {
                residual.load(stretch.element, stretch.step, stretch.count, added, 0);
            }
            for (int i = 0; i < stretch.count; i++) {
                double start = bias.length == 0 ? 0 : bias[coefficient(bias.length, stretch, i)];
                sums[i] = super.isResidualLast
                        ? activated(sums[i] + start, stretch, i) + added[i]
                        : activated(sums[i] + start + added[i], stretch, i);
            }
            super.y.store(stretch.element, stretch.step, stretch.count, sums, 0);
        }

        private double activated(double sum, Stretch stretch, int i) {
            if (slope.length > 0) {
                return sum < 0 ? slope[coefficient(slope.length, stretch, i)] * sum : sum;
            }
            return activation == null ? sum : activation.doubles().applyAsDouble(sum);
        }
    }

    /** In 64-bit integers, for all integers: an activation is rounded half to even, and what is stored saturates. */
    public static final class OfLongs extends Epilogue {
        private final long[] bias;
        private final long[] slope;

        public OfLongs(CpuCall call) {
            super(call, null);
            this.bias = LongValues.all(call.optionalInput(BIAS));
            this.slope = LongValues.all(call.optionalInput(SLOPE));
        }

        /** Finishes and stores the sums from {@code sums[0]} on, which are overwritten. */
        public void store(long[] sums, Stretch stretch) {
            TypedMemory residual = super.residual;
            long[] added = new long[stretch.count];
            if (residual != null) {
                residual.load(stretch.element, stretch.step, stretch.count, added, 0);
            }
            for (int i = 0; i < stretch.count; i++) {
                long start = bias.length == 0 ? 0 : bias[coefficient(bias.length, stretch, i)];
                sums[i] = super.isResidualLast
                        ? activated(sums[i] + start, stretch, i) + added[i]
                        : activated(sums[i] + start + added[i], stretch, i);
            }
            super.y.store(stretch.element, stretch.step, stretch.count, sums, 0);
        }

        private long activated(long sum, Stretch stretch, int i) {
            if (slope.length > 0) {
                return sum < 0 ? slope[coefficient(slope.length, stretch, i)] * sum : sum;
            }
            return activation == null ? sum : activation.longs().applyAsLong(sum);
        }
    }
}
