package org.clinfer.cpu.matrix;

import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.vector.StripShape;
import org.clinfer.cpu.vector.VectorKernels;

/** Rows of a left matrix as {@link VectorKernels#multiplyStrips} reads them: slice by slice of their terms. */
final class RowSlices {

    private final StripShape shape;
    private final int depth;
    private final int terms;
    private final int rows;
    private final float[] values;

    /**
     * Room for rows that hold anything.
     *
     * @param depth terms of a row
     * @param rows a multiple of those of a tile
     */
    RowSlices(StripShape shape, int depth, int rows, Scratch scratch) {
        this.shape = shape;
        this.depth = depth;
        this.terms = terms(shape, depth);
        this.rows = rows;
        int slices = Math.max(1, Rounding.ceilDiv(depth, terms));
        this.values = scratch.take(Math.multiplyExact(slices, Math.multiplyExact(rows, shape.pitch())));
    }

    /** {@return the terms of a slice, of which the last may have fewer} */
    static int terms(StripShape shape, int depth) {
        return Rounding.evenly(Math.max(1, depth), shape.terms());
    }

    float[] values() {
        return values;
    }

    /** The place of the first row in the slice from a term on. */
    int place(int term) {
        return term / terms * rows * shape.pitch();
    }

    /** Puts {@code count} rows that follow one another from row {@code row} on. */
    void put(float[] from, int count, int row) {
        for (int i = 0; i < count; i++) {
            for (int term = 0; term < depth; term += terms) {
                int to = place(term) + (row + i) * shape.pitch();
                System.arraycopy(from, i * depth + term, values, to, Math.min(terms, depth - term));
            }
        }
    }

    void give(Scratch scratch) {
        scratch.give(values);
    }
}
