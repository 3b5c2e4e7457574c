package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vision.ResizeAxis;
import org.clinfer.graph.Parameters;

/** Resampling of rows and columns of blocked channels. */
final class BlockedResizing {

    private static final int PIXEL = BlockedView.LANES;

    private final BlockedView x;
    private final FloatBuffer values;
    private final BlockedView y;
    private final FloatBuffer results;
    private final int[] size;
    private final int[] halo;
    private final ResizeAxis rows;
    private final ResizeAxis columns;

    private BlockedResizing(CpuCall call) {
        Parameters parameters = call.parameters();
        this.halo = parameters.ints("y_halo");
        this.x = BlockedView.of(call.input(0), parameters.ints("crop"));
        this.values = call.floats(0);
        this.y = BlockedView.of(call.output(), halo);
        this.results = call.outputFloats();
        this.size = parameters.ints("size");
        int[] resized = parameters.ints("resized");
        double[] scales = parameters.reals("scales");
        this.rows = ResizeAxis.of(new ResizeAxis.Extent(size[0], resized[0], scales[0], 0, 1), parameters);
        this.columns = ResizeAxis.of(new ResizeAxis.Extent(size[1], resized[1], scales[1], 0, 1), parameters);
    }

    static void run(CpuCall call) {
        BlockedResizing resizing = new BlockedResizing(call);
        int height = resizing.y.rows();
        int grain = Chunks.grain(4L * resizing.y.columns() * PIXEL);
        call.parallel().forRange(resizing.y.planes() * height, grain, (first, end) -> {
            float[] line = new float[resizing.size[1] * PIXEL];
            float[] added = new float[line.length];
            float[] out = new float[resizing.y.columns() * PIXEL];
            for (int row = first; row < end; row++) {
                resizing.row(row / height, row % height - resizing.halo[0], line, added, out);
            }
        });
    }

    /** A row of y with the margin beside it; one of the margin is all zeros. */
    private void row(int plane, int row, float[] line, float[] added, float[] out) {
        boolean isMargin = row < 0 || row >= rows.taps().length;
        if (isMargin) {
            Arrays.fill(out, 0);
        } else {
            blend(plane, rows.taps()[row], rows.weights()[row], line, added);
            for (int column = 0; column < columns.taps().length; column++) {
                pixel(line, columns.taps()[column], columns.weights()[column], out, (halo[1] + column) * PIXEL);
            }
        }
        results.put(y.at(plane, row, -halo[1]), out);
    }

    /** The weighted sum of rows of x. */
    private void blend(int plane, int[] taps, double[] weights, float[] line, float[] added) {
        values.get(x.at(plane, taps[0], 0), line);
        if (taps.length == 1) {
            return;
        }
        scale(line, (float) weights[0]);
        for (int tap = 1; tap < taps.length; tap++) {
            values.get(x.at(plane, taps[tap], 0), added);
            add(added, (float) weights[tap], line);
        }
    }

    private static void scale(float[] line, float weight) {
        for (int i = 0; i < line.length; i++) {
            line[i] *= weight;
        }
    }

    private static void add(float[] from, float weight, float[] line) {
        for (int i = 0; i < line.length; i++) {
            line[i] += weight * from[i];
        }
    }

    /** The weighted sum of pixels of a row. */
    private static void pixel(float[] line, int[] taps, double[] weights, float[] out, int at) {
        System.arraycopy(line, taps[0] * PIXEL, out, at, PIXEL);
        if (taps.length == 1) {
            return;
        }
        float first = (float) weights[0];
        for (int lane = 0; lane < PIXEL; lane++) {
            out[at + lane] *= first;
        }
        for (int tap = 1; tap < taps.length; tap++) {
            int from = taps[tap] * PIXEL;
            float weight = (float) weights[tap];
            for (int lane = 0; lane < PIXEL; lane++) {
                out[at + lane] += weight * line[from + lane];
            }
        }
    }
}
