package org.clinfer.image;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A decoded picture, upright: rows top-down, pixels left to right, channels interleaved. Values are samples from 0 to 255
 * as they are stored, in sRGB where the file says so; transparency is dropped. Immutable as long as nobody writes into the
 * array.
 *
 * @param width in pixels
 * @param height in pixels
 * @param channels 1 (gray) or 3 (red, green, blue)
 * @param values {@code height * width * channels} values from 0 to 255
 */
@SuppressWarnings("ArrayRecordComponent")
public record Picture(int width, int height, int channels, float[] values) {

    private static final float RED_SHARE = 0.299f;
    private static final float GREEN_SHARE = 0.587f;
    private static final float BLUE_SHARE = 0.114f;
    private static final long MOST_VALUES = Integer.MAX_VALUE - 8;

    public Picture {
        if (width < 1 || height < 1 || (channels != 1 && channels != 3)) {
            throw new IllegalArgumentException("a picture has pixels of 1 or 3 channels, but this one is " + width + "x"
                    + height + "x" + channels);
        }
        if (values.length != (long) width * height * channels) {
            throw new IllegalArgumentException(
                    width + "x" + height + "x" + channels + " pixels do not have " + values.length + " values");
        }
    }

    /**
     * Reads a picture file: PNG, JPEG, BMP, GIF (its first frame), PGM, PPM, TIFF or WebP, told by its first bytes. It is
     * turned as its Exif data say.
     *
     * <p>Some pictures need libraries that an application may leave out: JPEG in four colours (CMYK, YCCK), WebP, and TIFF
     * beyond what the JDK reads need TwelveMonkeys ({@code com.twelvemonkeys.imageio:imageio-jpeg}, {@code imageio-webp},
     * {@code imageio-tiff}), Exif data {@code com.drewnoakes:metadata-extractor}. Without them such a picture is refused.
     *
     * @param file the file
     * @return its pixels
     * @throws PictureException if it is no picture of these kinds or a damaged one, needs a library that is not there, or
     *     has more than 64 million pixels or more than Java has memory for, which is known before it is decoded
     * @throws IOException if the file cannot be read
     */
    public static Picture of(Path file) throws IOException {
        return PictureReader.read(file);
    }

    /**
     * Reads the bytes of a picture file, as {@link #of(Path)}.
     *
     * @param file the bytes of the file
     * @return its pixels
     * @throws PictureException as there
     */
    public static Picture of(byte[] file) {
        return PictureReader.read("picture", file);
    }

    /**
     * {@return a picture that is in memory already; its pixels are copied} Gray ones have one channel, all others
     * three.
     *
     * @param image of any type
     */
    public static Picture of(BufferedImage image) {
        return PictureReader.pixels(image);
    }

    /**
     * {@return this picture for Java's own graphics: {@code TYPE_BYTE_GRAY} or {@code TYPE_INT_RGB}, values rounded}
     */
    public BufferedImage toBufferedImage() {
        BufferedImage image = new BufferedImage(
                width, height, channels == 1 ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                for (int channel = 0; channel < channels; channel++) {
                    int value = Math.max(0, Math.min(255, Math.round(value(x, y, channel))));
                    image.getRaster().setSample(x, y, channel, value);
                }
            }
        }
        return image;
    }

    /**
     * {@return one value, from 0 to 255}
     *
     * @param x the column, counted from 0 at the left
     * @param y the row, counted from 0 at the top
     * @param channel counted from 0
     */
    public float value(int x, int y, int channel) {
        return values[(y * width + x) * channels + channel];
    }

    /**
     * {@return this picture in another size}
     *
     * @param newWidth in pixels
     * @param newHeight in pixels
     * @param resampling the way to compute pixels between pixels
     */
    public Picture resized(int newWidth, int newHeight, Resampling resampling) {
        return resampling.resize(this, CropWindow.whole(newWidth, newHeight));
    }

    static Picture blank(int width, int height, int channels) {
        long values = (long) width * height * channels;
        if (values > MOST_VALUES) {
            throw new IllegalArgumentException("a picture of " + width + "x" + height + " pixels is too large");
        }
        return new Picture(width, height, channels, new float[(int) values]);
    }

    void set(int x, int y, int channel, float value) {
        values[(y * width + x) * channels + channel] = value;
    }

    /** {@return this picture in gray: ITU-R BT.601 luma} */
    public Picture toGray() {
        if (channels == 1) {
            return this;
        }
        float[] gray = new float[width * height];
        for (int i = 0; i < gray.length; i++) {
            gray[i] = RED_SHARE * values[3 * i] + GREEN_SHARE * values[3 * i + 1] + BLUE_SHARE * values[3 * i + 2];
        }
        return new Picture(width, height, 1, gray);
    }

    /** {@return this picture with three channels} */
    public Picture toRgb() {
        if (channels == 3) {
            return this;
        }
        float[] rgb = new float[values.length * 3];
        for (int i = 0; i < rgb.length; i++) {
            rgb[i] = values[i / 3];
        }
        return new Picture(width, height, 3, rgb);
    }

    /** This picture in a larger one, whose other values are all the same. */
    Picture padded(int left, int top, int newWidth, int newHeight, float padding) {
        Picture target = blank(newWidth, newHeight, channels);
        Arrays.fill(target.values, padding);
        for (int y = 0; y < height; y++) {
            int to = ((top + y) * newWidth + left) * channels;
            System.arraycopy(values, y * width * channels, target.values, to, width * channels);
        }
        return target;
    }

    /**
     * This picture upright.
     *
     * @param orientation what Exif says of it: the place of its first row and column, from 1 to 8
     */
    Picture upright(int orientation) {
        if (orientation == 1) {
            return this;
        }
        boolean swapped = orientation >= 5;
        Picture turned = swapped ? blank(height, width, channels) : blank(width, height, channels);
        boolean fromRight = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
        boolean fromBottom = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
        for (int y = 0; y < turned.height; y++) {
            for (int x = 0; x < turned.width; x++) {
                int column = fromRight ? turned.width - 1 - x : x;
                int row = fromBottom ? turned.height - 1 - y : y;
                for (int channel = 0; channel < channels; channel++) {
                    turned.set(x, y, channel, swapped ? value(row, column, channel) : value(column, row, channel));
                }
            }
        }
        return turned;
    }
}
