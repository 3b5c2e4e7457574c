package org.clinfer.tensor;

import java.util.List;

/** Element type and shape of a tensor, before there is data. */
public record TensorType(DType dtype, Shape shape) {

    public static TensorType of(DType dtype, long... sizes) {
        return new TensorType(dtype, Shape.of(sizes));
    }

    /**
     * Storage in bytes of a known type.
     *
     * @throws ArithmeticException if the size does not fit a long
     * @throws IllegalStateException if a dimension is only named
     */
    public long bytes() {
        return dtype.bytes(shape.elements());
    }

    /**
     * Whether sizes can be computed with: the storage in bytes fits a long, and where a dimension is 0 the others have a
     * product below 2^31. Only the known dimensions count.
     */
    public boolean fits() {
        List<Dim> known = shape.dims().stream().filter(Dim::isKnown).toList();
        List<Dim> filled = known.stream().filter(dim -> !dim.equals(Dim.of(0))).toList();
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
