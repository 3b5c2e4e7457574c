package org.clinfer.cli.image;

/** The way in which a picture is brought to the size a network expects. */
public enum Fit {
    /** Each side on its own; the aspect ratio may change. */
    STRETCH {
        @Override
        Pixels apply(Pixels source, int width, int height) {
            return Resampler.resize(source, width, height);
        }
    },
    /** Scaled until it covers the target, then cut at the centre. */
    CROP {
        @Override
        Pixels apply(Pixels source, int width, int height) {
            double scale = Math.max((double) width / source.width(), (double) height / source.height());
            int scaledWidth = Math.max(width, (int) Math.round(source.width() * scale));
            int scaledHeight = Math.max(height, (int) Math.round(source.height() * scale));
            Pixels scaled = Resampler.resize(source, scaledWidth, scaledHeight);
            return scaled.cropped((scaledWidth - width) / 2, (scaledHeight - height) / 2, width, height);
        }
    },
    /** Scaled until it fits into the target, with black bars for the rest. */
    LETTERBOX {
        @Override
        Pixels apply(Pixels source, int width, int height) {
            double scale = Math.min((double) width / source.width(), (double) height / source.height());
            int scaledWidth = Math.min(width, Math.max(1, (int) Math.round(source.width() * scale)));
            int scaledHeight = Math.min(height, Math.max(1, (int) Math.round(source.height() * scale)));
            Pixels scaled = Resampler.resize(source, scaledWidth, scaledHeight);
            Pixels target = Pixels.blank(width, height, source.channels());
            int left = (width - scaledWidth) / 2;
            int top = (height - scaledHeight) / 2;
            int rowValues = scaledWidth * source.channels();
            for (int y = 0; y < scaledHeight; y++) {
                int to = ((top + y) * width + left) * source.channels();
                System.arraycopy(scaled.values(), y * rowValues, target.values(), to, rowValues);
            }
            return target;
        }
    },
    /** Not at all: the picture must have the expected size. */
    NONE {
        @Override
        Pixels apply(Pixels source, int width, int height) {
            if (source.width() != width || source.height() != height) {
                throw new IllegalArgumentException("the picture has " + source.width() + "x" + source.height()
                        + " pixels, but the model expects " + width + "x" + height
                        + "; use --resize stretch, crop or letterbox");
            }
            return source;
        }
    };

    abstract Pixels apply(Pixels source, int width, int height);
}
