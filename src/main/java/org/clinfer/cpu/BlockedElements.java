package org.clinfer.cpu;

import java.util.Arrays;
import org.clinfer.cpu.MapOperator.Loops;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Operators of blocked channels that change each element by itself, with an activation at the end. */
final class BlockedElements {

    private BlockedElements() {}

    /** A factor and a term for each channel. */
    static void scale(CpuCall call) {
        Tensor scale = call.optionalInput(1);
        Tensor shift = call.optionalInput(2);
        float[] x = TensorValues.allFloats(call.input(0), call.parallel());
        int blocks = Math.toIntExact(call.input(0).shape().size(1));
        float[] factors = scale == null ? lanes(blocks, 1) : lanes(blocks, scale);
        float[] terms = shift == null ? lanes(blocks, 0) : lanes(blocks, shift);
        each(call, call.optionalInput(3), (pixel, other, block, row) -> {
            for (int lane = 0; lane < BlockedView.LANES; lane++) {
                int channel = block * BlockedView.LANES + lane;
                row[lane] = x[pixel + lane] * factors[channel] + terms[channel];
            }
        });
    }

    /** A second tensor. */
    static void binary(CpuCall call) {
        float[] x = TensorValues.allFloats(call.input(0), call.parallel());
        float[] z = TensorValues.allFloats(call.input(1), call.parallel());
        String operation = call.parameters().text("operation");
        each(call, call.optionalInput(2), (pixel, other, block, row) -> {
            for (int lane = 0; lane < BlockedView.LANES; lane++) {
                row[lane] = operate(operation, x[pixel + lane], z[other + lane]);
            }
        });
    }

    private static float operate(String operation, float a, float b) {
        return switch (operation) {
            case "ADD" -> a + b;
            case "SUB" -> a - b;
            case "MUL" -> a * b;
            case "MAX" -> Math.max(a, b);
            default -> throw new IllegalArgumentException("operation " + operation);
        };
    }

    /** The same in every lane. */
    private static float[] lanes(int blocks, float value) {
        float[] lanes = new float[blocks * BlockedView.LANES];
        Arrays.fill(lanes, value);
        return lanes;
    }

    /** One for each channel; 0 in lanes beyond. */
    private static float[] lanes(int blocks, Tensor values) {
        return Arrays.copyOf(TensorValues.allFloats(values), blocks * BlockedView.LANES);
    }

    /** Computes the lanes of a pixel: of x, which begins at {@code pixel}, and of the second input, at {@code other}. */
    @FunctionalInterface
    private interface Pixel {
        void compute(int pixel, int other, int block, float[] lanes);
    }

    private static void each(CpuCall call, @Nullable Tensor slope, Pixel body) {
        Parameters parameters = call.parameters();
        BlockedView from = BlockedView.of(call.input(0), parameters.ints("crop"));
        BlockedView to = BlockedView.of(call.output(), parameters.ints("y_halo"));
        int[] size = parameters.ints("size");
        boolean hasOther = parameters.has("z_crop");
        BlockedView other = hasOther ? BlockedView.of(call.input(1), parameters.ints("z_crop")) : from;
        int step = !hasOther || Arrays.equals(parameters.ints("z_size"), size) ? 1 : 0;
        Loops activation = Epilogue.activation(parameters);
        float[] slopes = slope == null
                ? new float[0]
                : slope.elements() == 1
                        ? lanes(from.blocks(), (float) slope.getDouble(0))
                        : lanes(from.blocks(), slope);
        float[] y = new float[Math.toIntExact(call.output().elements())];
        int grain = Chunks.grain((long) size[0] * size[1] * BlockedView.LANES);
        call.parallel().forRange(from.planes(), grain, (first, end) -> {
            float[] lanes = new float[BlockedView.LANES];
            for (int plane = first; plane < end; plane++) {
                int block = plane % from.blocks();
                for (int i = 0; i < size[0] * size[1]; i++) {
                    int row = i / size[1];
                    int column = i % size[1];
                    body.compute(from.at(plane, row, column), other.at(plane, row * step, column * step), block, lanes);
                    if (activation != null) {
                        activation.floats().run(lanes, 0, lanes.length);
                    }
                    if (slopes.length > 0) {
                        bend(lanes, slopes, block * BlockedView.LANES);
                    }
                    System.arraycopy(lanes, 0, y, to.at(plane, row, column), lanes.length);
                }
            }
        });
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static void bend(float[] lanes, float[] slopes, int channel) {
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] = lanes[lane] < 0 ? slopes[channel + lane] * lanes[lane] : lanes[lane];
        }
    }
}
