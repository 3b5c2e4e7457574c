package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;

/**
 * Elements that some rows of outputs of a convolution read of its input in blocked channels, copied so that what one
 * weight meets in neighbouring outputs lies side by side: for each block of channels and each column of the kernel the
 * columns that it meets, in rows that are sorted by their remainder by the stride. The pixels of all rows are one line.
 */
final class BlockedPanel {

    private static final int PIXEL = BlockedView.LANES;
    private static final int CONFLICTING = 64;

    private final BlockedView x;
    private final int[] kernel;
    private final int[] strides;
    private final int[] dilations;
    private final int columns;
    private final int channels;
    private final int blocks;
    private final int rows;
    private final boolean isWhole;

    /** Slots for rows before those of each remainder. */
    private final int[] firstSlots;

    private final int plane;

    /**
     * @param channels of the input that meet in an output
     * @param rows of outputs, at most
     */
    BlockedPanel(BlockedView x, Taps taps, int channels, int rows) {
        this.x = x;
        this.kernel = taps.kernel;
        this.strides = taps.strides;
        this.dilations = taps.dilations;
        this.columns = taps.columns;
        this.channels = channels;
        this.blocks = Rounding.ceilDiv(channels, PIXEL);
        this.rows = rows;
        this.isWhole = taps.isWhole(x);
        this.firstSlots = firstSlots(taps, rows);
        int pixels = firstSlots[strides[0]] * columns;
        this.plane = (pixels % CONFLICTING == 0 ? pixels + 1 : pixels) * PIXEL;
    }

    /** The window of a convolution, and how many outputs there are in a row. */
    @SuppressWarnings("ArrayRecordComponent")
    record Taps(int[] kernel, int[] strides, int[] dilations, int columns) {

        /** {@return whether rows are read as they lie} */
        private boolean isWhole(BlockedView x) {
            return kernel[0] == 1 && kernel[1] == 1 && strides[0] == 1 && strides[1] == 1 && x.columns() == columns;
        }
    }

    private static int[] firstSlots(Taps taps, int rows) {
        int[] most = new int[taps.strides[0]];
        for (int tap = 0; tap < taps.kernel[0]; tap++) {
            int row = tap * taps.dilations[0];
            int remainder = row % taps.strides[0];
            most[remainder] = Math.max(most[remainder], rows + row / taps.strides[0]);
        }
        int[] first = new int[most.length + 1];
        for (int remainder = 0; remainder < most.length; remainder++) {
            first[remainder + 1] = first[remainder] + most[remainder];
        }
        return first;
    }

    /** Floats of the panel, but for what tiles read beyond the last pixel. */
    int floats() {
        return Math.multiplyExact(Math.multiplyExact(blocks, kernel[1]), plane);
    }

    /** Rows of the input that are copied, over all blocks and columns of the kernel. */
    int copies() {
        return blocks * kernel[1] * firstSlots[strides[0]];
    }

    /**
     * The begin of each term: blocks of channels, rows and columns of the kernel, {@link BlockedKernels#TERM} channels
     * each time; those that are in no channel's term are left out.
     */
    int[] offsets() {
        int window = kernel[0] * kernel[1];
        int[] offsets = new int[window * Rounding.ceilDiv(channels, BlockedKernels.TERM)];
        int at = 0;
        for (int channel = 0; channel < channels; channel += PIXEL) {
            int lanes = Math.min(PIXEL, channels - channel);
            for (int tap = 0; tap < window; tap++) {
                int row = tap / kernel[1] * dilations[0];
                int slot = firstSlots[row % strides[0]] + row / strides[0];
                int first = (channel / PIXEL * kernel[1] + tap % kernel[1]) * plane + slot * columns * PIXEL;
                for (int lane = 0; lane < lanes; lane += BlockedKernels.TERM) {
                    offsets[at++] = first + lane;
                }
            }
        }
        return offsets;
    }

    /**
     * Copies what {@code count} rows of outputs read, from row {@code first} on.
     *
     * @param firstPlane image and first block of channels
     * @param line as long as a row of the input
     */
    void fill(
            FloatBuffer values,
            int firstPlane,
            int first,
            int count,
            float[] panel,
            float[] line,
            BlockedKernels kernels) {
        if (isWhole) {
            for (int block = 0; block < blocks; block++) {
                values.get(x.at(firstPlane + block, first, 0), panel, block * plane, count * columns * PIXEL);
            }
            return;
        }
        for (int block = 0; block < blocks; block++) {
            for (int remainder = 0; remainder < strides[0]; remainder++) {
                int slots = firstSlots[remainder + 1] - firstSlots[remainder] - rows + count;
                for (int slot = 0; slot < slots; slot++) {
                    if (firstSlots[remainder + 1] > firstSlots[remainder]) {
                        int row = (first + slot) * strides[0] + remainder;
                        int to = block * kernel[1] * plane + (firstSlots[remainder] + slot) * columns * PIXEL;
                        copy(values, x.at(firstPlane + block, row, 0), panel, to, line, kernels);
                    }
                }
            }
        }
    }

    /** Clears the lanes beyond the channels that are in a term: what they hold is no input, not even an infinity. */
    void clearBeyond(float[] panel) {
        int present = channels - (blocks - 1) * PIXEL;
        int end = Rounding.ceilDiv(present, BlockedKernels.TERM) * BlockedKernels.TERM;
        for (int lane = present; lane < end; lane++) {
            for (int at = (blocks - 1) * kernel[1] * plane + lane; at < floats(); at += PIXEL) {
                panel[at] = 0;
            }
        }
    }

    /**
     * {@return whether an input that is an array can be read where it lies, by {@link #offsetsInPlace}}
     *
     * @param channels of the input that meet in an output
     */
    static boolean canBeInPlace(BlockedView x, Taps taps, int channels) {
        return taps.isWhole(x) && channels % BlockedKernels.TERM == 0;
    }

    /** The begin of each term in the input itself. */
    int[] offsetsInPlace() {
        int[] offsets = new int[channels / BlockedKernels.TERM];
        for (int i = 0; i < offsets.length; i++) {
            int channel = i * BlockedKernels.TERM;
            offsets[i] = x.at(channel / PIXEL, 0, 0) - x.at(0, 0, 0) + channel % PIXEL;
        }
        return offsets;
    }

    /** Copies one row of the input for every column of the kernel. */
    private void copy(FloatBuffer values, int from, float[] panel, int to, float[] line, BlockedKernels kernels) {
        if (strides[1] == 1) {
            for (int column = 0; column < kernel[1]; column++) {
                values.get(from + column * dilations[1] * PIXEL, panel, to + column * plane, columns * PIXEL);
            }
            return;
        }
        int reach = (columns - 1) * strides[1] + (kernel[1] - 1) * dilations[1] + 1;
        values.get(from, line, 0, reach * PIXEL);
        for (int column = 0; column < kernel[1]; column++) {
            int at = column * dilations[1] * PIXEL;
            kernels.copyPixels(line, at, strides[1] * PIXEL, panel, to + column * plane, columns);
        }
    }
}
