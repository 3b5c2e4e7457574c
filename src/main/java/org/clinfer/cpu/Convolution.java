package org.clinfer.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Convolution of one to three spatial axes, grouped or not, channels first or last. */
final class Convolution implements CpuOperator {

    private static final int MAX_PLANE_MULTIPLIER = 4;
    private static final long MAX_PLANE_PHASES = 1 << 12;

    @Override
    public void run(CpuCall call) {
        ConvolutionLayout layout = ConvolutionLayout.of(call.parameters());
        DType dtype = call.output().dtype();
        if (dtype == DType.FLOAT64) {
            runDoubles(call, layout);
        } else if (dtype.isInteger()) {
            runLongs(call, layout);
        } else {
            runFloats(call, layout);
        }
    }

    private static void runFloats(CpuCall call, ConvolutionLayout layout) {
        Channels channels = layout.channels();
        Window window = layout.window();
        float[] x = TensorValues.allFloats(call.input(0));
        if (layout.dataLast()) {
            x = AxisSwap.swap(x, channels.batch, window.inElements(), channels.in);
        }
        Data data = new Data(x, startOf(call.optionalInput(2)), channels, window);
        float[] y;
        if (!layout.weightsLast() && channels.groups == 1 && data.columns() <= InnerProducts.MAX_ROWS) {
            y = fewColumns(data, TensorValues.of(call.input(1)), call.parallel());
        } else {
            y = compute(data, weights(call.input(1), layout), call.parallel());
        }
        if (layout.dataLast()) {
            y = AxisSwap.swap(y, channels.batch, channels.out, window.outElements());
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static float[] weights(Tensor tensor, ConvolutionLayout layout) {
        float[] weights = TensorValues.allFloats(tensor);
        if (layout.weightsLast()) {
            Channels channels = layout.channels();
            return AxisSwap.reverse(weights, layout.window().taps(), channels.inPerGroup(), channels.out);
        }
        return layout.multiplier() > 1 ? AxisSwap.gather(weights, layout.weights()) : weights;
    }

    private static float @Nullable [] startOf(@Nullable Tensor bias) {
        return bias == null ? null : TensorValues.allFloats(bias);
    }

    private static float[] compute(Data data, float[] weights, Parallel parallel) {
        Channels channels = data.channels;
        float[] y = new float[Math.multiplyExact(channels.batch * channels.out, data.window.outElements())];
        if (channels.inPerGroup() == 1
                && channels.outPerGroup() <= MAX_PLANE_MULTIPLIER
                && phases(data.window) <= MAX_PLANE_PHASES) {
            new DepthwisePlanes(data.window).run(data, weights, y, parallel);
            return y;
        }
        int depth = channels.inPerGroup() * data.window.taps();
        int positions = data.window.outElements();
        List<MatrixProduct.Part> parts = new ArrayList<>();
        for (int group = 0; group < channels.groups; group++) {
            int rows = channels.outPerGroup();
            int firstOut = group * rows;
            float[] start = data.start == null ? null : Arrays.copyOfRange(data.start, firstOut, firstOut + rows);
            parts.add(new MatrixProduct.Part(
                    MatrixProduct.Left.of(weights, firstOut * depth, rows, depth),
                    start,
                    data.columns(),
                    ColumnPanel.forward(data.x, channels.in, group * channels.inPerGroup(), data.window),
                    (row, column, columns, values) ->
                            store(values, new Stretch(firstOut + row, column, columns), channels.out, positions, y)));
        }
        MatrixProduct.run(parts, parallel);
        return y;
    }

    private static long phases(Window window) {
        int[] stride = window.stride();
        return Math.min((long) stride[0] * stride[1], MAX_PLANE_PHASES + 1) * stride[2];
    }

    private record Stretch(int channel, int column, int columns) {}

    private static void store(float[] values, Stretch stretch, int channels, int positions, float[] y) {
        int done = 0;
        while (done < stretch.columns) {
            int image = (stretch.column + done) / positions;
            int position = (stretch.column + done) % positions;
            int count = Math.min(positions - position, stretch.columns - done);
            System.arraycopy(values, done, y, (image * channels + stretch.channel) * positions + position, count);
            done += count;
        }
    }

    /** For few output positions, as of a fully connected layer: reads the weights once, in place. */
    private static float[] fewColumns(Data data, TensorValues weights, Parallel parallel) {
        Channels channels = data.channels;
        int depth = channels.in * data.window.taps();
        int columns = data.columns();
        ColumnPanel panel = ColumnPanel.forward(data.x, channels.in, 0, data.window);
        float[][] block = new float[MatrixProduct.DEPTH][columns];
        float[] left = new float[columns * depth];
        for (int from = 0; from < depth; from += MatrixProduct.DEPTH) {
            int count = Math.min(MatrixProduct.DEPTH, depth - from);
            panel.fill(block, new MatrixProduct.Block(from, count, 0, columns));
            for (int k = 0; k < count; k++) {
                for (int column = 0; column < columns; column++) {
                    left[column * depth + from + k] = block[k][column];
                }
            }
        }
        InnerProducts.Rows rows = new InnerProducts.Rows(left, 0, columns, depth);
        float[][] products = InnerProducts.of(rows, weights, 0, channels.out, parallel);
        int positions = data.window.outElements();
        float[] y = new float[columns * channels.out];
        for (int column = 0; column < columns; column++) {
            for (int channel = 0; channel < channels.out; channel++) {
                float start = data.start == null ? 0 : data.start[channel];
                y[(column / positions * channels.out + channel) * positions + column % positions] =
                        products[column][channel] + start;
            }
        }
        return y;
    }

    private static void runDoubles(CpuCall call, ConvolutionLayout layout) {
        Tensor bias = call.optionalInput(2);
        double[] y = new DoubleConvolution(
                        new PlainConvolution.Geometry(layout.channels(), layout.window(), false),
                        AxisSwap.gather(TensorValues.allDoubles(call.input(0)), layout.x()),
                        AxisSwap.gather(TensorValues.allDoubles(call.input(1)), layout.weights()),
                        bias == null ? new double[0] : TensorValues.allDoubles(bias))
                .compute(call.parallel());
        TensorValues.of(call.output()).writeAll(AxisSwap.gather(y, layout.y()), call.parallel());
    }

    private static void runLongs(CpuCall call, ConvolutionLayout layout) {
        long[] y = new LongConvolution(
                        new PlainConvolution.Geometry(layout.channels(), layout.window(), false),
                        AxisSwap.gather(LongValues.all(call.input(0)), layout.x()),
                        AxisSwap.gather(LongValues.all(call.input(1)), layout.weights()),
                        LongValues.all(call.optionalInput(2)))
                .compute(call.parallel());
        LongValues.writeAll(AxisSwap.gather(y, layout.y()), call.output(), call.parallel());
    }

    /** The channel counts of a convolution. */
    record Channels(int batch, int in, int out, int groups) {

        static Channels of(Parameters parameters) {
            return new Channels(
                    Math.toIntExact(parameters.integer("batch")),
                    Math.toIntExact(parameters.integer("in_channels")),
                    Math.toIntExact(parameters.integer("out_channels")),
                    Math.toIntExact(parameters.integer("groups")));
        }

        int inPerGroup() {
            return in / groups;
        }

        int outPerGroup() {
            return out / groups;
        }
    }

    /**
     * The input of one convolution, channels first.
     *
     * @param start bias by output channel
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Data(float[] x, float @Nullable [] start, Channels channels, Window window) {

        int columns() {
            return Math.multiplyExact(channels.batch, window.outElements());
        }
    }
}
