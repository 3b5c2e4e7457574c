package org.clinfer.cpu;

import java.util.ArrayList;
import java.util.List;

/** Float arrays that operators use again and again, so that runs allocate next to nothing. Thread-safe. */
final class Scratch {

    /** Floats that are kept at most. */
    private static final int KEPT = 1 << 24;

    private final List<float[]> idle = new ArrayList<>();
    private long kept;

    /** An array of at least {@code length} elements, which hold anything. */
    synchronized float[] take(int length) {
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
    synchronized void give(float[] array) {
        idle.add(array);
        kept += array.length;
        while (kept > KEPT) {
            kept -= idle.remove(0).length;
        }
    }
}
