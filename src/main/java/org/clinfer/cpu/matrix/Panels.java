package org.clinfer.cpu.matrix;

import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.vector.VectorKernels;

/** A matrix in panels of columns, one after the other, each {@link #depth} rows of {@link #width} columns; beyond the last column 0. */
public sealed interface Panels {

    int depth();

    int width();

    /** Some rows of a panel, from {@code array[at]} on. */
    @SuppressWarnings("ArrayRecordComponent")
    record Piece(float[] array, int at) {}

    /** Room for {@link #piece}, to be given back. */
    float[] room(int terms, Scratch scratch);

    /** {@code terms} rows of a panel from row {@code term} on. */
    Piece piece(int panel, int term, int terms, float[] room);

    /** Numbers that lie as they are multiplied. */
    @SuppressWarnings("ArrayRecordComponent")
    record OfFloats(float[] panels, int depth, int width) implements Panels {

        @Override
        public float[] room(int terms, Scratch scratch) {
            return scratch.take(0);
        }

        @Override
        public Piece piece(int panel, int term, int terms, float[] room) {
            return new Piece(panels, (panel * depth + term) * width);
        }
    }

    /**
     * Integers of 8 bits with one zero point.
     *
     * @param mask what an int has to be combined with that a byte was extended to: 255 for unsigned ones, -1 for others
     */
    @SuppressWarnings("ArrayRecordComponent")
    record OfBytes(byte[] panels, int mask, int zero, int depth, VectorKernels kernels) implements Panels {

        @Override
        public int width() {
            return VectorKernels.PANEL;
        }

        @Override
        public float[] room(int terms, Scratch scratch) {
            return scratch.take(terms * width());
        }

        @Override
        public Piece piece(int panel, int term, int terms, float[] room) {
            kernels.integers(panels, (panel * depth + term) * width(), terms * width(), mask, zero, room, 0);
            return new Piece(room, 0);
        }
    }
}
