package org.clinfer.cpu.convolution;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Shape;
import org.jspecify.annotations.Nullable;

/** A convolution whose taps are interpolated at positions that are given for each. */
final class DeformableConvolution implements CpuOperator {

    @Override
    public void run(CpuCall call) {
        Shape shape = call.input(0).shape();
        Shape kernel = call.input(1).shape();
        Shape out = call.output().shape();
        int channels = Math.toIntExact(shape.size(1));
        int height = Math.toIntExact(shape.size(2));
        int width = Math.toIntExact(shape.size(3));
        int outputs = Math.toIntExact(out.size(1));
        int rows = Math.toIntExact(out.size(2));
        int columns = Math.toIntExact(out.size(3));
        Parameters params = call.parameters();
        int offsetGroups = Math.toIntExact(params.integer("offset_group"));
        int[] strides = params.ints("strides");
        int[] pads = params.ints("pads");
        int[] dilations = params.ints("dilations");
        int taps = Math.toIntExact(params.integer("taps"));
        int across = Math.toIntExact(kernel.size(3));
        int inGroup = Math.toIntExact(kernel.size(1));
        int outGroup = outputs / Math.toIntExact(params.integer("group"));
        double[] x = TensorValues.allDoubles(call.input(0));
        double[] weights = TensorValues.allDoubles(call.input(1));
        double[] offsets = TensorValues.allDoubles(call.input(2));
        double @Nullable [] bias = call.optionalInput(3) == null ? null : TensorValues.allDoubles(call.input(3));
        double @Nullable [] mask = call.optionalInput(4) == null ? null : TensorValues.allDoubles(call.input(4));
        int positions = rows * columns;
        double[] y = new double[Math.toIntExact(call.output().elements())];
        int batch = Math.toIntExact(shape.size(0));
        int grain = Chunks.grain((long) channels * taps * 4);
        call.parallel().forRange(Math.multiplyExact(batch, positions), grain, (from, to) -> {
            double[] patch = new double[channels * taps];
            for (int i = from; i < to; i++) {
                int image = i / positions;
                int position = i % positions;
                for (int channel = 0; channel < channels; channel++) {
                    int group = image * offsetGroups + channel / (channels / offsetGroups);
                    int first = (image * channels + channel) * height * width;
                    for (int tap = 0; tap < taps; tap++) {
                        int at = (group * taps + tap) * 2 * positions + position;
                        long down = (long) (position / columns) * strides[0] + (long) (tap / across) * dilations[0];
                        long right = (long) (position % columns) * strides[1] + (long) (tap % across) * dilations[1];
                        double row = down - pads[0] + offsets[at];
                        double column = right - pads[1] + offsets[at + positions];
                        double weight = mask == null ? 1 : mask[(group * taps + tap) * positions + position];
                        patch[channel * taps + tap] = weight * sample(x, first, height, width, row, column);
                    }
                }
                for (int o = 0; o < outputs; o++) {
                    int own = o / outGroup * inGroup * taps;
                    double sum = bias == null ? 0 : bias[o];
                    for (int k = 0; k < inGroup * taps; k++) {
                        sum += weights[o * inGroup * taps + k] * patch[own + k];
                    }
                    y[(image * outputs + o) * positions + position] = sum;
                }
            }
        });
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** Between the four pixels around; those outside are 0. */
    private static double sample(double[] x, int first, int height, int width, double row, double column) {
        if (!(row > -1 && row < height && column > -1 && column < width)) {
            return 0;
        }
        int top = (int) Math.floor(row);
        int left = (int) Math.floor(column);
        double below = row - top;
        double right = column - left;
        return (1 - below) * (1 - right) * pixel(x, first, height, width, top, left)
                + (1 - below) * right * pixel(x, first, height, width, top, left + 1)
                + below * (1 - right) * pixel(x, first, height, width, top + 1, left)
                + below * right * pixel(x, first, height, width, top + 1, left + 1);
    }

    private static double pixel(double[] x, int first, int height, int width, int row, int column) {
        boolean inside = row >= 0 && row < height && column >= 0 && column < width;
        return inside ? x[first + row * width + column] : 0;
    }
}
