package org.clinfer.cli.image;

/**
 * A decoded picture: rows top-down, pixels left to right, channels interleaved.
 *
 * @param width in pixels
 * @param height in pixels
 * @param channels 1 (gray) or 3 (red, green, blue)
 * @param values {@code height * width * channels} values from 0 to 255
 */
@SuppressWarnings("ArrayRecordComponent")
public record Pixels(int width, int height, int channels, float[] values) {

    private static final float RED_SHARE = 0.299f;
    private static final float GREEN_SHARE = 0.587f;
    private static final float BLUE_SHARE = 0.114f;

    public Pixels {
        if (values.length != (long) width * height * channels) {
            throw new IllegalArgumentException(
                    width + "x" + height + "x" + channels + " pixels do not have " + values.length + " values");
        }
    }

    static Pixels blank(int width, int height, int channels) {
        return new Pixels(width, height, channels, new float[Math.multiplyExact(width * height, channels)]);
    }

    float at(int x, int y, int channel) {
        return values[(y * width + x) * channels + channel];
    }

    void set(int x, int y, int channel, float value) {
        values[(y * width + x) * channels + channel] = value;
    }

    /** This picture in gray: ITU-R BT.601 luma. */
    Pixels toGray() {
        if (channels == 1) {
            return this;
        }
        float[] gray = new float[width * height];
        for (int i = 0; i < gray.length; i++) {
            gray[i] = RED_SHARE * values[3 * i] + GREEN_SHARE * values[3 * i + 1] + BLUE_SHARE * values[3 * i + 2];
        }
        return new Pixels(width, height, 1, gray);
    }

    /** This picture with three channels. */
    Pixels toRgb() {
        if (channels == 3) {
            return this;
        }
        float[] rgb = new float[values.length * 3];
        for (int i = 0; i < rgb.length; i++) {
            rgb[i] = values[i / 3];
        }
        return new Pixels(width, height, 3, rgb);
    }

    /** The part that starts at {@code left, top}. */
    Pixels cropped(int left, int top, int newWidth, int newHeight) {
        Pixels part = blank(newWidth, newHeight, channels);
        for (int y = 0; y < newHeight; y++) {
            int from = ((top + y) * width + left) * channels;
            System.arraycopy(values, from, part.values, y * newWidth * channels, newWidth * channels);
        }
        return part;
    }
}
