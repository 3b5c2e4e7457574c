package org.clinfer.importer.tensorflow.checkpoint;

import java.nio.ByteBuffer;

/** Numbers in groups of seven bits, the lowest first. */
final class Varints {

    private static final int MOST_BYTES = 9;

    private Varints() {}

    /**
     * The number at a buffer's position, which moves behind it.
     *
     * @throws DamagedTableException if it does not end there
     */
    static long read(ByteBuffer from) {
        long value = 0;
        for (int i = 0; i < MOST_BYTES && from.hasRemaining(); i++) {
            byte next = from.get();
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new DamagedTableException("a number in it does not end");
    }
}
