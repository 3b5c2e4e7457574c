package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.call.Scratch;

/**
 * The cells of padded planes, in arrays of one kind.
 *
 * @param <A> the arrays
 */
sealed interface Cells<A> {

    A take(Scratch scratch, int length);

    void give(Scratch scratch, A array);

    /** Copies {@code count} elements that are {@code stride} apart to neighbouring cells. */
    default void copy(A from, int at, int stride, A into, int to, int count) {
        if (stride == 1) {
            System.arraycopy(from, at, into, to, count);
        } else {
            pick(from, at, stride, into, to, count);
        }
    }

    /** The same for any stride. */
    void pick(A from, int at, int stride, A into, int to, int count);

    /** Pads the cells from {@code from} to {@code end}. */
    void pad(A into, int from, int end);

    /** Real numbers, or integers less their zero point. */
    record OfFloats(float padding) implements Cells<float[]> {

        @Override
        public float[] take(Scratch scratch, int length) {
            return scratch.take(length);
        }

        @Override
        public void give(Scratch scratch, float[] array) {
            scratch.give(array);
        }

        @Override
        public void pick(float[] from, int at, int stride, float[] into, int to, int count) {
            for (int i = 0; i < count; i++) {
                into[to + i] = from[at + i * stride];
            }
        }

        @Override
        public void pad(float[] into, int from, int end) {
            Arrays.fill(into, from, end, padding);
        }
    }

    /** Integers of 8 bits. */
    record OfBytes(byte padding) implements Cells<byte[]> {

        @Override
        public byte[] take(Scratch scratch, int length) {
            return scratch.takeBytes(length);
        }

        @Override
        public void give(Scratch scratch, byte[] array) {
            scratch.give(array);
        }

        @Override
        public void pick(byte[] from, int at, int stride, byte[] into, int to, int count) {
            for (int i = 0; i < count; i++) {
                into[to + i] = from[at + i * stride];
            }
        }

        @Override
        public void pad(byte[] into, int from, int end) {
            Arrays.fill(into, from, end, padding);
        }
    }
}
