package org.clinfer.image;

/**
 * A rectangle of a picture, in pixels from its upper left corner; edges, not centres of pixels: the whole picture is {@code
 * 0, 0, width, height}.
 *
 * @param left the least x
 * @param top the least y
 * @param right the largest x
 * @param bottom the largest y
 */
public record Box(double left, double top, double right, double bottom) {

    /** A box of two corners that lie across from each other, in any order, as ONNX {@code NonMaxSuppression} takes them. */
    static Box of(double x1, double y1, double x2, double y2) {
        return new Box(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
    }

    boolean isFinite() {
        return Double.isFinite(left) && Double.isFinite(top) && Double.isFinite(right) && Double.isFinite(bottom);
    }

    /** {@return the width, in the unit of the corners} */
    public double width() {
        return right - left;
    }

    /** {@return the height, in the unit of the corners} */
    public double height() {
        return bottom - top;
    }

    /** {@return the area; 0 where a side is empty or the corners are the other way round} */
    public double area() {
        return Math.max(0, width()) * Math.max(0, height());
    }

    /**
     * {@return the area that both have by the area that either has, from 0 to 1: intersection over union as in ONNX
     * {@code NonMaxSuppression}; 0 where one is empty}
     *
     * @param other the other box
     */
    public double iou(Box other) {
        double w = Math.min(right, other.right) - Math.max(left, other.left);
        double h = Math.min(bottom, other.bottom) - Math.max(top, other.top);
        if (w <= 0 || h <= 0) {
            return 0;
        }
        return w * h / (area() + other.area() - w * h);
    }
}
