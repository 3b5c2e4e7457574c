package org.clinfer.cpu;

import java.util.Arrays;

/** What the kernel elements of a group meet in x, as the right matrix of a product: [depth, outputs of all images]. */
@SuppressWarnings("ArrayRecordComponent")
record ColumnPanel(float[] x, FilterGroup filters) implements MatrixProduct.Panel {

    @Override
    public void fill(float[][] rows, MatrixProduct.Block block) {
        for (int k = 0; k < block.depths(); k++) {
            int depth = block.depth() + k;
            fillRow(
                    rows[k],
                    filters.origin(filters.channel(depth)),
                    filters.tap(depth).offset(),
                    block);
        }
    }

    private void fillRow(float[] row, int origin, int[] offset, MatrixProduct.Block block) {
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
                fillLine(row, done, count, start, walk.width * step[2] + offset[2]);
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
        Arrays.fill(row, at, at + begin, 0);
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
        Arrays.fill(row, at + end, at + count, 0);
    }
}
