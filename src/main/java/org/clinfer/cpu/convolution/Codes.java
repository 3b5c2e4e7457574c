package org.clinfer.cpu.convolution;

import java.nio.ByteBuffer;

/**
 * Integers of 8 bits with one zero point.
 *
 * @param mask what an int has to be combined with that a byte was extended to: 255 for unsigned ones, -1 for others
 */
public record Codes(ByteBuffer bytes, int mask, int zero) implements ElementReader<byte[]> {

    @Override
    public void read(int from, byte[] to, int at, int count) {
        bytes.get(from, to, at, count);
    }
}
