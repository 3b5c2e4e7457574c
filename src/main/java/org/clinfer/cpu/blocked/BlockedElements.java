package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.elements.Activations;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Operators of blocked channels that change each element by itself, with an activation at the end. */
final class BlockedElements {

    private static final int PIXEL = BlockedView.LANES;

    private final @Nullable VectorFunctions functions;

    BlockedElements(CpuPath path) {
        VectorKernels kernels = path.kernels();
        this.functions = kernels == null ? null : kernels.functions();
    }

    /** A factor and a term for each channel. */
    void scale(CpuCall call) {
        Tensor factors = call.optionalInput(1);
        Tensor terms = call.optionalInput(2);
        if (factors == null && terms == null) {
            each(call, call.optionalInput(3), null, (values, other, added) -> {});
            return;
        }
        int blocks = Math.toIntExact(call.input(0).shape().size(1));
        ChannelValues scales = new ChannelValues(lanes(blocks, factors, 1), lanes(blocks, terms, 0));
        each(call, call.optionalInput(3), scales, (values, factor, term) -> {
            for (int i = 0; i < values.length; i++) {
                values[i] = values[i] * factor[i] + term[i];
            }
        });
    }

    /** A second tensor. */
    void binary(CpuCall call) {
        String operation = call.parameters().text("operation");
        Row row = switch (operation) {
            case "ADD" ->
                (values, other, added) -> {
                    for (int i = 0; i < values.length; i++) {
                        values[i] += other[i];
                    }
                };
            case "SUB" ->
                (values, other, added) -> {
                    for (int i = 0; i < values.length; i++) {
                        values[i] -= other[i];
                    }
                };
            case "MUL" ->
                (values, other, added) -> {
                    for (int i = 0; i < values.length; i++) {
                        values[i] *= other[i];
                    }
                };
            case "MAX" ->
                (values, other, added) -> {
                    for (int i = 0; i < values.length; i++) {
                        values[i] = Math.max(values[i], other[i]);
                    }
                };
            default -> throw new IllegalArgumentException("operation " + operation);
        };
        each(call, call.optionalInput(2), null, row);
    }

    /** One for each channel, 0 in lanes beyond; without a tensor the same in every lane. */
    private static float[] lanes(int blocks, @Nullable Tensor values, float otherwise) {
        return values == null
                ? filled(blocks, otherwise)
                : Arrays.copyOf(TensorValues.allFloats(values), blocks * PIXEL);
    }

    private static float[] filled(int blocks, float value) {
        float[] lanes = new float[blocks * PIXEL];
        Arrays.fill(lanes, value);
        return lanes;
    }

    /** Copies the first pixel of a row to all others. */
    private static void repeat(float[] row) {
        for (int filled = PIXEL; filled < row.length; filled *= 2) {
            System.arraycopy(row, 0, row, filled, Math.min(filled, row.length - filled));
        }
    }

    /** Factors and terms of all lanes of all blocks. */
    @SuppressWarnings("ArrayRecordComponent")
    private record ChannelValues(float[] factors, float[] terms) {

        /** Fills a row of factors and a row of terms with those of a block of channels, which begins with {@code channel}. */
        void fill(int channel, float[] factor, float[] term) {
            System.arraycopy(factors, channel, factor, 0, PIXEL);
            System.arraycopy(terms, channel, term, 0, PIXEL);
            repeat(factor);
            repeat(term);
        }
    }

    /** Changes a row of one block of channels, by that of the second input or by a row of factors and one of terms. */
    @FunctionalInterface
    private interface Row {
        void compute(float[] values, float[] other, float[] added);
    }

    private void each(CpuCall call, @Nullable Tensor slope, @Nullable ChannelValues scales, Row body) {
        Parameters parameters = call.parameters();
        Rows x = new Rows(call.input(0), call.floats(0), parameters.ints("crop"));
        Rows y = new Rows(call.output(), call.outputFloats(), parameters.ints("y_halo"));
        int[] size = parameters.ints("size");
        boolean hasOther = parameters.has("z_crop");
        Rows z = hasOther ? new Rows(call.input(1), call.floats(1), parameters.ints("z_crop")) : x;
        boolean isRepeated = hasOther && !Arrays.equals(parameters.ints("z_size"), size);
        Loops activation = Activations.after(parameters, functions);
        int blocks = x.view.blocks();
        float[] slopes = slope == null
                ? new float[0]
                : slope.elements() == 1 ? filled(blocks, (float) slope.getDouble(0)) : lanes(blocks, slope, 0);
        int count = size[1] * PIXEL;
        call.parallel().forRange(x.view.planes(), Chunks.grain((long) size[0] * count), (first, end) -> {
            float[] values = new float[count];
            float[] other = new float[hasOther || scales != null ? count : 0];
            float[] added = new float[scales != null ? count : 0];
            float[] zeros = new float[y.view.columns() * PIXEL];
            for (int plane = first; plane < end; plane++) {
                int channel = plane % blocks * PIXEL;
                if (isRepeated) {
                    z.read(plane, 0, other, PIXEL);
                    repeat(other);
                } else if (scales != null) {
                    scales.fill(channel, other, added);
                }
                for (int row = 0; row < size[0]; row++) {
                    x.read(plane, row, values, count);
                    if (hasOther && !isRepeated) {
                        z.read(plane, row, other, count);
                    }
                    body.compute(values, other, added);
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
