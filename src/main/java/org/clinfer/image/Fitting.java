package org.clinfer.image;

/**
 * A picture on its way to the size that a network expects.
 *
 * @param picture it has the size
 * @param scaleX the width of the scaled picture by that of the original
 * @param scaleY the same of the heights
 * @param left the place of the original's left edge in the result, in pixels; negative where it is cut off
 * @param top the same of its upper edge
 */
record Fitting(Picture picture, double scaleX, double scaleY, int left, int top) {

    static Fitting of(Picture source, int width, int height, Preprocessing how) {
        return switch (how.fit()) {
            case STRETCH -> whole(source, how.resampling().resize(source, CropWindow.whole(width, height)), 0, 0);
            case CROP -> crop(source, width, height, how);
            case LETTERBOX -> letterbox(source, width, height, how);
            case NONE -> {
                requireSize(source, width, height);
                yield whole(source, source, 0, 0);
            }
        };
    }

    /** All of the original, at some scale. */
    private static Fitting whole(Picture source, Picture result, int left, int top) {
        return new Fitting(
                result,
                (double) result.width() / source.width(),
                (double) result.height() / source.height(),
                left,
                top);
    }

    private static Fitting crop(Picture source, int width, int height, Preprocessing how) {
        CropWindow window = how.shortestSide().isPresent()
                ? ofShortestSide(source, how.shortestSide().getAsInt(), width, height)
                : covering(source, width, height);
        return new Fitting(
                how.resampling().resize(source, window),
                (double) window.scaledWidth() / source.width(),
                (double) window.scaledHeight() / source.height(),
                -window.left(),
                -window.top());
    }

    /** The middle of the picture whose shortest side is given; the longer side is rounded down and the offset to even, as torchvision does. */
    private static CropWindow ofShortestSide(Picture source, int side, int width, int height) {
        boolean upright = source.width() <= source.height();
        int scaledWidth = upright ? side : scaledSize(source, (long) side * source.width() / source.height());
        int scaledHeight = upright ? scaledSize(source, (long) side * source.height() / source.width()) : side;
        if (scaledWidth < width || scaledHeight < height) {
            throw new IllegalArgumentException(
                    "a picture whose shortest side is " + side + " pixels cannot be cut to " + width + "x" + height);
        }
        int left = (int) Math.rint((scaledWidth - width) / 2.0);
        int top = (int) Math.rint((scaledHeight - height) / 2.0);
        return new CropWindow(scaledWidth, scaledHeight, left, top, width, height);
    }

    /** The middle of the smallest picture that covers the size. */
    private static CropWindow covering(Picture source, int width, int height) {
        double scale = Math.max((double) width / source.width(), (double) height / source.height());
        int scaledWidth = Math.max(width, scaledSize(source, Math.round(source.width() * scale)));
        int scaledHeight = Math.max(height, scaledSize(source, Math.round(source.height() * scale)));
        return new CropWindow(
                scaledWidth, scaledHeight, (scaledWidth - width) / 2, (scaledHeight - height) / 2, width, height);
    }

    private static int scaledSize(Picture source, long size) {
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a picture of " + source.width() + "x" + source.height()
                    + " pixels is too long to be cut: a side of it would have " + size + " pixels");
        }
        return (int) size;
    }

    private static Fitting letterbox(Picture source, int width, int height, Preprocessing how) {
        double scale = Math.min((double) width / source.width(), (double) height / source.height());
        int scaledWidth = Math.min(width, Math.max(1, (int) Math.round(source.width() * scale)));
        int scaledHeight = Math.min(height, Math.max(1, (int) Math.round(source.height() * scale)));
        Picture scaled = how.resampling().resize(source, CropWindow.whole(scaledWidth, scaledHeight));
        Fitting whole = whole(source, scaled, (width - scaledWidth) / 2, (height - scaledHeight) / 2);
        return new Fitting(
                scaled.padded(whole.left, whole.top, width, height, how.padding()),
                whole.scaleX,
                whole.scaleY,
                whole.left,
                whole.top);
    }

    private static void requireSize(Picture source, int width, int height) {
        if (source.width() != width || source.height() != height) {
            throw new IllegalArgumentException("the picture has " + source.width() + "x" + source.height()
                    + " pixels, but the model expects " + width + "x" + height
                    + "; a fit (stretch, crop or letterbox) resizes it, on the command line --resize");
        }
    }
}
