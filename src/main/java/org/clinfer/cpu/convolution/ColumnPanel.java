package org.clinfer.cpu.convolution;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.matrix.MatrixProduct;

/** The elements of x that the kernel elements of a group meet, as a right matrix: [depth, outputs of all images]. */
@SuppressWarnings("ArrayRecordComponent")
record ColumnPanel(float[] x, FilterGroup filters) implements MatrixProduct.Panel {

    @Override
    public void fill(float[][] rows, MatrixProduct.Block block) {
        boolean isGathered = filters.stencil().step()[2] * filters.layout().xStrides()[4] != 1;
        int back = isGathered ? tapsBack() : block.depths();
        for (int k = 0; k < block.depths(); k++) {
            int depth = block.depth() + k;
            Stencil.Tap tap = filters.tap(depth);
            int origin = filters.origin(filters.channel(depth));
            boolean isInReach = k >= back && filters.channel(depth - back) == filters.channel(depth);
            int shift = isInReach ? shift(filters.tap(depth - back).offset(), tap.offset()) : 0;
            fillRow(rows[k], origin, tap.offset(), block, shift == 0 ? rows[k] : rows[k - back], shift);
        }
    }

    /** After how many taps of a kernel row one may meet the same inputs as before, at other outputs. */
    private int tapsBack() {
        List<Stencil.Tap> taps = filters.stencil().taps();
        int step = filters.stencil().step()[2];
        int distance =
                taps.size() < 2 ? step : taps.get(1).offset()[2] - taps.get(0).offset()[2];
        return step / BigInteger.valueOf(step).gcd(BigInteger.valueOf(distance)).intValueExact();
    }

    /** By how many outputs one tap's inputs lie behind another's, or 0 where they are not the same. */
    private int shift(int[] before, int[] offset) {
        int distance = offset[2] - before[2];
        int step = filters.stencil().step()[2];
        boolean isSame = before[0] == offset[0] && before[1] == offset[1] && distance % step == 0;
        return isSame ? distance / step : 0;
    }

    /** Fills a row; output j + {@code shift} of {@code before} is output j of the row, where shift is not 0. */
    private void fillRow(float[] row, int origin, int[] offset, MatrixProduct.Block block, float[] before, int shift) {
        Stencil stencil = filters.stencil();
        int[] step = stencil.step();
        int[] strides = filters.layout().xStrides();
        Stencil.Walk walk = stencil.walk(block.column());
        int done = 0;
        while (done < block.columns()) {
            int count = walk.run(block.columns() - done);
            int depth = walk.depth * step[0] + offset[0];
            int height = walk.height * step[1] + offset[1];
            if (stencil.isLine(depth, height)) {
                int start = origin + walk.image * strides[0] + depth * strides[2] + height * strides[3];
                int first = walk.width * step[2] + offset[2];
                int same = shift == 0 ? 0 : Math.max(0, count - Math.abs(shift));
                if (same == 0) {
                    fillLine(row, done, count, start, first);
                } else if (shift > 0) {
                    System.arraycopy(before, done + count - same, row, done, same);
                    fillLine(row, done + same, count - same, start, first + same * step[2]);
                } else {
                    System.arraycopy(before, done, row, done + count - same, same);
                    fillLine(row, done, count - same, start, first);
                }
            } else {
                Arrays.fill(row, done, done + count, 0);
            }
            walk.skip(count);
            done += count;
        }
    }

    /** Copies {@code count} elements of the input line at {@code start}, from coordinate {@code first} on. */
    private void fillLine(float[] row, int at, int count, int start, int first) {
        int step = filters.stencil().step()[2];
        int width = filters.stencil().in()[2];
        int stride = filters.layout().xStrides()[4];
        int begin = first >= 0 ? 0 : Math.min(count, (-first + step - 1) / step);
        int end = first >= width ? begin : Math.max(begin, Math.min(count, (width - first + step - 1) / step));
        for (int j = 0; j < begin; j++) {
            row[at + j] = 0;
        }
        if (end > begin) {
            int from = start + (first + begin * step) * stride;
            int distance = step * stride;
            if (distance == 1) {
                System.arraycopy(x, from, row, at + begin, end - begin);
            } else {
                for (int j = begin; j < end; j++) {
                    row[at + j] = x[from + (j - begin) * distance];
                }
            }
        }
        for (int j = end; j < count; j++) {
            row[at + j] = 0;
        }
    }
}
