package org.clinfer.fuzz;

import java.util.Random;

/** Random numbers that bytes decide, so that a fuzzer of bytes chooses among changes; zeros once they are used up. */
public final class Choices extends Random {

    private static final long serialVersionUID = 1L;
    private static final int ONE_BYTE = 256;

    private final byte[] bytes;
    private int used;

    public Choices(byte[] bytes) {
        super(0);
        this.bytes = bytes.clone();
    }

    public boolean isUsedUp() {
        return used >= bytes.length;
    }

    @Override
    protected int next(int bits) {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << 8 | taken();
        }
        return value >>> (Integer.SIZE - bits);
    }

    private int taken() {
        // the constructor of Random may ask before there are bytes
        return bytes == null || used >= bytes.length ? 0 : bytes[used++] & 0xff;
    }

    @Override
    public int nextInt(int bound) {
        return Math.floorMod(bound <= ONE_BYTE ? taken() : next(Integer.SIZE), bound);
    }

    @Override
    public boolean nextBoolean() {
        return (taken() & 1) != 0;
    }
}
