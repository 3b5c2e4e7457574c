package org.clinfer.tensor;

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

    /** Whether the storage in bytes fits a long, as far as the dimensions are known. */
    public boolean fits() {
        Shape known = new Shape(shape.dims().stream().filter(Dim::isKnown).toList());
        try {
            return dtype.bytes(known.elements()) >= 0;
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
