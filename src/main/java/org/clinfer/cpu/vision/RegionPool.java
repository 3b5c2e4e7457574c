package org.clinfer.cpu.vision;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Pools over windows that regions of pictures are divided into. Where windows begin and end is computed in float32. */
final class RegionPool implements CpuOperator {

    private static final int ROW = 5;
    /** So long is a side of a position-sensitive region at least. */
    private static final float LEAST_SIDE = 0.1f;

    private final boolean positional;

    /** @param positional means of channels of their own for each window; otherwise maxima */
    RegionPool(boolean positional) {
        this.positional = positional;
    }

    /** The begins and ends of the windows of a region along one axis. */
    private static final class Windows {

        private final int[] begins;
        private final int[] ends;

        Windows(int count) {
            begins = new int[count];
            ends = new int[count];
        }
    }

    @Override
    public void run(CpuCall call) {
        Tensor x = call.input(0);
        double[] values = TensorValues.allDoubles(x);
        double[] rois = TensorValues.allDoubles(call.input(1));
        Shape shape = call.output().shape();
        int channels = (int) shape.size(1);
        int rows = (int) shape.size(2);
        int columns = (int) shape.size(3);
        int pooled = Math.multiplyExact(Math.multiplyExact(channels, rows), columns);
        TensorValues output = TensorValues.of(call.output());
        call.parallel().forRange((int) shape.size(0), 1, (from, to) -> {
            double[] result = new double[pooled];
            for (int region = from; region < to; region++) {
                Windows down = windows(
                        call.parameters(), rois, region, 1, (int) x.shape().size(2), rows);
                Windows across = windows(
                        call.parameters(), rois, region, 0, (int) x.shape().size(3), columns);
                double image = rois[region * ROW];
                boolean there = image >= 0 && image < x.shape().size(0) && image == Math.rint(image);
                for (int i = 0; i < pooled; i++) {
                    int channel = positional ? i : i / (rows * columns);
                    long plane = there ? ((long) image) * x.shape().size(1) + channel : -1;
                    result[i] = pool(values, x.shape(), plane, down, i / columns % rows, across, i % columns);
                }
                output.write(region * pooled, result, 0, pooled);
            }
        });
    }

    /** The windows along an axis: 0 from left to right, 1 from top to bottom. */
    private Windows windows(Parameters params, double[] rois, int region, int axis, int size, int count) {
        float scale = (float) params.real("spatial_scale");
        float first = (float) rois[region * ROW + 1 + axis];
        float last = (float) rois[region * ROW + 3 + axis];
        float start = positional ? rounded(first) * scale : rounded(first * scale);
        float length = positional
                ? Math.max((rounded(last) + 1) * scale - start, LEAST_SIDE)
                : Math.max(rounded(last * scale) - start + 1, 1);
        float step = length / count;
        Windows windows = new Windows(count);
        for (int i = 0; i < count; i++) {
            float begin = positional ? (float) Math.floor(i * step + start) : (float) Math.floor(i * step) + start;
            float end =
                    positional ? (float) Math.ceil((i + 1) * step + start) : (float) Math.ceil((i + 1) * step) + start;
            windows.begins[i] = (int) Math.min(Math.max(begin, 0), size);
            windows.ends[i] = (int) Math.min(Math.max(end, 0), size);
        }
        return windows;
    }

    /** Halves are rounded away from 0. */
    private static float rounded(float value) {
        return Math.copySign((float) Math.floor(Math.abs((double) value) + 0.5), value);
    }

    private double pool(double[] x, Shape shape, long plane, Windows down, int row, Windows across, int column) {
        int height = down.ends[row] - down.begins[row];
        int width = across.ends[column] - across.begins[column];
        if (plane < 0 || height <= 0 || width <= 0) {
            return 0;
        }
        int line = (int) shape.size(3);
        int first = Math.toIntExact(plane * shape.size(2) * line);
        double sum = 0;
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = down.begins[row]; i < down.ends[row]; i++) {
            for (int j = across.begins[column]; j < across.ends[column]; j++) {
                double value = x[first + i * line + j];
                sum += value;
                largest = Math.max(largest, value);
            }
        }
        return positional ? sum / ((double) height * width) : largest;
    }
}
