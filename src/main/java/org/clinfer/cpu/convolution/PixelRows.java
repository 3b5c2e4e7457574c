package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.matrix.MatrixProduct;

/**
 * The elements of x that the kernel elements of a group meet, as the left matrix of a product: [outputs of all images,
 * depth]; for x whose channels are last.
 */
@SuppressWarnings("ArrayRecordComponent")
record PixelRows(float[] x, FilterGroup filters) implements MatrixProduct.Rows {

    @Override
    public void pack(float[] packed, MatrixProduct.Strip strip) {
        Stencil.Walk walk = filters.stencil().walk(strip.row());
        for (int row = 0; row < strip.rows(); row++) {
            pack(packed, row * MatrixProduct.DEPTH, walk, strip);
            walk.skip(1);
        }
    }

    private void pack(float[] packed, int to, Stencil.Walk walk, MatrixProduct.Strip strip) {
        Stencil stencil = filters.stencil();
        int[] step = stencil.step();
        int[] strides = filters.layout().xStrides();
        int channels = filters.layout().channels().inPerGroup();
        int channel = filters.channel(strip.depth());
        int done = 0;
        while (done < strip.depths()) {
            int count = Math.min(channels - channel, strip.depths() - done);
            int[] offset = filters.tap(strip.depth() + done).offset();
            int depth = walk.depth * step[0] + offset[0];
            int height = walk.height * step[1] + offset[1];
            int width = walk.width * step[2] + offset[2];
            if (stencil.isLine(depth, height) && width >= 0 && width < stencil.in()[2]) {
                int from = filters.origin(channel)
                        + walk.image * strides[0]
                        + depth * strides[2]
                        + height * strides[3]
                        + width * strides[4];
                System.arraycopy(x, from, packed, to + done, count);
            } else {
                Arrays.fill(packed, to + done, to + done + count, 0);
            }
            done += count;
            channel = 0;
        }
    }
}
