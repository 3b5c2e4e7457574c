package org.clinfer.cpu.call;

import java.util.ArrayList;
import java.util.List;

/** Arrays of floats that operators use again and again, so that runs allocate next to nothing. Thread-safe. */
public final class Scratch {

    /** Floats that are kept at most. */
    private static final int KEPT = 1 << 24;

    private final List<float[]> idle = new ArrayList<>();
    private final List<float[][]> idleRows = new ArrayList<>();
    private long kept;
    private long keptRows;

    /** An array of at least {@code length} elements, which hold anything. */
    public synchronized float[] take(int length) {
        int best = -1;
        for (int i = 0; i < idle.size(); i++) {
            int size = idle.get(i).length;
            if (size >= length && (best < 0 || size < idle.get(best).length)) {
                best = i;
            }
        }
        if (best < 0) {
            return new float[length];
        }
        float[] found = idle.remove(best);
        kept -= found.length;
        return found;
    }

    /** Gives an array back; where there are too many, those that were not used for longest are forgotten. */
    public synchronized void give(float[] array) {
        idle.add(array);
        kept += array.length;
        while (kept > KEPT) {
            kept -= idle.remove(0).length;
        }
    }

    /** At least {@code rows} arrays of at least {@code length} elements each, which hold anything. */
    public synchronized float[][] takeRows(int rows, int length) {
        int best = -1;
        for (int i = 0; i < idleRows.size(); i++) {
            float[][] held = idleRows.get(i);
            boolean fits = held.length >= rows && held[0].length >= length;
            if (fits && (best < 0 || floats(held) < floats(idleRows.get(best)))) {
                best = i;
            }
        }
        if (best < 0) {
            return new float[Math.max(1, rows)][length];
        }
        float[][] found = idleRows.remove(best);
        keptRows -= floats(found);
        return found;
    }

    /** Gives arrays of one length back, as {@link #give}. */
    public synchronized void giveRows(float[][] arrays) {
        idleRows.add(arrays);
        keptRows += floats(arrays);
        while (keptRows > KEPT) {
            keptRows -= floats(idleRows.remove(0));
        }
    }

    private static long floats(float[][] arrays) {
        return (long) arrays.length * arrays[0].length;
    }
}
