package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;

/** Pools of blocked channels. */
final class BlockedPooling {

    private final BlockedView x;
    private final float[] values;
    private final int[] size;
    private final int[] kernel;
    private final int[] strides;
    private final int[] pads;
    private final boolean isMean;
    private final boolean countsPads;

    private BlockedPooling(CpuCall call) {
        Parameters parameters = call.parameters();
        this.x = BlockedView.of(call.input(0), parameters.ints("crop"));
        this.values = call.copiedFloats(0);
        this.size = parameters.ints("size");
        this.kernel = parameters.ints("kernel");
        this.strides = parameters.ints("strides");
        this.pads = parameters.ints("pads");
        this.isMean = parameters.text("kind").equals("AVERAGE");
        this.countsPads = parameters.flag("count_include_pad");
    }

    /** Maximum or mean over a window. */
    static void pool(CpuCall call) {
        BlockedPooling pooling = new BlockedPooling(call);
        BlockedView view = BlockedView.of(call.output(), call.parameters().ints("y_halo"));
        int[] out = call.parameters().ints("pool_size");
        float[] y = new float[Math.toIntExact(call.output().elements())];
        int grain = Chunks.grain((long) out[0] * out[1] * BlockedView.LANES);
        call.parallel().forRange(view.planes(), grain, (first, end) -> {
            double[] lanes = new double[BlockedView.LANES];
            for (int plane = first; plane < end; plane++) {
                for (int row = 0; row < out[0]; row++) {
                    for (int column = 0; column < out[1]; column++) {
                        pooling.window(plane, row, column, lanes);
                        put(lanes, y, view.at(plane, row, column), BlockedView.LANES);
                    }
                }
            }
        });
        call.outputFloats().put(0, y);
    }

    /** Mean of all rows and columns, as NCHW, in vectors where the path has them. */
    static CpuOperator globalMean(CpuPath path) {
        VectorKernels vectors = path.kernels();
        return vectors == null
                ? BlockedPooling::globalMean
                : call -> BlockedGlobalMean.of(call, vectors.blocked()).run(call);
    }

    private static void globalMean(CpuCall call) {
        BlockedView x = BlockedView.of(call.input(0), call.parameters().ints("crop"));
        FloatBuffer values = call.floats(0);
        FloatBuffer y = call.outputFloats();
        int[] size = call.parameters().ints("size");
        int channels = Math.toIntExact(call.parameters().integer("channels"));
        long cells = (long) size[0] * size[1];
        call.parallel().forRange(x.planes(), Chunks.grain(cells * BlockedView.LANES), (first, end) -> {
            double[] lanes = new double[BlockedView.LANES];
            float[] means = new float[BlockedView.LANES];
            float[] line = new float[size[1] * BlockedView.LANES];
            for (int plane = first; plane < end; plane++) {
                Arrays.fill(lanes, 0);
                for (int row = 0; row < size[0]; row++) {
                    values.get(x.at(plane, row, 0), line, 0, line.length);
                    for (int at = 0; at < line.length; at += BlockedView.LANES) {
                        add(line, at, lanes);
                    }
                }
                divide(lanes, cells);
                put(lanes, means, 0, BlockedView.LANES);
                int channel = plane % x.blocks() * BlockedView.LANES;
                y.put(plane / x.blocks() * channels + channel, means, 0, x.present(plane, channels));
            }
        });
    }

    private void window(int plane, int row, int column, double[] lanes) {
        int top = row * strides[0] - pads[0];
        int left = column * strides[1] - pads[1];
        int bottom = Math.min(top + kernel[0], size[0]);
        int right = Math.min(left + kernel[1], size[1]);
        Arrays.fill(lanes, isMean ? 0 : Double.NEGATIVE_INFINITY);
        for (int i = Math.max(top, 0); i < bottom; i++) {
            for (int j = Math.max(left, 0); j < right; j++) {
                int at = x.at(plane, i, j);
                if (isMean) {
                    add(values, at, lanes);
                } else {
                    for (int lane = 0; lane < lanes.length; lane++) {
                        lanes[lane] = Math.max(lanes[lane], values[at + lane]);
                    }
                }
            }
        }
        if (isMean) {
            divide(lanes, (long) cells(0, top) * cells(1, left));
        }
    }

    /** Rows or columns that a window beginning at {@code begin} counts. */
    private int cells(int axis, int begin) {
        int beyond = countsPads ? size[axis] + pads[2 + axis] : size[axis];
        return Math.min(begin + kernel[axis], beyond) - (countsPads ? begin : Math.max(begin, 0));
    }

    private static void add(float[] values, int at, double[] lanes) {
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] += values[at + lane];
        }
    }

    private static void divide(double[] lanes, long divisor) {
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] /= divisor;
        }
    }

    private static void put(double[] lanes, float[] y, int at, int count) {
        for (int lane = 0; lane < count; lane++) {
            y[at + lane] = (float) lanes[lane];
        }
    }
}
