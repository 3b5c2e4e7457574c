package org.clinfer.cpu.vector;

import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * The positions of pixels in a tensor of blocked channels, {@code [batch, blocks, rows, columns, 16]}, whose first rows
 * and columns are a margin or left out.
 *
 * @param blocks blocks of channels of one picture
 * @param planes those of all pictures
 * @param top rows before the pixel at row 0
 * @param left columns before the pixel at column 0
 */
public record BlockedView(int blocks, int planes, int rows, int columns, int top, int left) {

    /** Channels that lie side by side. */
    public static final int LANES = 16;

    /** A tensor with {@code margins}: top, left, bottom, right. */
    public static BlockedView of(Tensor tensor, int[] margins) {
        Shape shape = tensor.shape();
        int batch = Math.toIntExact(shape.size(0));
        int blocks = Math.toIntExact(shape.size(1));
        return new BlockedView(
                blocks,
                Math.multiplyExact(batch, blocks),
                Math.toIntExact(shape.size(2)),
                Math.toIntExact(shape.size(3)),
                margins[0],
                margins[1]);
    }

    /** The first lane of a pixel, counted without the margin. */
    public int at(int plane, int row, int column) {
        return ((plane * rows + top + row) * columns + left + column) * LANES;
    }

    /** Channels of a plane that exist, where a picture has {@code channels}. */
    public int present(int plane, int channels) {
        return Math.min(LANES, channels - plane % blocks * LANES);
    }
}
