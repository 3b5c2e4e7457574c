package org.clinfer.conformance;

import java.util.Arrays;

/** Lists of numbers, one per axis. */
final class Indices {

    private Indices() {}

    static long[] from(long[] list, int first) {
        return Arrays.copyOfRange(list, first, list.length);
    }

    static long[] join(long first, long second, long[] rest) {
        long[] joined = new long[rest.length + 2];
        joined[0] = first;
        joined[1] = second;
        System.arraycopy(rest, 0, joined, 2, rest.length);
        return joined;
    }

    static long[] filled(int length, long value) {
        long[] list = new long[length];
        Arrays.fill(list, value);
        return list;
    }

    /** A copy of {@code list} with another number at one place. */
    static long[] with(long[] list, int place, long value) {
        long[] copy = list.clone();
        copy[place] = value;
        return copy;
    }

    /** {@code list} without one place. */
    static long[] without(long[] list, int place) {
        long[] copy = new long[list.length - 1];
        System.arraycopy(list, 0, copy, 0, place);
        System.arraycopy(list, place + 1, copy, place, copy.length - place);
        return copy;
    }

    /** {@code list} with one more number at a place. */
    static long[] inserted(long[] list, int place, long value) {
        long[] copy = new long[list.length + 1];
        System.arraycopy(list, 0, copy, 0, place);
        copy[place] = value;
        System.arraycopy(list, place, copy, place + 1, list.length - place);
        return copy;
    }

    /** Every index of a shape in row-major order. */
    static long[][] all(long... dims) {
        long[][] all = new long[Math.toIntExact(Array.elements(dims))][];
        for (int i = 0; i < all.length; i++) {
            long rest = i;
            all[i] = new long[dims.length];
            for (int axis = dims.length - 1; axis >= 0; axis--) {
                all[i][axis] = rest % dims[axis];
                rest /= dims[axis];
            }
        }
        return all;
    }

    /** The array with axis {@code from} moved to place {@code to}. */
    static Array moved(Array array, int from, int to) {
        long[] dims = inserted(without(array.dims(), from), to, array.dim(from));
        return Array.of(dims, at -> array.at(inserted(without(at, to), from, at[to])));
    }

    /** The shape that numpy's broadcasting gives. */
    static long[] broadcast(long[] a, long[] b) {
        long[] dims = new long[Math.max(a.length, b.length)];
        for (int i = 1; i <= dims.length; i++) {
            long left = i <= a.length ? a[a.length - i] : 1;
            long right = i <= b.length ? b[b.length - i] : 1;
            dims[dims.length - i] = left == 1 ? right : left;
        }
        return dims;
    }
}
