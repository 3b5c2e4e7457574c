package org.clinfer.importer.tensorflow.checkpoint;

import java.nio.ByteBuffer;

/**
 * Decompression of Snappy's block format: the length of the result, then literals and copies of what there is already.
 * Source: google/snappy, format_description.txt.
 */
final class Snappy {

    /** A copy of 64 bytes takes 3; no input becomes longer by more than that. */
    private static final int MOST_PER_BYTE = 32;

    private final ByteBuffer from;
    private final byte[] to;
    private int filled;

    private Snappy(ByteBuffer from, int length) {
        this.from = from;
        this.to = new byte[length];
    }

    /**
     * The bytes that were compressed.
     *
     * @throws DamagedTableException if it is no such block, or claims more than it can have
     */
    static ByteBuffer decompressed(ByteBuffer block) {
        ByteBuffer from = block.slice();
        long length = Varints.read(from);
        if (length > (long) from.remaining() * MOST_PER_BYTE) {
            throw new DamagedTableException(
                    "a block of " + from.remaining() + " compressed bytes claims to have " + length);
        }
        Snappy snappy = new Snappy(from, (int) length);
        while (from.hasRemaining()) {
            snappy.element();
        }
        if (snappy.filled != length) {
            throw new DamagedTableException("a compressed block has " + snappy.filled + " bytes instead of " + length);
        }
        return ByteBuffer.wrap(snappy.to);
    }

    private void element() {
        int tag = from.get() & 0xff;
        switch (tag & 3) {
            case 0 -> literal(tag >> 2);
            case 1 -> copy(4 + (tag >> 2 & 7), (tag >> 5) << 8 | number(1));
            case 2 -> copy(1 + (tag >> 2), number(2));
            default -> copy(1 + (tag >> 2), number(4));
        }
    }

    /** A length up to 60 stands in the tag, a longer one in the 1 to 4 bytes behind it. */
    private void literal(int code) {
        long length = 1L + (code < 60 ? code : number(code - 59));
        if (length > from.remaining() || length > to.length - filled) {
            throw new DamagedTableException("a compressed block has a literal of " + length + " bytes");
        }
        from.get(to, filled, (int) length);
        filled += (int) length;
    }

    /** Copies bytes that may reach into what the copy writes. */
    private void copy(int length, long back) {
        if (back < 1 || back > filled || length > to.length - filled) {
            throw new DamagedTableException(
                    "a compressed block copies " + length + " bytes from " + back + " before byte " + filled);
        }
        for (int i = 0; i < length; i++) {
            to[filled] = to[filled - (int) back];
            filled++;
        }
    }

    private long number(int bytes) {
        if (bytes > from.remaining()) {
            throw new DamagedTableException("a compressed block is cut off");
        }
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (from.get() & 0xffL) << (8 * i);
        }
        return value;
    }
}
