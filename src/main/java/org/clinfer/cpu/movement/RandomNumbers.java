package org.clinfer.cpu.movement;

import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;

/**
 * The Mersenne Twister MT19937, and numbers of two distributions from it as NumPy's RandomState draws them. The state has 624
 * words of 32 bits; source: Matsumoto, Nishimura: Mersenne Twister, 1998, and its revised initialization of 2002.
 */
final class RandomNumbers implements CpuOperator {

    private static final int WORDS = 624;
    private static final int SHIFT = 397;

    @Override
    public void run(CpuCall call) {
        Twister twister = new Twister((int) call.parameters().integer("seed"));
        boolean normal = call.parameters().text("distribution").equals("normal");
        DoubleBuffer y = call.output().bytes().order(ByteOrder.nativeOrder()).asDoubleBuffer();
        while (y.hasRemaining()) {
            y.put(normal ? twister.nextNormal() : twister.nextUniform());
        }
    }

    private static final class Twister {

        private final int[] state = new int[WORDS];
        private int position = WORDS;
        private double kept = Double.NaN;

        Twister(int seed) {
            state[0] = seed;
            for (int i = 1; i < WORDS; i++) {
                state[i] = 1812433253 * (state[i - 1] ^ state[i - 1] >>> 30) + i;
            }
        }

        private void renew() {
            for (int i = 0; i < WORDS; i++) {
                int bits = (state[i] & 0x80000000) | (state[(i + 1) % WORDS] & 0x7fffffff);
                state[i] = state[(i + SHIFT) % WORDS] ^ bits >>> 1 ^ (bits & 1) * 0x9908b0df;
            }
            position = 0;
        }

        private int nextBits() {
            if (position == WORDS) {
                renew();
            }
            int bits = state[position++];
            bits ^= bits >>> 11;
            bits ^= bits << 7 & 0x9d2c5680;
            bits ^= bits << 15 & 0xefc60000;
            return bits ^ bits >>> 18;
        }

        /** Of 53 bits, from 0 to below 1. */
        double nextUniform() {
            long upper = Integer.toUnsignedLong(nextBits() >>> 5);
            return (upper << 26 | nextBits() >>> 6) * 0x1p-53;
        }

        /** Marsaglia's polar method, which makes two numbers at once. */
        double nextNormal() {
            if (!Double.isNaN(kept)) {
                double last = kept;
                kept = Double.NaN;
                return last;
            }
            double x;
            double y;
            double square;
            do {
                x = 2 * nextUniform() - 1;
                y = 2 * nextUniform() - 1;
                square = x * x + y * y;
            } while (square >= 1 || square == 0);
            double factor = Math.sqrt(-2 * Math.log(square) / square);
            kept = factor * x;
            return factor * y;
        }
    }
}
