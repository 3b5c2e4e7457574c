package org.clinfer.spark;

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
        long count = 1;
        for (long size : sizes) {
            count = Math.multiplyExact(count, size);
        }
        return count;
    }
}
