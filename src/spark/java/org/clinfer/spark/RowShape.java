package org.clinfer.spark;

import java.util.Arrays;
import java.util.List;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.TensorType;

/** The shape that a row has in an input. */
final class RowShape {

    private RowShape() {}

    /**
     * {@return the sizes of the dimensions after the first}
     *
     * @param input its name
     * @param type of the input, with the batch as its first dimension
     * @param cell of the row, in the shape of the input or flat
     * @throws RowException if these elements do not make up a row
     */
    static long[] of(String input, TensorType type, Cell cell) {
        List<Dim> dims = type.shape().dims().subList(1, type.shape().rank());
        long[] sizes = cell.sizes();
        if (sizes.length == dims.size() && fits(dims, sizes)) {
            return sizes;
        }
        if (sizes.length > 1 && !(cell.elements() instanceof org.clinfer.tensor.Tensor)) {
            throw mismatch(input, type, cell);
        }
        long known = 1;
        int open = -1;
        int opened = 0;
        for (int i = 0; i < dims.size(); i++) {
            if (dims.get(i) instanceof Dim.Known one) {
                known = Math.multiplyExact(known, one.size());
            } else {
                open = i;
                opened++;
            }
        }
        long count = cell.count();
        if (opened > 1 || (opened == 0 && count != known) || (opened == 1 && (known == 0 || count % known != 0))) {
            throw mismatch(input, type, cell);
        }
        long[] filled = new long[dims.size()];
        for (int i = 0; i < filled.length; i++) {
            filled[i] = i == open ? count / known : ((Dim.Known) dims.get(i)).size();
        }
        return filled;
    }

    private static boolean fits(List<Dim> dims, long[] sizes) {
        for (int i = 0; i < sizes.length; i++) {
            if (dims.get(i) instanceof Dim.Known known && known.size() != sizes[i]) {
                return false;
            }
        }
        return true;
    }

    private static RowException mismatch(String input, TensorType type, Cell cell) {
        return new RowException("input '" + input + "' is " + type + ", of which a row of "
                + Arrays.toString(cell.sizes()) + " elements is none");
    }
}
