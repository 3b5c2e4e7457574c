package org.clinfer.tensor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Element type and shape of a tensor, before there is data.
 *
 * @param dtype of the elements
 * @param shape with dimensions that may be named or unknown
 */
public record TensorType(DType dtype, Shape shape) {

    /**
     * {@return the type of tensors of known sizes}
     *
     * @param dtype the type of the elements
     * @param sizes the shape; none for a scalar
     */
    public static TensorType of(DType dtype, long... sizes) {
        return new TensorType(dtype, Shape.of(sizes));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TensorType type && type.dtype == dtype && type.shape.equals(shape);
    }

    @Override
    public int hashCode() {
        return 31 * shape.hashCode() + dtype.hashCode();
    }

    /**
     * {@return the storage in bytes of a known type}
     *
     * @throws ArithmeticException if the size does not fit a long
     * @throws IllegalStateException if a dimension is only named
     */
    public long bytes() {
        return dtype.bytes(shape.elements());
    }

    /**
     * {@return whether sizes can be computed with: the storage in bytes fits a long, and where a dimension is 0 the
     * others have a product below 2^31} Only the known dimensions count.
     */
    public boolean fits() {
        List<Dim> known = new ArrayList<>();
        List<Dim> filled = new ArrayList<>();
        for (Dim dim : shape.dims()) {
            if (dim instanceof Dim.Known size) {
                known.add(dim);
                if (size.size() != 0) {
                    filled.add(dim);
                }
            }
        }
        try {
            long bytes = dtype.bytes(new Shape(filled).elements());
            return filled.size() == known.size() || bytes < 1L << 31;
        } catch (ArithmeticException overflow) {
            return false;
        }
    }

    /** {@code 1x3x224x224:float32}. */
    @Override
    public String toString() {
        return shape + ":" + dtype;
    }
}
