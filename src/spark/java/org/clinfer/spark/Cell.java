package org.clinfer.spark;

import java.util.Arrays;
import org.clinfer.tensor.Tensor;

/**
 * The elements that one row has for one input.
 *
 * @param elements an array of Java's numbers or booleans, or a tensor of the input's own type
 * @param sizes the shape that they come in, without the batch; none for a single element
 */
@SuppressWarnings("ArrayRecordComponent")
record Cell(Object elements, long[] sizes) {

    /** {@return the number of elements} */
    long count() {
        return Arrays.stream(sizes).reduce(1, Math::multiplyExact);
    }

    /** {@return the tensor of a picture, or of raw bytes} */
    static Cell of(Tensor tensor, long[] sizes) {
        return new Cell(tensor, sizes);
    }
}
