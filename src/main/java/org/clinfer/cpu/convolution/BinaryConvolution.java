package org.clinfer.cpu.convolution;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.window.Window;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** Convolution of bits: bits that differ are counted in words of 64 channels. */
final class BinaryConvolution implements CpuOperator {

    /** A padded element equals no bit. */
    private static final long NEVER = 2;

    /** A padded element counts nothing. */
    private static final long EXCLUDED = 3;

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        Window window = Window.of(parameters);
        int outChannels = Math.toIntExact(parameters.integer("out_channels"));
        int batch = Math.toIntExact(parameters.integer("batch"));
        BitPlanes x = BitPlanes.of(call.input(0), window.inElements(), call.parallel());
        Shared shared = new Shared(
                window,
                Math.toIntExact(parameters.integer("in_channels")),
                parameters.integer("pad_element"),
                x,
                call.input(1).bytes());
        TypedMemory y = new TypedMemory(call.output());
        int positions = window.outElements();
        long words = (long) window.taps() * shared.blocks() * Math.max(1, positions);
        // Planes of one output channel lie behind each other, so that its weights are read once.
        call.parallel().forRange(Math.multiplyExact(batch, outChannels), Chunks.grain(words), (from, to) -> {
            OutputChannel channel = new OutputChannel(shared);
            for (int plane = from; plane < to; plane++) {
                int outChannel = plane / batch;
                int image = plane % batch;
                channel.select(outChannel);
                store(channel.compute(image), y, (image * outChannels + outChannel) * positions);
            }
        });
    }

    private static void store(int[] values, TypedMemory y, int at) {
        DType dtype = y.dtype();
        Chunks.forEach(0, values.length, (start, count) -> {
            if (dtype == DType.FLOAT64) {
                double[] chunk = new double[count];
                for (int i = 0; i < count; i++) {
                    chunk[i] = values[start + i];
                }
                y.store(at + start, count, chunk);
            } else if (dtype.isFloating()) {
                float[] chunk = new float[count];
                for (int i = 0; i < count; i++) {
                    chunk[i] = values[start + i];
                }
                y.store(at + start, count, chunk);
            } else {
                long least = dtype == DType.UINT64 ? 0 : Integer.MIN_VALUE;
                long[] chunk = new long[count];
                for (int i = 0; i < count; i++) {
                    chunk[i] = Math.max(values[start + i], least);
                }
                y.store(at + start, count, chunk);
            }
        });
    }

    /**
     * The data that all output channels share.
     *
     * @param pad what a padded element is: 0 or 1 for this bit, {@link #NEVER} or {@link #EXCLUDED}
     * @param weights bits [out channels, in channels, kernel...]
     */
    private record Shared(Window window, int inChannels, long pad, BitPlanes x, ByteBuffer weights) {
        int blocks() {
            return BitPlanes.blocks(inChannels);
        }
    }

    /** Computes planes of one output channel at a time. */
    private static final class OutputChannel {

        private final Shared shared;
        private final Window window;
        private final int blocks;

        /** The weights of the selected channel as words [tap, block]. */
        private final long[] words;

        /** The count of each tap where it is padded, and the sum of all. */
        private final int[] padded;

        private int paddedSum;
        private int selected = -1;

        OutputChannel(Shared shared) {
            this.shared = shared;
            this.window = shared.window;
            this.blocks = shared.blocks();
            this.words = new long[Math.multiplyExact(window.taps(), blocks)];
            this.padded = new int[window.taps()];
        }

        void select(int outChannel) {
            if (outChannel == selected) {
                return;
            }
            selected = outChannel;
            readWords((long) outChannel * shared.inChannels * window.taps());
            paddedSum = 0;
            for (int tap = 0; tap < padded.length; tap++) {
                padded[tap] = ofPadding(tap);
                paddedSum += padded[tap];
            }
        }

        private void readWords(long firstBit) {
            Arrays.fill(words, 0);
            long index = firstBit;
            for (int channel = 0; channel < shared.inChannels; channel++) {
                long bit = 1L << channel;
                for (int tap = 0; tap < window.taps(); tap++) {
                    int stored = shared.weights.get((int) (index >> 3)) >> (7 - (index & 7));
                    words[tap * blocks + channel / BitPlanes.WIDTH] |= (stored & 1) != 0 ? bit : 0;
                    index++;
                }
            }
        }

        private int ofPadding(int tap) {
            if (shared.pad == EXCLUDED) {
                return 0;
            }
            if (shared.pad == NEVER) {
                return -shared.inChannels;
            }
            int unequal = 0;
            for (int block = 0; block < blocks; block++) {
                long element = shared.pad == 1 ? BitPlanes.used(block, shared.inChannels) : 0;
                unequal += Long.bitCount(words[tap * blocks + block] ^ element);
            }
            return shared.inChannels - 2 * unequal;
        }

        /** The outputs of one image. */
        int[] compute(int image) {
            int[] sums = new int[window.outElements()];
            Arrays.fill(sums, paddedSum);
            int first = image * blocks * window.inElements();
            for (int tap = 0; tap < padded.length; tap++) {
                addTap(sums, tap, first);
            }
            return sums;
        }

        /** Replaces what a tap counts as padding by what it counts, where it is inside. */
        private void addTap(int[] sums, int tap, int first) {
            int[] at = window.tap(tap);
            int row = at[1] * window.dilation()[1] - window.padBegin()[1];
            int column = at[2] * window.dilation()[2] - window.padBegin()[2];
            int stride = window.stride()[2];
            int begin = firstInside(column, 2);
            int count = endInside(column, 2) - begin;
            if (count <= 0) {
                return;
            }
            for (int y = firstInside(row, 1); y < endInside(row, 1); y++) {
                int line = (y * window.stride()[1] + row) * window.in()[2] + begin * stride + column;
                int out = y * window.out()[2] + begin;
                for (int i = 0; i < count; i++) {
                    sums[out + i] += shared.inChannels - padded[tap];
                }
                for (int block = 0; block < blocks; block++) {
                    int from = first + block * window.inElements() + line;
                    subtract(sums, out, count, new Line(from, stride, words[tap * blocks + block]));
                }
            }
        }

        private int firstInside(int offset, int axis) {
            return Math.max(0, -Math.floorDiv(offset, window.stride()[axis]));
        }

        private int endInside(int offset, int axis) {
            int last = Math.floorDiv(window.in()[axis] - 1 - offset, window.stride()[axis]);
            return Math.min(window.out()[axis], last + 1);
        }

        /** Words of x, {@code step} apart, and the weights they meet. */
        private record Line(int from, int step, long weight) {}

        /** Takes two for each bit that differs. */
        private void subtract(int[] sums, int out, int count, Line line) {
            long[] ones = shared.x.ones();
            long @Nullable [] others = shared.x.others();
            long weight = line.weight;
            int from = line.from;
            int step = line.step;
            if (others != null) {
                for (int i = 0; i < count; i++) {
                    int at = from + i * step;
                    sums[out + i] -= 2 * Long.bitCount((ones[at] ^ weight) | others[at]);
                }
            } else if (step == 1) {
                for (int i = 0; i < count; i++) {
                    sums[out + i] -= 2 * Long.bitCount(ones[from + i] ^ weight);
                }
            } else {
                for (int i = 0; i < count; i++) {
                    sums[out + i] -= 2 * Long.bitCount(ones[from + i * step] ^ weight);
                }
            }
        }
    }
}
