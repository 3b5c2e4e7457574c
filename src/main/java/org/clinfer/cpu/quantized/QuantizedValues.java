package org.clinfer.cpu.quantized;

import java.nio.ByteBuffer;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Quantized values of few bits as arrays of ints, in which they are multiplied and summed. */
final class QuantizedValues {

    private QuantizedValues() {}

    /** All elements; none of a tensor that was left out. */
    static int[] all(@Nullable Tensor tensor) {
        int[] values = new int[tensor == null ? 0 : Math.toIntExact(tensor.elements())];
        for (int i = 0; i < values.length && tensor != null; i++) {
            values[i] = (int) tensor.getLong(i);
        }
        return values;
    }

    /** All elements less their zero point, of which there is one for all, or one for each of {@code parts} equal parts. */
    static int[] of(Tensor tensor, @Nullable Tensor zeroPoint, int parts) {
        int[] zeros = all(zeroPoint);
        int length = Math.toIntExact(tensor.elements());
        int[] values = new int[length];
        boolean signed = !tensor.dtype().isUnsigned();
        ByteBuffer bytes = tensor.bytes();
        for (int i = 0; i < length; i++) {
            values[i] = signed ? bytes.get(i) : bytes.get(i) & 0xff;
        }
        int part = zeros.length > 1 ? length / parts : length;
        for (int z = 0; z < zeros.length && part > 0; z++) {
            for (int i = z * part; i < (z + 1) * part && zeros[z] != 0; i++) {
                values[i] -= zeros[z];
            }
        }
        return values;
    }

    /** {@code sums[at + j] += factor * row[from + j]}. */
    static void addRow(int[] sums, int at, int[] row, int from, int factor, int count) {
        for (int j = 0; j < count; j++) {
            sums[at + j] += factor * row[from + j];
        }
    }
}
