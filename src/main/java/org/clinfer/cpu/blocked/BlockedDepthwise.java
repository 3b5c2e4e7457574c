package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.graph.Parameters;

/** Convolution of blocked channels in explicit vectors, where each channel has a kernel of its own. */
final class BlockedDepthwise {

    private static final int PIXEL = BlockedView.LANES;

    /** Floats that a unit copies, roughly. */
    private static final int COPIED = 1 << 15;

    private final CpuCall call;
    private final BlockedKernels kernels;
    private final BlockedFinish finish;
    private final BlockedView x;
    private final FloatBuffer values;
    private final int[] size;
    private final int[] kernel;
    private final int[] strides;
    private final int[] dilations;

    BlockedDepthwise(CpuCall call, BlockedKernels kernels) {
        Parameters parameters = call.parameters();
        this.call = call;
        this.kernels = kernels;
        this.finish = new BlockedFinish(new BlockedFinish.Form(call, kernels), call);
        this.x = BlockedView.of(call.input(0), parameters.ints("crop"));
        this.values = call.floats(0);
        this.size = parameters.ints("conv_size");
        this.kernel = parameters.ints("kernel");
        this.strides = parameters.ints("strides");
        this.dilations = parameters.ints("dilations");
    }

    void run() {
        float[] weights = call.packed(1, "by lane", this::packed);
        int[] offsets = new int[kernel[0] * kernel[1]];
        for (int tap = 0; tap < offsets.length; tap++) {
            offsets[tap] = (tap / kernel[1] * dilations[0] * x.columns() + tap % kernel[1] * dilations[1]) * PIXEL;
        }
        int line = x.columns() * PIXEL * strides[0];
        int rows = Math.min(size[0], Math.max(1, COPIED / line));
        int bands = Rounding.ceilDiv(size[0], rows);
        int height = Rounding.ceilDiv(size[0], bands);
        long work = (long) height * size[1] * PIXEL * offsets.length;
        call.parallel().forRange(x.planes() * bands, Chunks.grain(work), (from, to) -> {
            Scratch scratch = call.parallel().scratch();
            int copied = (height - 1) * strides[0] + (kernel[0] - 1) * dilations[0] + 1;
            float[] copy = scratch.take(values.hasArray() ? 0 : copied * x.columns() * PIXEL);
            float[] sums = scratch.take(height * size[1] * PIXEL);
            for (int unit = from; unit < to; unit++) {
                int row = unit % bands * height;
                compute(unit / bands, row, Math.min(height, size[0] - row), weights, offsets, copy, sums);
            }
            scratch.give(sums);
            scratch.give(copy);
        });
    }

    private float[] packed() {
        float[] given = TensorValues.allFloats(call.input(1), call.parallel());
        int taps = kernel[0] * kernel[1];
        float[] packed = new float[x.blocks() * PIXEL * taps];
        for (int i = 0; i < given.length; i++) {
            int channel = i / taps;
            packed[(channel / PIXEL * taps + i % taps) * PIXEL + channel % PIXEL] = given[i];
        }
        return packed;
    }

    private void compute(int plane, int row, int rows, float[] weights, int[] offsets, float[] copy, float[] sums) {
        if (rows <= 0) {
            return;
        }
        int reach = (rows - 1) * strides[0] + (kernel[0] - 1) * dilations[0] + 1;
        int columns = (size[1] - 1) * strides[1] + (kernel[1] - 1) * dilations[1] + 1;
        int pitch = x.columns() * PIXEL;
        int first = x.at(plane, row * strides[0], 0);
        float[] from = copy;
        if (values.hasArray()) {
            from = values.array();
            first += values.arrayOffset();
        } else {
            values.get(first, copy, 0, (reach - 1) * pitch + columns * PIXEL);
            first = 0;
        }
        int weight = plane % x.blocks() * PIXEL * offsets.length;
        for (int i = 0; i < rows; i++) {
            int at = first + i * strides[0] * pitch;
            kernels.sumWindows(
                    from, at, strides[1] * PIXEL, offsets, weights, weight, sums, i * size[1] * PIXEL, size[1]);
        }
        finish.store(plane, row, rows, sums, 0);
    }
}
