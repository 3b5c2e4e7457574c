package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;

/**
 * Maximum or mean over windows of blocked channels, in explicit vectors; what parameters and types decide, for any number
 * of runs.
 */
final class BlockedPool implements CpuOperator {

    /*
     * A maximum is that of rows first, which are read where they lie, and then that of columns. What lies beside x is only in
     * the line between.
     */
    private static final int PIXEL = BlockedView.LANES;

    /** Floats that a unit copies, roughly. */
    private static final int COPIED = 1 << 15;

    private final BlockedKernels kernels;
    private final BlockedView x;
    private final BlockedView y;
    private final int[] size;
    private final int[] result;
    private final int[] halo;
    private final int[] kernel;
    private final int[] strides;
    private final int[] pads;
    private final boolean isMean;
    private final boolean countsPads;
    private final int columns;
    private final float[] ones;
    private final float[] zeros;
    private final int[] offsets;

    /** Rows of the result of a unit, at most. */
    private final int height;

    private BlockedPool(CpuCall call, BlockedKernels kernels) {
        Parameters parameters = call.parameters();
        this.kernels = kernels;
        this.halo = parameters.ints("y_halo");
        this.x = BlockedView.of(call.input(0), parameters.ints("crop"));
        this.y = BlockedView.of(call.output(), halo);
        this.size = parameters.ints("size");
        this.result = parameters.ints("pool_size");
        this.kernel = parameters.ints("kernel");
        this.strides = parameters.ints("strides");
        this.pads = parameters.ints("pads");
        this.isMean = parameters.text("kind").equals("AVERAGE");
        this.countsPads = parameters.flag("count_include_pad");
        this.columns = (result[1] - 1) * strides[1] + kernel[1];
        this.ones = new float[kernel[0] * kernel[1] * PIXEL];
        Arrays.fill(ones, 1);
        this.zeros = new float[y.columns() * PIXEL];
        this.offsets = new int[kernel[0] * kernel[1]];
        for (int tap = 0; tap < offsets.length; tap++) {
            offsets[tap] = (tap / kernel[1] * columns + tap % kernel[1]) * PIXEL;
        }
        this.height = Math.min(result[0], Math.max(1, COPIED / (columns * PIXEL * strides[0])));
    }

    /** In vectors where the path has them. */
    static CpuOperator of(CpuPath path) {
        VectorKernels vectors = path.kernels();
        return vectors == null
                ? BlockedPooling::pool
                : call -> call.kept(BlockedPool.class, () -> new BlockedPool(call, vectors.blocked()))
                        .run(call);
    }

    /** @param call of the parameters and types that this was made for */
    @Override
    public void run(CpuCall call) {
        FloatBuffer from = call.floats(0);
        FloatBuffer to = call.outputFloats();
        int bands = Rounding.ceilDiv(result[0], height);
        long work = (long) height * columns * PIXEL * kernel[0];
        call.parallel().forRange(x.planes() * bands, Chunks.grain(work), (first, end) -> {
            Scratch scratch = call.parallel().scratch();
            float[] copy = scratch.take((isMean ? (height - 1) * strides[0] + kernel[0] : kernel[0]) * columns * PIXEL);
            float[] between = scratch.take(columns * PIXEL);
            float[] line = scratch.take(result[1] * PIXEL);
            Arrays.fill(between, 0, columns * PIXEL, Float.NEGATIVE_INFINITY);
            for (int unit = first; unit < end; unit++) {
                int row = unit % bands * height;
                compute(from, to, unit / bands, row, Math.min(height, result[0] - row), copy, between, line);
            }
            scratch.give(between);
            scratch.give(line);
            scratch.give(copy);
        });
    }

    private void compute(
            FloatBuffer from,
            FloatBuffer to,
            int plane,
            int row,
            int rows,
            float[] copy,
            float[] between,
            float[] line) {
        if (isMean) {
            read(from, plane, row * strides[0] - pads[0], (rows - 1) * strides[0] + kernel[0], copy);
        }
        if (row == 0) {
            clear(to, plane, -halo[0], halo[0]);
        }
        for (int i = 0; i < rows; i++) {
            if (isMean) {
                int at = i * strides[0] * columns * PIXEL;
                kernels.sumWindows(copy, at, strides[1] * PIXEL, offsets, ones, 0, line, 0, result[1]);
                divide(row + i, line);
            } else {
                maximum(from, plane, (row + i) * strides[0] - pads[0], copy, between, line);
            }
            int start = y.at(plane, row + i, 0);
            to.put(start - halo[1] * PIXEL, zeros, 0, halo[1] * PIXEL);
            to.put(start, line, 0, result[1] * PIXEL);
            to.put(start + result[1] * PIXEL, zeros, 0, halo[3] * PIXEL);
        }
        if (row + rows == result[0]) {
            clear(to, plane, result[0], halo[2]);
        }
    }

    /**
     * The maxima of the windows of one row of the result.
     *
     * @param top row of x
     * @param between negative infinity beside what is written here
     */
    private void maximum(FloatBuffer from, int plane, int top, float[] copy, float[] between, float[] line) {
        int first = Math.max(0, top);
        int rows = Math.min(size[0], top + kernel[0]) - first;
        int pixels = Math.min(size[1], columns - pads[1]);
        float[] values = copy;
        int at = 0;
        int pitch = pixels * PIXEL;
        if (from.hasArray()) {
            values = from.array();
            at = from.arrayOffset() + x.at(plane, first, 0);
            pitch = x.columns() * PIXEL;
        } else {
            for (int i = 0; i < rows; i++) {
                from.get(x.at(plane, first + i, 0), copy, i * pitch, pitch);
            }
        }
        kernels.maxWindows(values, at, PIXEL, pitch, rows, between, pads[1] * PIXEL, pixels);
        kernels.maxWindows(between, 0, strides[1] * PIXEL, PIXEL, kernel[1], line, 0, result[1]);
    }

    private void clear(FloatBuffer to, int plane, int row, int rows) {
        for (int i = 0; i < rows; i++) {
            to.put(y.at(plane, row + i, -halo[1]), zeros, 0, zeros.length);
        }
    }

    /** Copies rows with what lies beside them: zeros. */
    private void read(FloatBuffer from, int plane, int top, int rows, float[] copy) {
        int line = columns * PIXEL;
        int left = pads[1] * PIXEL;
        int count = Math.min(size[1] * PIXEL, line - left);
        for (int i = 0; i < rows; i++) {
            boolean isInside = top + i >= 0 && top + i < size[0];
            int filled = isInside ? left : line;
            Arrays.fill(copy, i * line, i * line + filled, 0);
            if (isInside) {
                from.get(x.at(plane, top + i, 0), copy, i * line + left, count);
                Arrays.fill(copy, i * line + left + count, (i + 1) * line, 0);
            }
        }
    }

    private void divide(int row, float[] line) {
        int rows = cells(0, row * strides[0] - pads[0]);
        for (int column = 0; column < result[1]; column++) {
            float cells = rows * cells(1, column * strides[1] - pads[1]);
            for (int lane = column * PIXEL; lane < (column + 1) * PIXEL; lane++) {
                line[lane] /= cells;
            }
        }
    }

    /** Rows or columns that a window beginning at {@code begin} counts. */
    private int cells(int axis, int begin) {
        int beyond = countsPads ? size[axis] + pads[2 + axis] : size[axis];
        return Math.min(begin + kernel[axis], beyond) - (countsPads ? begin : Math.max(begin, 0));
    }
}
