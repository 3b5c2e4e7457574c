package org.clinfer.cpu.convolution;

import java.util.concurrent.atomic.AtomicBoolean;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a tensor [batch, channels, ...] as bits: 64 channels of a position in a word [batch, block, position],
 * channel 64 * block + i in bit i; bits beyond the channels are 0.
 *
 * @param ones where elements are 1
 * @param others where elements are neither 0 nor 1; null if there are none
 */
@SuppressWarnings("ArrayRecordComponent")
record BitPlanes(long[] ones, long @Nullable [] others) {

    /** Channels of one word. */
    static final int WIDTH = Long.SIZE;

    /**
     * The bits of a tensor.
     *
     * @param positions product of the axes behind the channels
     */
    static BitPlanes of(Tensor tensor, int positions, Parallel parallel) {
        Packing packing = new Packing(tensor, positions);
        AtomicBoolean isPlain = new AtomicBoolean(true);
        long[] ones = packing.run(parallel, true, isPlain);
        return new BitPlanes(ones, isPlain.get() ? null : packing.run(parallel, false, isPlain));
    }

    /** Words of one position. */
    static int blocks(int channels) {
        return (channels + WIDTH - 1) / WIDTH;
    }

    /** The bits of a block that there are channels for. */
    static long used(int block, int channels) {
        int left = channels - block * WIDTH;
        return left < WIDTH ? (1L << left) - 1 : -1L;
    }

    private static final class Packing {

        private final TypedMemory memory;
        private final int channels;
        private final int planes;
        private final int positions;

        Packing(Tensor tensor, int positions) {
            this.memory = new TypedMemory(tensor);
            this.channels = Math.toIntExact(tensor.shape().sizes()[1]);
            this.planes = Math.multiplyExact(Math.toIntExact(tensor.shape().sizes()[0]), blocks(channels));
            this.positions = positions;
        }

        /** The words of elements that are 1, or else of those that are neither 0 nor 1. */
        long[] run(Parallel parallel, boolean ofOnes, AtomicBoolean isPlain) {
            long[] words = new long[Math.multiplyExact(planes, positions)];
            int chunks = (positions + Chunks.SIZE - 1) / Chunks.SIZE;
            int grain = Chunks.grain((long) Math.min(WIDTH, channels) * Math.min(Chunks.SIZE, positions));
            parallel.forRange(Math.multiplyExact(planes, chunks), grain, (from, to) -> {
                boolean plain = true;
                for (int i = from; i < to; i++) {
                    int first = i % chunks * Chunks.SIZE;
                    plain &= pack(i / chunks, first, Math.min(Chunks.SIZE, positions - first), ofOnes, words);
                }
                if (!plain) {
                    isPlain.set(false);
                }
            });
            return words;
        }

        /** Packs a stretch of a plane; whether all its elements are 0 or 1. */
        private boolean pack(int plane, int first, int count, boolean ofOnes, long[] words) {
            int blocks = blocks(channels);
            int block = plane % blocks;
            int from = (plane / blocks * channels + block * WIDTH) * positions + first;
            int at = plane * positions + first;
            boolean isFloat = memory.dtype().isFloating() && memory.dtype() != DType.FLOAT64;
            float[] floats = new float[isFloat ? count : 0];
            double[] doubles = new double[isFloat ? 0 : count];
            boolean plain = true;
            for (int i = 0; i < Math.min(WIDTH, channels - block * WIDTH); i++) {
                long bit = 1L << i;
                if (isFloat) {
                    memory.load(from + i * positions, 1, count, floats, 0);
                    for (int k = 0; k < count; k++) {
                        boolean other = floats[k] != 0 && floats[k] != 1;
                        words[at + k] |= (ofOnes ? floats[k] == 1 : other) ? bit : 0;
                        plain &= !other;
                    }
                } else {
                    memory.load(from + i * positions, 1, count, doubles, 0);
                    for (int k = 0; k < count; k++) {
                        boolean other = doubles[k] != 0 && doubles[k] != 1;
                        words[at + k] |= (ofOnes ? doubles[k] == 1 : other) ? bit : 0;
                        plain &= !other;
                    }
                }
            }
            return plain;
        }
    }
}
