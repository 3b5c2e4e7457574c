package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.elements.Activations;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Operators of blocked channels that change each element by itself, with an activation at the end. */
final class BlockedElements {

    private static final int PIXEL = BlockedView.LANES;

    private BlockedElements() {}

    /** A factor and a term for each channel. */
    static void scale(CpuCall call) {
        Tensor scale = call.optionalInput(1);
        Tensor shift = call.optionalInput(2);
        int blocks = Math.toIntExact(call.input(0).shape().size(1));
        float[] factors = scale == null ? lanes(blocks, 1) : lanes(blocks, scale);
        float[] terms = shift == null ? lanes(blocks, 0) : lanes(blocks, shift);
        boolean isPlain = scale == null && shift == null;
        each(call, call.optionalInput(3), (values, other, count, channel) -> {
            if (!isPlain) {
                for (int at = 0; at < count; at += PIXEL) {
                    for (int lane = 0; lane < PIXEL; lane++) {
                        values[at + lane] = values[at + lane] * factors[channel + lane] + terms[channel + lane];
                    }
                }
            }
        });
    }

    /** A second tensor. */
    static void binary(CpuCall call) {
        String operation = call.parameters().text("operation");
        Row row = switch (operation) {
            case "ADD" ->
                (values, other, count, channel) -> {
                    for (int i = 0; i < count; i++) {
                        values[i] += other[i];
                    }
                };
            case "SUB" ->
                (values, other, count, channel) -> {
                    for (int i = 0; i < count; i++) {
                        values[i] -= other[i];
                    }
                };
            case "MUL" ->
                (values, other, count, channel) -> {
                    for (int i = 0; i < count; i++) {
                        values[i] *= other[i];
                    }
                };
            case "MAX" ->
                (values, other, count, channel) -> {
                    for (int i = 0; i < count; i++) {
                        values[i] = Math.max(values[i], other[i]);
                    }
                };
            default -> throw new IllegalArgumentException("operation " + operation);
        };
        each(call, call.optionalInput(2), row);
    }

    /** The same in every lane. */
    private static float[] lanes(int blocks, float value) {
        float[] lanes = new float[blocks * PIXEL];
        Arrays.fill(lanes, value);
        return lanes;
    }

    /** One for each channel; 0 in lanes beyond. */
    private static float[] lanes(int blocks, Tensor values) {
        return Arrays.copyOf(TensorValues.allFloats(values), blocks * PIXEL);
    }

    /** Changes a row of one block of channels, which begins with {@code channel}, by that of the second input. */
    @FunctionalInterface
    private interface Row {
        void compute(float[] values, float[] other, int count, int channel);
    }

    private static void each(CpuCall call, @Nullable Tensor slope, Row body) {
        Parameters parameters = call.parameters();
        Rows x = new Rows(call.input(0), call.floats(0), parameters.ints("crop"));
        Rows y = new Rows(call.output(), call.outputFloats(), parameters.ints("y_halo"));
        int[] size = parameters.ints("size");
        boolean hasOther = parameters.has("z_crop");
        Rows z = hasOther ? new Rows(call.input(1), call.floats(1), parameters.ints("z_crop")) : x;
        boolean isRepeated = hasOther && !Arrays.equals(parameters.ints("z_size"), size);
        Loops activation = Activations.after(parameters, null);
        int blocks = x.view.blocks();
        float[] slopes = slope == null
                ? new float[0]
                : slope.elements() == 1 ? lanes(blocks, (float) slope.getDouble(0)) : lanes(blocks, slope);
        int count = size[1] * PIXEL;
        call.parallel().forRange(x.view.planes(), Chunks.grain((long) size[0] * count), (first, end) -> {
            float[] values = new float[count];
            float[] other = new float[hasOther ? count : 0];
            float[] zeros = new float[y.view.columns() * PIXEL];
            for (int plane = first; plane < end; plane++) {
                int channel = plane % blocks * PIXEL;
                if (isRepeated) {
                    z.read(plane, 0, other, PIXEL);
                    for (int i = PIXEL; i < count; i++) {
                        other[i] = other[i - PIXEL];
                    }
                }
                for (int row = 0; row < size[0]; row++) {
                    x.read(plane, row, values, count);
                    if (hasOther && !isRepeated) {
                        z.read(plane, row, other, count);
                    }
                    body.compute(values, other, count, channel);
                    if (activation != null) {
                        activation.floats().run(values, 0, count);
                    }
                    if (slopes.length > 0) {
                        bend(values, slopes, channel);
                    }
                    y.write(plane, row, values, zeros);
                }
                y.clear(plane, size[0], zeros);
            }
        });
    }

    private static void bend(float[] values, float[] slopes, int channel) {
        for (int i = 0; i < values.length; i++) {
            values[i] = values[i] < 0 ? slopes[channel + i % PIXEL] * values[i] : values[i];
        }
    }

    /** The rows of a tensor with a margin. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Rows(BlockedView view, FloatBuffer elements, int[] margin) {

        Rows(Tensor tensor, FloatBuffer elements, int[] margin) {
            this(BlockedView.of(tensor, margin), elements, margin);
        }

        void read(int plane, int row, float[] into, int count) {
            elements.get(view.at(plane, row, 0), into, 0, count);
        }

        /** Writes a row with zeros beside it. */
        void write(int plane, int row, float[] values, float[] zeros) {
            int at = view.at(plane, row, 0);
            elements.put(at - margin[1] * PIXEL, zeros, 0, margin[1] * PIXEL);
            elements.put(at, values, 0, values.length);
            elements.put(at + values.length, zeros, 0, margin[3] * PIXEL);
        }

        /** Writes the margins above and below. */
        void clear(int plane, int rows, float[] zeros) {
            for (int row = 0; row < margin[0]; row++) {
                elements.put(view.at(plane, row - margin[0], -margin[1]), zeros, 0, zeros.length);
            }
            for (int row = 0; row < margin[2]; row++) {
                elements.put(view.at(plane, rows + row, -margin[1]), zeros, 0, zeros.length);
            }
        }
    }
}
