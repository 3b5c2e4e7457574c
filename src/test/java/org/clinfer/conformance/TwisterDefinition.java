package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.List;

/** MT19937 by its recurrence over all words so far, without sign and modulo 2^32, and NumPy's two distributions of it. */
final class TwisterDefinition {

    private static final long MASK = 0xffffffffL;

    private final List<Long> words = new ArrayList<>();
    private final List<Double> normals = new ArrayList<>();

    TwisterDefinition(long seed) {
        words.add(seed & MASK);
        for (int i = 1; i < 624; i++) {
            long last = words.get(i - 1);
            words.add((1812433253L * (last ^ (last >> 30)) + i) & MASK);
        }
    }

    /** x(k + n) = x(k + m) + (upper bits of x(k), lower bits of x(k + 1)) A, tempered. */
    private long word() {
        int k = words.size() - 624;
        long joined = (words.get(k) & 0x80000000L) + (words.get(k + 1) & 0x7fffffffL);
        long product = joined % 2 == 0 ? joined >> 1 : (joined >> 1) ^ 0x9908b0dfL;
        long y = words.get(k + 397) ^ product;
        words.add(y);
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680L;
        y ^= (y << 15) & 0xefc60000L;
        return (y ^ (y >> 18)) & MASK;
    }

    double uniform() {
        long upper = word() >> 5;
        long lower = word() >> 6;
        return (upper * 67108864.0 + lower) / 9007199254740992.0;
    }

    double normal() {
        while (normals.isEmpty()) {
            double first = 2 * uniform() - 1;
            double second = 2 * uniform() - 1;
            double square = first * first + second * second;
            if (square < 1 && square != 0) {
                double factor = Math.sqrt(-2 * Math.log(square) / square);
                normals.add(factor * second);
                normals.add(factor * first);
            }
        }
        return normals.remove(0);
    }
}
