package org.clinfer.cpu.matrix;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.VectorKernels;

/** A product of several rows with a matrix in panels. */
final class StripProduct {

    /*
     * A unit is some rows by some panels. The depth is cut into slices: those of a panel stay in the first cache level while
     * the rows pass, and those of the rows in the second. Each thread brings the rows of its units into slices by itself and
     * keeps them for the next one: where all threads did that for one another first, they waited for each other and then
     * fetched the rows from each other's caches.
     */

    /** Rows of a unit at most: a panel is read from the caches further out once for each unit. */
    private static final int ROWS = 130;

    /** Panels of a unit at most. */
    private static final int PANELS = 3;

    /** Floats of a unit's rows that stay in the second cache level with its sums; beyond, each panel is read from end to end. */
    private static final int MOST_HELD = 1 << 18;

    /** Units for each thread: with few of them, a thread takes the rows that it made itself in the product before. */
    private static final int UNITS = 2;

    private final Panels panels;
    private final int depth;
    private final int columns;
    private final int width;
    private final PanelProduct.Left left;
    private final int rows;
    private final Parallel parallel;
    private final VectorKernels kernels;

    /** Terms of a slice. */
    private final int slice;

    /** Rows of a unit. */
    private final int held;

    /** Panels of a unit. */
    private final int wide;

    /** Units beside one another. */
    private final int across;

    /** Of a number of columns. */
    StripProduct(
            Panels panels, int columns, PanelProduct.Left left, int rows, Parallel parallel, VectorKernels kernels) {
        this.panels = panels;
        this.depth = panels.depth();
        this.columns = columns;
        this.width = panels.width();
        this.left = left;
        this.rows = rows;
        this.parallel = parallel;
        this.kernels = kernels;
        this.slice = RowSlices.terms(kernels.strips(), depth);
        int height = kernels.strips().rows();
        int strips = Rounding.ceilDiv(rows, height);
        int count = Math.max(1, Rounding.ceilDiv(columns, width));
        int wanted = UNITS * parallel.threads();
        boolean isDeep = (long) Math.min(ROWS, rows) * depth > MOST_HELD;
        int most = isDeep ? 1 : Math.min(PANELS, Math.max(1, count * strips / wanted));
        this.wide = Rounding.evenly(count, most);
        this.across = Rounding.ceilDiv(count, wide);
        int tall = Math.min(ROWS / height, Math.max(1, strips * across / wanted));
        this.held = height * Rounding.evenly(strips, tall);
    }

    /** @param sums room for so many of them */
    void run(IntFunction<StripSums> sums) {
        if (columns == 0) {
            return;
        }
        long products = (long) held * depth * wide * width;
        int grain = (int) Math.max(1, PanelProduct.GRAIN / Math.max(1, products));
        Queue<UnitRows> idle = new ConcurrentLinkedQueue<>();
        parallel.forRange(Rounding.ceilDiv(rows, held) * across, grain, (from, to) -> {
            UnitRows found = idle.poll();
            UnitRows of = found == null ? new UnitRows() : found;
            float[] room = panels.room(slice, parallel.scratch());
            try (StripSums into = sums.apply(held * wide * width)) {
                for (int unit = from; unit < to; unit++) {
                    of.bring(unit / across * held);
                    multiply(of, unit % across * wide, room, into);
                }
            }
            parallel.scratch().give(room);
            idle.add(of);
        });
        idle.forEach(of -> of.slices.give(parallel.scratch()));
    }

    /** Some rows by some panels. */
    private void multiply(UnitRows of, int panel, float[] room, StripSums sums) {
        int wanted = Math.min(wide, Rounding.ceilDiv(columns, width) - panel);
        int pitch = wide * width;
        RowSlices a = of.slices;
        int term = 0;
        do {
            int terms = Math.min(slice, depth - term);
            boolean isNew = term == 0 || !sums.isRunning();
            for (int i = 0; i < wanted; i++) {
                Panels.Piece b = panels.piece(panel + i, term, terms, room);
                kernels.multiplyStrips(
                        a.values(),
                        a.place(term),
                        b.array(),
                        b.at(),
                        sums.slice(),
                        i * width,
                        pitch,
                        of.count,
                        terms,
                        isNew);
            }
            sums.add(of.count * pitch, term == 0);
            term += slice;
        } while (term < depth);
        int column = panel * width;
        for (int i = 0; i < of.count; i++) {
            sums.give(of.first + i, column, Math.min(pitch, columns - column), i * pitch);
        }
    }

    /** The rows of a unit, brought into slices. */
    private final class UnitRows {
        private final RowSlices slices = new RowSlices(kernels.strips(), depth, held, parallel.scratch());
        private int first = -1;
        private int count;

        void bring(int begin) {
            if (first == begin) {
                return;
            }
            first = begin;
            count = Math.min(held, rows - begin);
            int height = kernels.strips().rows();
            float[] read = parallel.scratch().take(height * depth);
            for (int row = 0; row < count; row += height) {
                int found = Math.min(height, count - row);
                left.read(begin + row, found, read);
                Arrays.fill(read, found * depth, height * depth, 0);
                slices.put(read, height, row);
            }
            parallel.scratch().give(read);
        }
    }
}
