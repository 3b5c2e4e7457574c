package org.clinfer.importer.tensorflow.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The key of a part of a tensor: name, number of axes, start and length along each, in a form whose bytes are in the order of
 * what they stand for. Source: tensorflow/core/util/saved_tensor_slice_util.cc and lib/strings/ordered_code.cc.
 */
final class SliceKey {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private SliceKey() {}

    /** @param slice its length along an axis is -1 where it has the whole axis */
    static String of(String name, Slice slice) {
        SliceKey key = new SliceKey();
        key.unsigned(0);
        key.text(name);
        key.unsigned(slice.axes());
        for (int axis = 0; axis < slice.axes(); axis++) {
            key.signed(slice.start(axis));
            key.signed(slice.length(axis));
        }
        return SortedTable.text(key.bytes.toByteArray());
    }

    /** The number of its bytes, then those without leading zeros. */
    private void unsigned(long value) {
        int count = (Long.SIZE - Long.numberOfLeadingZeros(value) + 7) / 8;
        bytes.write(count);
        for (int i = count - 1; i >= 0; i--) {
            bytes.write((int) (value >>> (8 * i)));
        }
    }

    private void text(String name) {
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            bytes.write(each);
            if (each == 0) {
                bytes.write(0xff);
            } else if (each == (byte) 0xff) {
                bytes.write(0);
            }
        }
        bytes.write(0);
        bytes.write(1);
    }

    /** As many leading ones as there are bytes, seven bits of the number in each; all turned round if it is negative. */
    private void signed(long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value < 0 ? ~value : value);
        int count = bits / 7 + 1;
        byte[] code = new byte[count];
        for (int i = 0; i < count; i++) {
            int shift = 8 * (count - 1 - i);
            code[i] = (byte) (value >> Math.min(shift, Long.SIZE - 1));
        }
        for (int i = 0; i < count; i++) {
            code[i / 8] ^= (byte) (0x80 >>> i % 8);
        }
        bytes.writeBytes(code);
    }
}
