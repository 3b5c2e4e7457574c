package org.clinfer.cpu.memory;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The elements of a tensor as whole numbers in the same order; a NaN is larger than all numbers, -0 and 0 are equal. */
public final class OrderedKeys {

    private static final long INFINITY = key(Double.POSITIVE_INFINITY);

    private final long[] keys;
    private final boolean floating;

    public OrderedKeys(Tensor tensor) {
        floating = tensor.dtype().isFloating();
        keys = floating ? keys(TensorValues.allDoubles(tensor)) : tensor.toLongArray();
        if (tensor.dtype() == DType.UINT64) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] ^= Long.MIN_VALUE;
            }
        }
    }

    private static long[] keys(double[] values) {
        long[] keys = new long[values.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key(values[i]);
        }
        return keys;
    }

    /** The bits of numbers below 0 are in the opposite order. */
    private static long key(double value) {
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits ^ (bits >> (Long.SIZE - 1) & Long.MAX_VALUE);
    }

    public long at(int element) {
        return keys[element];
    }

    public boolean isNan(int element) {
        return floating && keys[element] > INFINITY;
    }

    /**
     * The indices of the first {@code count} of some elements in their order, equal ones as they follow one another.
     *
     * @param first the element at index 0
     * @param step elements from one index to the next
     * @param elements how many there are, {@code count} or more
     * @param descending whether the largest come first
     */
    public int[] first(int count, int first, int step, int elements, boolean descending) {
        Heap heap = new Heap(count, first, step, descending ? -1 : 0);
        for (int index = 0; index < elements; index++) {
            heap.offer(index);
        }
        return heap.sorted();
    }

    /** The indices that come first of all offered ones; the last of them is on top. */
    private final class Heap {
        private final int[] held;
        private final int first;
        private final int step;

        /** Turns the order around if it is -1. */
        private final long turned;

        private int size;

        Heap(int most, int first, int step, long turned) {
            this.held = new int[most];
            this.first = first;
            this.step = step;
            this.turned = turned;
        }

        private boolean isBefore(int a, int b) {
            long left = keys[first + a * step] ^ turned;
            long right = keys[first + b * step] ^ turned;
            return left < right || (left == right && a < b);
        }

        void offer(int index) {
            if (size < held.length) {
                held[size++] = index;
                if (size == held.length) {
                    for (int node = size / 2 - 1; node >= 0; node--) {
                        sink(node);
                    }
                }
            } else if (size > 0 && isBefore(index, held[0])) {
                held[0] = index;
                sink(0);
            }
        }

        private void sink(int from) {
            int index = held[from];
            int node = from;
            int child = 2 * node + 1;
            while (child < size) {
                if (child + 1 < size && isBefore(held[child], held[child + 1])) {
                    child++;
                }
                if (!isBefore(index, held[child])) {
                    break;
                }
                held[node] = held[child];
                node = child;
                child = 2 * node + 1;
            }
            held[node] = index;
        }

        int[] sorted() {
            while (size > 1) {
                size--;
                int last = held[size];
                held[size] = held[0];
                held[0] = last;
                sink(0);
            }
            return held;
        }
    }
}
