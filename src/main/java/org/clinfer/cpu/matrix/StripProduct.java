package org.clinfer.cpu.matrix;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.VectorKernels;

/**
 * A product of several rows with a matrix in panels: rows are brought into strips, and each panel stays in the caches while
 * strips pass.
 */
final class StripProduct {

    /** Panels whose products go to a result together, at most. */
    private static final int PANELS = 4;

    /** Elements that are copied in some microseconds. */
    private static final int COPIED = 1 << 14;

    private final Panels panels;
    private final int depth;
    private final int columns;
    private final int width;
    private final PanelProduct.Left left;
    private final int rows;
    private final Parallel parallel;
    private final VectorKernels kernels;
    private final int height;
    private final int strips;

    /** Terms of a slice. */
    private final int slice;

    /**
     * Of a number of columns.
     *
     * @param most terms of a slice
     */
    StripProduct(
            Panels panels,
            int columns,
            PanelProduct.Left left,
            int rows,
            int most,
            Parallel parallel,
            VectorKernels kernels) {
        this.panels = panels;
        this.depth = panels.depth();
        this.columns = columns;
        this.width = panels.width();
        this.left = left;
        this.rows = rows;
        this.parallel = parallel;
        this.kernels = kernels;
        this.height = kernels.stripRows();
        this.strips = Rounding.ceilDiv(rows, height);
        this.slice = Rounding.ceilDiv(depth, Math.max(1, Rounding.ceilDiv(depth, most)));
    }

    /** @param sums room for so many of them */
    void run(IntFunction<StripSums> sums) {
        if (columns == 0) {
            return;
        }
        float[] a = parallel.scratch().take(Math.multiplyExact(strips * height, depth));
        pack(a);
        int held = evenly(strips, Math.max(1, panels.rows() / height));
        int groups = Rounding.ceilDiv(strips, held);
        int count = Rounding.ceilDiv(columns, width);
        int wide = evenly(count, PANELS);
        int grain = (int) Math.max(1, PanelProduct.GRAIN / Math.max(1, (long) held * height * depth * wide * width));
        parallel.forRange(Rounding.ceilDiv(count, wide) * groups, grain, (from, to) -> {
            float[] room = panels.room(slice, parallel.scratch());
            try (StripSums of = sums.apply(held * height * wide * width)) {
                for (int item = from; item < to; item++) {
                    int panel = item / groups * wide;
                    multiply(a, item % groups * held, held, panel, Math.min(wide, count - panel), room, of);
                }
            }
            parallel.scratch().give(room);
        });
        parallel.scratch().give(a);
    }

    /** Slice by slice of the depth, strip by strip. */
    private void pack(float[] a) {
        parallel.forRange(strips, Math.max(1, COPIED / Math.max(1, height * depth)), (from, to) -> {
            float[] read = parallel.scratch().take(height * depth);
            for (int strip = from; strip < to; strip++) {
                int count = Math.min(height, rows - strip * height);
                left.read(strip * height, count, read);
                Arrays.fill(read, count * depth, height * depth, 0);
                for (int term = 0; term < depth; term += slice) {
                    int terms = Math.min(slice, depth - term);
                    int at = height * (strips * term + strip * terms);
                    kernels.packStrip(read, term, depth, terms, a, at);
                }
            }
            parallel.scratch().give(read);
        });
    }

    /** Some strips by some panels that follow one another. */
    private void multiply(float[] a, int strip, int held, int panel, int wide, float[] room, StripSums sums) {
        int row = strip * height;
        int count = Math.min(held * height, rows - row);
        int pitch = wide * width;
        int term = 0;
        do {
            int terms = Math.min(slice, depth - term);
            int at = height * (strips * term + strip * terms);
            for (int i = 0; i < wide; i++) {
                Panels.Piece right = panels.piece(panel + i, term, terms, room);
                float[] into = sums.slice(term == 0);
                kernels.multiplyStrips(a, at, right.array(), right.at(), into, i * width, pitch, count, terms, true);
            }
            sums.add(count * pitch, term == 0);
            term += slice;
        } while (term < depth);
        int column = panel * width;
        for (int i = 0; i < count; i++) {
            sums.give(row + i, column, Math.min(pitch, columns - column), i * pitch);
        }
    }

    /** {@return how many of {@code count} go together, {@code most} at most, where all groups are about as large} */
    private static int evenly(int count, int most) {
        return Rounding.ceilDiv(count, Rounding.ceilDiv(count, most));
    }
}
