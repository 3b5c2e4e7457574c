package org.clinfer.cli.image;

import java.util.List;

/**
 * The conversion of pixels to the numbers a network expects: {@code value = (pixel * scale - mean) / deviation}, with
 * pixels from 0 to 255.
 *
 * @param fit how the picture is brought to size
 * @param channels colours and their order
 * @param layout where the channels stand
 * @param scale factor on each pixel
 * @param mean subtracted afterwards, one number or one per channel in the order in which the network takes them
 * @param deviation divisor, as {@code mean}
 * @param invert whether each pixel is first replaced by 255 minus itself
 */
public record ImageRecipe(
        Fit fit,
        Channels channels,
        ImageLayout layout,
        float scale,
        List<Float> mean,
        List<Float> deviation,
        boolean invert) {

    /** Stretched to size, in the colours of the channel count, scaled to 0 … 1. */
    public static final ImageRecipe DEFAULT =
            new ImageRecipe(Fit.STRETCH, Channels.AUTO, ImageLayout.AUTO, 1 / 255f, List.of(0f), List.of(1f), false);

    public ImageRecipe {
        mean = List.copyOf(mean);
        deviation = List.copyOf(deviation);
        if (mean.isEmpty() || deviation.isEmpty()) {
            throw new IllegalArgumentException("mean and deviation need at least one number");
        }
        if (deviation.contains(0f)) {
            throw new IllegalArgumentException("a deviation must not be 0");
        }
    }

    float value(float pixel, int channel) {
        float shown = invert ? 255 - pixel : pixel;
        return (shown * scale - of(mean, channel)) / of(deviation, channel);
    }

    private static float of(List<Float> perChannel, int channel) {
        return perChannel.get(perChannel.size() == 1 ? 0 : channel);
    }

    void requireChannels(int count) {
        for (List<Float> numbers : List.of(mean, deviation)) {
            if (numbers.size() != 1 && numbers.size() != count) {
                throw new IllegalArgumentException("the model takes " + count + " channels, but " + numbers.size()
                        + " numbers are given for them: " + numbers);
            }
        }
    }
}
