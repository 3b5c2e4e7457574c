package org.clinfer.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The dimensions of a tensor, outermost first; a scalar has none. Dimensions may be named instead of known.
 *
 * @param dims outermost first
 */
public record Shape(List<Dim> dims) {

    /** The shape without dimensions, of one element. */
    public static final Shape SCALAR = new Shape(List.of());

    public Shape {
        dims = List.copyOf(dims);
    }

    /**
     * {@return a shape of known sizes}
     *
     * @param sizes each at least 0
     */
    public static Shape of(long... sizes) {
        Dim[] dims = new Dim[sizes.length];
        Arrays.setAll(dims, axis -> Dim.of(sizes[axis]));
        return new Shape(List.of(dims));
    }

    /**
     * {@return a shape of known sizes}
     *
     * @param sizes each at least 0
     */
    public static Shape of(List<Long> sizes) {
        return new Shape(sizes.stream().map(Dim::of).toList());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Shape shape && shape.dims.equals(dims);
    }

    @Override
    public int hashCode() {
        return dims.hashCode();
    }

    /** {@return the number of dimensions} */
    public int rank() {
        return dims.size();
    }

    /**
     * {@return a dimension}
     *
     * @param axis counted from 0
     */
    public Dim dim(int axis) {
        return dims.get(axis);
    }

    /** {@return whether all sizes are known} */
    public boolean isKnown() {
        for (Dim dim : dims) {
            if (!dim.isKnown()) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return the sizes of a known shape}
     *
     * @throws IllegalStateException if a dimension is only named
     */
    public long[] sizes() {
        long[] sizes = new long[dims.size()];
        for (int axis = 0; axis < sizes.length; axis++) {
            sizes[axis] = size(axis);
        }
        return sizes;
    }

    /**
     * {@return the size along {@code axis}}
     *
     * @param axis counted from 0
     * @throws IllegalStateException if the dimension is only named
     */
    public long size(int axis) {
        if (dims.get(axis) instanceof Dim.Known known) {
            return known.size();
        }
        throw new IllegalStateException("dimension " + axis + " of shape " + this + " is not known");
    }

    /**
     * {@return the number of elements of a known shape; 1 for a scalar}
     *
     * @throws ArithmeticException if the product does not fit a long
     */
    public long elements() {
        long product = 1;
        boolean empty = false;
        for (int axis = 0; axis < dims.size(); axis++) {
            long size = size(axis);
            if (size == 0) {
                empty = true;
            } else {
                product = multiply(product, size);
            }
        }
        return empty ? 0 : product;
    }

    private long multiply(long product, long size) {
        long high = Math.multiplyHigh(product, size);
        long low = product * size;
        if (high != 0 || low < 0) {
            throw new ArithmeticException("the element count of shape " + this + " overflows 64 bits");
        }
        return low;
    }

    /** {@code 1x3x224x224}, {@code batchx10}, or {@code scalar}. */
    @Override
    public String toString() {
        return dims.isEmpty() ? "scalar" : dims.stream().map(Dim::toString).collect(Collectors.joining("x"));
    }
}
