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
            case STRETCH -> scaled(source, how.resampling().resize(source, width, height), 0, 0);
            case CROP -> crop(source, width, height, how);
            case LETTERBOX -> letterbox(source, width, height, how);
            case NONE -> {
                requireSize(source, width, height);
                yield scaled(source, source, 0, 0);
            }
        };
    }

    /** The original at some scale; the result is yet to be cut. */
    private static Fitting scaled(Picture source, Picture result, int left, int top) {
        return new Fitting(
                result,
                (double) result.width() / source.width(),
                (double) result.height() / source.height(),
                left,
                top);
    }

    private Fitting with(Picture other, int x, int y) {
        return new Fitting(other, scaleX, scaleY, x, y);
    }

    private static Fitting crop(Picture source, int width, int height, Preprocessing how) {
        int scaledWidth;
        int scaledHeight;
        int left;
        int top;
        if (how.shortestSide().isPresent()) {
            int side = how.shortestSide().getAsInt();
            boolean upright = source.width() <= source.height();
            // the longer side is rounded down and the offset to even, as torchvision does
            scaledWidth = upright ? side : (int) ((long) side * source.width() / source.height());
            scaledHeight = upright ? (int) ((long) side * source.height() / source.width()) : side;
            if (scaledWidth < width || scaledHeight < height) {
                throw new IllegalArgumentException("a picture whose shortest side is " + side
                        + " pixels cannot be cut to " + width + "x" + height);
            }
            left = (int) Math.rint((scaledWidth - width) / 2.0);
            top = (int) Math.rint((scaledHeight - height) / 2.0);
        } else {
            double scale = Math.max((double) width / source.width(), (double) height / source.height());
            scaledWidth = Math.max(width, (int) Math.round(source.width() * scale));
            scaledHeight = Math.max(height, (int) Math.round(source.height() * scale));
            left = (scaledWidth - width) / 2;
            top = (scaledHeight - height) / 2;
        }
        Fitting whole = scaled(source, how.resampling().resize(source, scaledWidth, scaledHeight), 0, 0);
        return whole.with(whole.picture.cropped(left, top, width, height), -left, -top);
    }

    private static Fitting letterbox(Picture source, int width, int height, Preprocessing how) {
        double scale = Math.min((double) width / source.width(), (double) height / source.height());
        int scaledWidth = Math.min(width, Math.max(1, (int) Math.round(source.width() * scale)));
        int scaledHeight = Math.min(height, Math.max(1, (int) Math.round(source.height() * scale)));
        Fitting whole = scaled(source, how.resampling().resize(source, scaledWidth, scaledHeight), 0, 0);
        int left = (width - scaledWidth) / 2;
        int top = (height - scaledHeight) / 2;
        return whole.with(whole.picture.padded(left, top, width, height, how.padding()), left, top);
    }

    private static void requireSize(Picture source, int width, int height) {
        if (source.width() != width || source.height() != height) {
            throw new IllegalArgumentException("the picture has " + source.width() + "x" + source.height()
                    + " pixels, but the model expects " + width + "x" + height
                    + "; a fit (stretch, crop or letterbox) resizes it, on the command line --resize");
        }
    }
}
