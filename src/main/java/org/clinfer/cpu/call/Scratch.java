package org.clinfer.cpu.call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Arrays that operators use again and again, so that runs allocate next to nothing. Thread-safe. */
public final class Scratch {

    /** Elements of a kind that are kept at most. */
    private static final int KEPT = 1 << 24;

    private final Pool<float[]> floats = new Pool<>(array -> array.length);
    private final Pool<byte[]> bytes = new Pool<>(array -> array.length);
    private final Pool<float[][]> rows = new Pool<>(arrays -> (long) arrays.length * arrays[0].length);

    /** An array of at least {@code length} elements, which hold anything. */
    public float[] take(int length) {
        float[] found = floats.take(array -> array.length >= length);
        return found == null ? new float[length] : found;
    }

    /** Gives an array back; where there are too many, those that were not used for longest are forgotten. */
    public void give(float[] array) {
        floats.give(array);
    }

    /** An array of at least {@code length} bytes, which hold anything. */
    public byte[] takeBytes(int length) {
        byte[] found = bytes.take(array -> array.length >= length);
        return found == null ? new byte[length] : found;
    }

    /** Gives an array back, as {@link #give(float[])}. */
    public void give(byte[] array) {
        bytes.give(array);
    }

    /** At least {@code rows} arrays of at least {@code length} elements each, which hold anything. */
    public float[][] takeRows(int rows, int length) {
        float[][] found = this.rows.take(arrays -> arrays.length >= rows && arrays[0].length >= length);
        return found == null ? new float[Math.max(1, rows)][length] : found;
    }

    /** Gives arrays of one length back, as {@link #give(float[])}. */
    public void giveRows(float[][] arrays) {
        rows.give(arrays);
    }

    /** The number of arrays that were taken and not given back: 0 between runs, unless one of them failed. */
    public int lent() {
        return floats.lent() + bytes.lent() + rows.lent();
    }

    /** The idle arrays of one kind. */
    private static final class Pool<A> {
        private final ToLongFunction<A> size;
        private final List<A> idle = new ArrayList<>();
        private long kept;
        private int lent;

        Pool(ToLongFunction<A> size) {
            this.size = size;
        }

        /** The smallest one that fits, or null. */
        synchronized @Nullable A take(Predicate<A> fits) {
            lent++;
            int best = -1;
            for (int i = 0; i < idle.size(); i++) {
                A array = idle.get(i);
                if (fits.test(array) && (best < 0 || size.applyAsLong(array) < size.applyAsLong(idle.get(best)))) {
                    best = i;
                }
            }
            if (best < 0) {
                return null;
            }
            A found = idle.remove(best);
            kept -= size.applyAsLong(found);
            return found;
        }

        synchronized void give(A array) {
            lent--;
            idle.add(array);
            kept += size.applyAsLong(array);
            while (kept > KEPT) {
                kept -= size.applyAsLong(idle.remove(0));
            }
        }

        synchronized int lent() {
            return lent;
        }
    }
}
