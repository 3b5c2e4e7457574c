package org.clinfer.cpu.memory;

/** Values for the elements of an output, taken in row-major order. */
public interface Source {

    /** Loads what belongs to output elements {@code from … from + count - 1} to the start of {@code to}. */
    void load(int from, int count, float[] to);

    void load(int from, int count, double[] to);

    void load(int from, int count, long[] to);
}
