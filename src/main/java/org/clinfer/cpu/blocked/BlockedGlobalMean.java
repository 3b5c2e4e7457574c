package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;

/**
 * Means of all rows and columns of blocked channels, in explicit vectors: several sums of pixels side by side, short enough
 * for floats, which are added in double precision.
 */
final class BlockedGlobalMean {

    private static final int PIXEL = BlockedView.LANES;

    /** Sums side by side. */
    private static final int SUMS = 6;

    /** Terms of a sum at most. */
    private static final int TERMS = 64;

    private final BlockedKernels kernels;
    private final BlockedView x;
    private final int lines;
    private final int pixels;
    private final int channels;
    private final float[] ones = new float[TERMS * PIXEL];

    /** The places of the terms of sums of any number of terms. */
    private final int[][] offsets = new int[TERMS + 1][];

    private BlockedGlobalMean(CpuCall call, BlockedKernels kernels) {
        int[] size = call.parameters().ints("size");
        this.kernels = kernels;
        this.x = BlockedView.of(call.input(0), call.parameters().ints("crop"));
        this.channels = Math.toIntExact(call.parameters().integer("channels"));
        boolean isOneLine = x.columns() == size[1];
        this.lines = isOneLine ? 1 : size[0];
        this.pixels = isOneLine ? size[0] * size[1] : size[1];
        Arrays.fill(ones, 1);
        for (int terms = 0; terms <= TERMS; terms++) {
            offsets[terms] = new int[terms];
            Arrays.setAll(offsets[terms], term -> term * SUMS * PIXEL);
        }
    }

    static BlockedGlobalMean of(CpuCall call, BlockedKernels kernels) {
        return call.kept(BlockedGlobalMean.class, () -> new BlockedGlobalMean(call, kernels));
    }

    /** @param call of the parameters and types that this was made for */
    void run(CpuCall call) {
        FloatBuffer from = call.floats(0);
        FloatBuffer to = call.outputFloats();
        call.parallel().forRange(x.planes(), Chunks.grain((long) lines * pixels * PIXEL / 4), (first, end) -> {
            Scratch scratch = call.parallel().scratch();
            float[] copy = scratch.take(from.hasArray() ? 0 : pixels * PIXEL);
            float[] sums = scratch.take(SUMS * PIXEL);
            double[] total = new double[PIXEL];
            for (int plane = first; plane < end; plane++) {
                Arrays.fill(total, 0);
                for (int line = 0; line < lines; line++) {
                    int at = x.at(plane, line, 0);
                    if (from.hasArray()) {
                        add(from.array(), from.arrayOffset() + at, sums, total);
                    } else {
                        from.get(at, copy, 0, pixels * PIXEL);
                        add(copy, 0, sums, total);
                    }
                }
                put(total, sums, plane, to);
            }
            scratch.give(sums);
            scratch.give(copy);
        });
    }

    /** Adds the pixels of a line to a total. */
    private void add(float[] line, int at, float[] sums, double[] total) {
        int done = 0;
        while (done < pixels) {
            int terms = Math.min(TERMS, (pixels - done) / SUMS);
            int count = terms == 0 ? pixels - done : SUMS;
            terms = Math.max(1, terms);
            kernels.sumWindows(line, at + done * PIXEL, PIXEL, offsets[terms], ones, 0, sums, 0, count);
            for (int lane = 0; lane < PIXEL; lane++) {
                double sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += sums[i * PIXEL + lane];
                }
                total[lane] += sum;
            }
            done += terms * count;
        }
    }

    private void put(double[] total, float[] means, int plane, FloatBuffer to) {
        long cells = (long) lines * pixels;
        for (int lane = 0; lane < PIXEL; lane++) {
            means[lane] = (float) (total[lane] / cells);
        }
        int channel = plane % x.blocks() * PIXEL;
        to.put(plane / x.blocks() * channels + channel, means, 0, x.present(plane, channels));
    }
}
