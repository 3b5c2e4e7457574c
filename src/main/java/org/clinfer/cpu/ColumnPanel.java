package org.clinfer.cpu;

import java.util.Arrays;

/**
 * The columns of a convolution as the right matrix of a product: row = (channel, tap), column = (image, position). Input
 * coordinate of a position = position * step + tap offset, per axis; outside the input the value is zero.
 *
 * @param x [batch, channels, in...]
 * @param channels all channels of an image
 * @param firstChannel where this group begins
 * @param positions output positions per axis
 * @param taps offset of every tap, per axis
 */
@SuppressWarnings("ArrayRecordComponent")
record ColumnPanel(float[] x, int channels, int firstChannel, int[] in, int[] positions, int[] step, int[][] taps)
        implements MatrixProduct.Panel {

    /** The columns of a forward convolution. */
    static ColumnPanel forward(float[] x, int channels, int firstChannel, Window window) {
        int[][] taps = new int[window.taps()][3];
        for (int tap = 0; tap < taps.length; tap++) {
            int[] at = window.tap(tap);
            for (int axis = 0; axis < 3; axis++) {
                taps[tap][axis] = at[axis] * window.dilation()[axis] - window.padBegin()[axis];
            }
        }
        if (window.isPointwise()) {
            int[] line = {1, 1, window.inElements()};
            return new ColumnPanel(x, channels, firstChannel, line, line, window.stride(), taps);
        }
        return new ColumnPanel(x, channels, firstChannel, window.in(), window.out(), window.stride(), taps);
    }

    @Override
    public void fill(float[][] rows, MatrixProduct.Block block) {
        for (int k = 0; k < block.depths(); k++) {
            int depth = block.depth() + k;
            int channel = firstChannel + depth / taps.length;
            fillRow(rows[k], channel, taps[depth % taps.length], block);
        }
    }

    private void fillRow(float[] row, int channel, int[] tap, MatrixProduct.Block block) {
        int width = positions[2];
        int done = 0;
        while (done < block.columns()) {
            int position = block.column() + done;
            int line = position / width;
            int column = position % width;
            int count = Math.min(width - column, block.columns() - done);
            int plane = line / positions[1];
            int inHeight = line % positions[1] * step[1] + tap[1];
            int inDepth = plane % positions[0] * step[0] + tap[0];
            if (inHeight < 0 || inHeight >= in[1] || inDepth < 0 || inDepth >= in[0]) {
                Arrays.fill(row, done, done + count, 0);
            } else {
                int image = plane / positions[0];
                int start = (((image * channels + channel) * in[0] + inDepth) * in[1] + inHeight) * in[2];
                fillLine(row, done, count, start, column * step[2] + tap[2]);
            }
            done += count;
        }
    }

    /** Copies {@code count} elements of the input line at {@code start}, from coordinate {@code first} on. */
    private void fillLine(float[] row, int at, int count, int start, int first) {
        int stride = step[2];
        int begin = first >= 0 ? 0 : Math.min(count, (-first + stride - 1) / stride);
        int end = first >= in[2] ? begin : Math.max(begin, Math.min(count, (in[2] - first + stride - 1) / stride));
        Arrays.fill(row, at, at + begin, 0);
        if (stride == 1 && end > begin) {
            System.arraycopy(x, start + first + begin, row, at + begin, end - begin);
        } else {
            int from = start + first;
            for (int j = begin; j < end; j++) {
                row[at + j] = x[from + j * stride];
            }
        }
        Arrays.fill(row, at + end, at + count, 0);
    }
}
