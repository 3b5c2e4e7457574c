package org.clinfer.image;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The way of a picture into a network's input: brought to size, then {@code value = (pixel * scale - mean) / std} with
 * pixels from 0 to 255. Immutable.
 *
 * <pre>{@code
 * Tensor image = Preprocessing.imageNet().tensor(Picture.of(Path.of("cat.jpg")), model.inputs().get(0).type());
 * }</pre>
 *
 * @param fit how the picture is brought to size
 * @param resampling how it is made larger or smaller
 * @param shortestSide for {@link Fit#CROP}: the length of the shortest side before it is cut, in pixels; empty: as short as
 *     the target allows
 * @param padding for {@link Fit#LETTERBOX}: the pixel value of the bars, from 0 to 255
 * @param channels colours and their order
 * @param layout where the channels stand
 * @param scale factor on each pixel; empty: 1/255 for inputs of floats, 1 for those of integers
 * @param mean subtracted afterwards, one number or one per channel in the order in which the network takes them
 * @param std divisor, as {@code mean}
 * @param invert whether each pixel is first replaced by 255 minus itself
 */
public record Preprocessing(
        Fit fit,
        Resampling resampling,
        OptionalInt shortestSide,
        float padding,
        Channels channels,
        ImageLayout layout,
        Optional<Float> scale,
        List<Float> mean,
        List<Float> std,
        boolean invert) {

    private static final Preprocessing DEFAULTS = new Preprocessing(
            Fit.STRETCH,
            Resampling.ANTIALIASED,
            OptionalInt.empty(),
            0,
            Channels.AUTO,
            ImageLayout.AUTO,
            Optional.empty(),
            List.of(0f),
            List.of(1f),
            false);

    private static final int IMAGENET_SIDE = 256;
    private static final float YOLO_GRAY = 114;

    public Preprocessing {
        mean = List.copyOf(mean);
        std = List.copyOf(std);
        if (mean.isEmpty() || std.isEmpty()) {
            throw new IllegalArgumentException("mean and std need at least one number");
        }
        if (std.contains(0f)) {
            throw new IllegalArgumentException("a std must not be 0");
        }
        if (shortestSide.isPresent() && shortestSide.getAsInt() < 1) {
            throw new IllegalArgumentException(
                    "the shortest side must have at least 1 pixel, but has " + shortestSide.getAsInt());
        }
        if (!(padding >= 0 && padding <= 255)) {
            throw new IllegalArgumentException("the padding is a pixel value from 0 to 255, not " + padding);
        }
    }

    /**
     * {@return a preprocessing that stretches to size, in the colours of the channel count, scaled to 0 … 1 (bytes stay
     * 0 … 255)}
     */
    public static Preprocessing defaults() {
        return DEFAULTS;
    }

    /**
     * {@return the preprocessing that classifiers trained on ImageNet with torchvision expect: shortest side 256, the
     * centre cut out, red, green and blue with mean 0.485, 0.456, 0.406 and std 0.229, 0.224, 0.225}
     */
    public static Preprocessing imageNet() {
        return DEFAULTS.withFit(Fit.CROP)
                .withShortestSide(IMAGENET_SIDE)
                .withMean(0.485f, 0.456f, 0.406f)
                .withStd(0.229f, 0.224f, 0.225f);
    }

    /**
     * {@return the preprocessing that detectors of the YOLO family expect: letterbox with bars of gray 114, bilinear as
     * OpenCV, scaled to 0 … 1}
     */
    public static Preprocessing yolo() {
        return DEFAULTS.withFit(Fit.LETTERBOX).withPadding(YOLO_GRAY).withResampling(Resampling.BILINEAR);
    }

    /**
     * {@return this preprocessing with another way to bring pictures to size}
     *
     * @param other the way
     */
    public Preprocessing withFit(Fit other) {
        return new Preprocessing(other, resampling, shortestSide, padding, channels, layout, scale, mean, std, invert);
    }

    /**
     * {@return this preprocessing with another way to make pictures larger or smaller}
     *
     * @param other the way
     */
    public Preprocessing withResampling(Resampling other) {
        return new Preprocessing(fit, other, shortestSide, padding, channels, layout, scale, mean, std, invert);
    }

    /**
     * {@return this preprocessing with this length of the shortest side, in pixels, before the centre is cut out}
     *
     * @param pixels the length
     */
    public Preprocessing withShortestSide(int pixels) {
        return new Preprocessing(
                fit, resampling, OptionalInt.of(pixels), padding, channels, layout, scale, mean, std, invert);
    }

    /**
     * {@return this preprocessing with bars of this pixel value, from 0 to 255}
     *
     * @param pixel the value of each channel
     */
    public Preprocessing withPadding(float pixel) {
        return new Preprocessing(fit, resampling, shortestSide, pixel, channels, layout, scale, mean, std, invert);
    }

    /**
     * {@return this preprocessing with other colours, or another order of them}
     *
     * @param other the colours
     */
    public Preprocessing withChannels(Channels other) {
        return new Preprocessing(fit, resampling, shortestSide, padding, other, layout, scale, mean, std, invert);
    }

    /**
     * {@return this preprocessing with the channels at another place}
     *
     * @param other the place
     */
    public Preprocessing withLayout(ImageLayout other) {
        return new Preprocessing(fit, resampling, shortestSide, padding, channels, other, scale, mean, std, invert);
    }

    /**
     * {@return this preprocessing with another factor on pixels}
     *
     * @param factor what pixels from 0 to 255 are multiplied by
     */
    public Preprocessing withScale(float factor) {
        return new Preprocessing(
                fit, resampling, shortestSide, padding, channels, layout, Optional.of(factor), mean, std, invert);
    }

    /**
     * {@return this preprocessing with this mean, of all channels or of each; in the unit that pixels have after the
     * factor}
     *
     * @param values one, or one for each channel
     */
    public Preprocessing withMean(float... values) {
        return new Preprocessing(
                fit, resampling, shortestSide, padding, channels, layout, scale, list(values), std, invert);
    }

    /**
     * {@return this preprocessing with this std, of all channels or of each}
     *
     * @param values one, or one for each channel
     */
    public Preprocessing withStd(float... values) {
        return new Preprocessing(
                fit, resampling, shortestSide, padding, channels, layout, scale, mean, list(values), invert);
    }

    /**
     * {@return this preprocessing with or without pixels replaced by 255 minus themselves}
     *
     * @param wanted whether they are replaced
     */
    public Preprocessing withInvert(boolean wanted) {
        return new Preprocessing(fit, resampling, shortestSide, padding, channels, layout, scale, mean, std, wanted);
    }

    private static List<Float> list(float... values) {
        Float[] boxed = new Float[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return List.of(boxed);
    }

    /**
     * {@return the picture as an input of this type; see {@link #prepare}}
     *
     * @param picture the picture
     * @param type the type of the input; height and width that are not known are those of the picture
     * @throws IllegalArgumentException if a tensor of this type cannot hold a picture; the message says why
     */
    public Tensor tensor(Picture picture, TensorType type) {
        return prepare(picture, type).tensor();
    }

    /**
     * The picture as an input of this type, with the way back to its pixels. The type is {@code [1,] channels, height,
     * width} or {@code [1,] height, width, channels}, or {@code height, width} for gray, of any element type; integers are
     * rounded. Height and width that are not fixed are those of the picture, and a batch that is not fixed is 1.
     *
     * @param picture the picture
     * @param type the type of the input
     * @return its tensor belongs to the caller
     * @throws IllegalArgumentException if a tensor of this type cannot hold a picture; the message says why
     */
    public PreparedPicture prepare(Picture picture, TensorType type) {
        return PictureToTensor.convert(picture, type, this);
    }

    float value(float pixel, int channel, float factor) {
        float shown = invert ? 255 - pixel : pixel;
        return (shown * factor - of(mean, channel)) / of(std, channel);
    }

    private static float of(List<Float> perChannel, int channel) {
        return perChannel.get(perChannel.size() == 1 ? 0 : channel);
    }

    void requireChannels(int count) {
        for (List<Float> numbers : List.of(mean, std)) {
            if (numbers.size() != 1 && numbers.size() != count) {
                throw new IllegalArgumentException("the model takes " + count + " channels, but " + numbers.size()
                        + " numbers are given for them: " + numbers);
            }
        }
    }
}
