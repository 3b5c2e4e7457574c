package org.clinfer.cpu.memory;

/** Transpositions of matrices of floats, four lines at a time, so that short lines pay as well. */
public final class Lines {

    private static final int FOUR = 4;

    private Lines() {}

    /** The matrix the other way round: {@code to[j * rows + i] = from[i * columns + j]}. */
    public static void transpose(float[] from, int rows, int columns, float[] to) {
        int i = 0;
        if (rows <= columns) {
            for (; i <= rows - FOUR; i += FOUR) {
                interleave(from, i * columns, columns, to, i, rows, columns);
            }
            for (; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    to[j * rows + i] = from[i * columns + j];
                }
            }
            return;
        }
        for (; i <= columns - FOUR; i += FOUR) {
            part(from, i, columns, to, i * rows, rows, rows);
        }
        for (; i < columns; i++) {
            for (int j = 0; j < rows; j++) {
                to[i * rows + j] = from[j * columns + i];
            }
        }
    }

    /** Four lines of {@code count} elements, {@code apart} in {@code from}, to groups of four, {@code pitch} apart. */
    public static void interleave(float[] from, int line, int apart, float[] to, int at, int pitch, int count) {
        int second = line + apart;
        int third = second + apart;
        int fourth = third + apart;
        for (int i = 0; i < count; i++) {
            int group = at + i * pitch;
            to[group] = from[line + i];
            to[group + 1] = from[second + i];
            to[group + 2] = from[third + i];
            to[group + 3] = from[fourth + i];
        }
    }

    /** Groups of four, {@code pitch} apart in {@code from}, to four lines of {@code count} elements, {@code apart}. */
    public static void part(float[] from, int at, int pitch, float[] to, int line, int apart, int count) {
        int second = line + apart;
        int third = second + apart;
        int fourth = third + apart;
        for (int i = 0; i < count; i++) {
            int group = at + i * pitch;
            to[line + i] = from[group];
            to[second + i] = from[group + 1];
            to[third + i] = from[group + 2];
            to[fourth + i] = from[group + 3];
        }
    }
}
