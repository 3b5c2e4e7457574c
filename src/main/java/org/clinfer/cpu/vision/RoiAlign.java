package org.clinfer.cpu.vision;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Shape;

/** Means or maxima of interpolated samples of the windows of regions. */
final class RoiAlign implements CpuOperator {

    /** Samples of a region along one axis at most; what one far larger than any picture would need. */
    private static final int MOST_SAMPLES = 1 << 20;

    /** The samples of a region along one axis: the pixels below and above each, and how far it is beyond the first. */
    private static final class Samples {

        private final int each;
        private final int[] low;
        private final int[] high;
        private final double[] past;

        /** The samples of all windows; low is -1 for one that is outside. */
        Samples(double start, double length, int windows, int ratio, int size) {
            double window = length / windows;
            double wanted = ratio > 0 ? ratio : Math.ceil(window);
            if (wanted * windows > MOST_SAMPLES) {
                throw new DataException("a region needs " + wanted + " samples along one axis of a window");
            }
            each = (int) Math.max(wanted, 0);
            low = new int[windows * each];
            high = new int[low.length];
            past = new double[low.length];
            for (int i = 0; i < low.length; i++) {
                int own = i / each;
                double at = start + own * window + (i % each + 0.5) * window / each;
                if (!(at >= -1 && at <= size)) {
                    low[i] = -1;
                    continue;
                }
                double inside = Math.max(at, 0);
                low[i] = (int) Math.min(inside, size - 1);
                high[i] = Math.min(low[i] + 1, size - 1);
                past[i] = low[i] == high[i] ? 0 : inside - low[i];
            }
        }
    }

    @Override
    public void run(CpuCall call) {
        Shape shape = call.input(0).shape();
        Parameters params = call.parameters();
        int channels = Math.toIntExact(shape.size(1));
        int height = Math.toIntExact(shape.size(2));
        int width = Math.toIntExact(shape.size(3));
        int rows = Math.toIntExact(params.integer("output_height"));
        int columns = Math.toIntExact(params.integer("output_width"));
        int ratio = Math.toIntExact(params.integer("sampling_ratio"));
        double scale = params.real("spatial_scale");
        boolean half = params.text("coordinate_transformation_mode").equals("half_pixel");
        boolean largest = params.text("mode").equals("max");
        double[] x = TensorValues.allDoubles(call.input(0));
        double[] rois = TensorValues.allDoubles(call.input(1));
        long[] images = call.input(2).toLongArray();
        for (long image : images) {
            if (image < 0 || image >= shape.size(0)) {
                throw new DataException("there is no image " + image + ", only " + shape.size(0));
            }
        }
        int pooled = Math.multiplyExact(Math.multiplyExact(channels, rows), columns);
        TensorValues output = TensorValues.of(call.output());
        call.parallel().forRange(images.length, 1, (from, to) -> {
            double[] result = new double[pooled];
            for (int region = from; region < to; region++) {
                Samples across = samples(rois, region, 0, scale, half, columns, ratio, width);
                Samples down = samples(rois, region, 1, scale, half, rows, ratio, height);
                for (int i = 0; i < pooled; i++) {
                    int channel = i / (rows * columns);
                    int first = Math.toIntExact((images[region] * channels + channel) * height * width);
                    result[i] = window(x, first, width, down, i / columns % rows, across, i % columns, largest);
                }
                output.write(region * pooled, result, 0, pooled);
            }
        });
    }

    private static Samples samples(
            double[] rois, int region, int axis, double scale, boolean half, int windows, int ratio, int size) {
        double offset = half ? 0.5 : 0;
        double start = rois[region * 4 + axis] * scale - offset;
        double length = rois[region * 4 + 2 + axis] * scale - offset - start;
        return new Samples(start, half ? length : Math.max(length, 1), windows, ratio, size);
    }

    private static double window(
            double[] x, int first, int line, Samples down, int row, Samples across, int column, boolean largest) {
        double sum = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = row * down.each; i < (row + 1) * down.each; i++) {
            for (int j = column * across.each; j < (column + 1) * across.each; j++) {
                if (down.low[i] < 0 || across.low[j] < 0) {
                    most = Math.max(most, 0);
                    continue;
                }
                double below = down.past[i];
                double right = across.past[j];
                double a = (1 - below) * (1 - right) * x[first + down.low[i] * line + across.low[j]];
                double b = (1 - below) * right * x[first + down.low[i] * line + across.high[j]];
                double c = below * (1 - right) * x[first + down.high[i] * line + across.low[j]];
                double d = below * right * x[first + down.high[i] * line + across.high[j]];
                sum += a + b + c + d;
                most = Math.max(most, Math.max(Math.max(a, b), Math.max(c, d)));
            }
        }
        int count = down.each * across.each;
        return count == 0 ? 0 : largest ? most : sum / count;
    }
}
