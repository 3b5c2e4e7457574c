package org.clinfer.conformance;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** A row-major array of doubles, and of which type it is where that matters; immutable by agreement. */
final class Array {

    private final long[] dims;
    private final double[] values;
    private final @Nullable DType type;
    private final boolean wrapped;

    Array(long[] dims, double[] values) {
        this(dims, values, null, false);
    }

    private Array(long[] dims, double[] values, @Nullable DType type, boolean wrapped) {
        if (elements(dims) != values.length) {
            throw new IllegalArgumentException(Arrays.toString(dims) + " does not have " + values.length + " elements");
        }
        this.dims = dims.clone();
        this.values = values;
        this.type = type;
        this.wrapped = wrapped;
    }

    /** The array whose element at each index is what {@code function} gives for it. */
    static Array of(long[] dims, ToDoubleFunction<long[]> function) {
        double[] values = new double[Math.toIntExact(elements(dims))];
        long[] index = new long[dims.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = function.applyAsDouble(index.clone());
            for (int axis = dims.length - 1; axis >= 0; axis--) {
                index[axis]++;
                if (index[axis] < dims[axis]) {
                    break;
                }
                index[axis] = 0;
            }
        }
        return new Array(dims, values);
    }

    /** Number of elements of a shape. */
    static long elements(long... dims) {
        return Arrays.stream(dims).reduce(1, Math::multiplyExact);
    }

    /** This array with elements of another type; the elements are rounded when the harness stores them. */
    Array as(DType other) {
        return new Array(dims, values, other, wrapped);
    }

    /**
     * This array with only the low bits of integers, where these are whole numbers.
     *
     * @param otherwise the type of an array that has none of its own
     */
    Array wrapped(DType otherwise) {
        DType integer = type().orElse(otherwise);
        if (!integer.isInteger()) {
            return this;
        }
        double[] kept = Arrays.stream(values)
                .map(value ->
                        wraps(value, integer) ? TestRuns.wrapped(integer, new BigDecimal(value).toBigInteger()) : value)
                .toArray();
        return new Array(dims, kept, type, true);
    }

    /** {@return whether the low bits of what is below 0 stand for it where there is no sign} */
    boolean isWrapped() {
        return wrapped;
    }

    /** Of uint64 a double does not hold the low bits. */
    private static boolean wraps(double value, DType integer) {
        return value == Math.rint(value) && !Double.isInfinite(value) && integer != DType.UINT64;
    }

    /** The type of an input; of an output only where it is not the type of the case. */
    Optional<DType> type() {
        return Optional.ofNullable(type);
    }

    long[] dims() {
        return dims.clone();
    }

    int rank() {
        return dims.length;
    }

    /** The size of an axis; negative ones count from the end. */
    long dim(int axis) {
        return dims[axis < 0 ? axis + dims.length : axis];
    }

    int elements() {
        return values.length;
    }

    double[] values() {
        return values.clone();
    }

    /** The element at a position in row-major order. */
    double flat(long position) {
        return values[Math.toIntExact(position)];
    }

    /** The element at an index, one number per axis. */
    double at(long... index) {
        return values[position(index)];
    }

    /** The place of an index in row-major order. */
    int position(long... index) {
        if (index.length != dims.length) {
            throw new IllegalArgumentException(Arrays.toString(index) + " in " + Arrays.toString(dims));
        }
        long position = 0;
        for (int axis = 0; axis < dims.length; axis++) {
            if (index[axis] < 0 || index[axis] >= dims[axis]) {
                throw new IndexOutOfBoundsException(Arrays.toString(index) + " in " + Arrays.toString(dims));
            }
            position = position * dims[axis] + index[axis];
        }
        return Math.toIntExact(position);
    }

    /** The element that numpy's broadcasting puts at an index of a larger shape. */
    double broadcastAt(long... index) {
        long[] own = new long[dims.length];
        for (int axis = 0; axis < dims.length; axis++) {
            own[axis] = dims[axis] == 1 ? 0 : index[index.length - dims.length + axis];
        }
        return at(own);
    }

    /** The same elements in another shape. */
    Array reshaped(long... other) {
        return new Array(other, values, type, wrapped);
    }
}
