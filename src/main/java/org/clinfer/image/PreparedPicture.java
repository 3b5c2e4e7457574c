package org.clinfer.image;

import org.clinfer.tensor.Tensor;

/**
 * A picture as a network's input, and the way back from places in that input to pixels of the picture.
 *
 * @param tensor the input; whoever prepared it closes it
 * @param pictureWidth of the picture, in pixels
 * @param pictureHeight of the picture, in pixels
 * @param width of the input, in pixels
 * @param height of the input, in pixels
 * @param scaleX pixels of the input for one of the picture, in a row
 * @param scaleY the same in a column
 * @param left the place of the picture's left edge in the input; negative where it was cut off
 * @param top the same of its upper edge
 */
public record PreparedPicture(
        Tensor tensor,
        int pictureWidth,
        int pictureHeight,
        int width,
        int height,
        double scaleX,
        double scaleY,
        int left,
        int top)
        implements AutoCloseable {

    /**
     * {@return a box in pixels of the input as one in pixels of the picture, cut at the picture's edges}
     *
     * @param inInput the box in pixels of the input
     */
    public Box toPicture(Box inInput) {
        return new Box(
                within((inInput.left() - left) / scaleX, pictureWidth),
                within((inInput.top() - top) / scaleY, pictureHeight),
                within((inInput.right() - left) / scaleX, pictureWidth),
                within((inInput.bottom() - top) / scaleY, pictureHeight));
    }

    private static double within(double place, int size) {
        return Math.max(0, Math.min(size, place));
    }

    /** Closes the tensor. */
    @Override
    public void close() {
        tensor.close();
    }
}
