package org.clinfer.image;

import java.awt.image.BufferedImage;
import java.util.Optional;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Shows a tensor as a picture, where its shape is one of a picture. */
public final class TensorToImage {

    private static final int LEAST_SIDE = 8;
    private static final long MOST_SIDE = 16384;

    /** Strides and sizes of a picture in a tensor. */
    private record View(int channels, int height, int width, boolean channelsFirst) {}

    private TensorToImage() {}

    /**
     * {@return the tensor as a picture, if its shape is {@code [1,] 1|3|4, H, W} or {@code [1,] H, W, 1|3|4} with
     * sides of at least 8; else empty} Three channels are red, green, blue; a fourth is opacity.
     *
     * @param tensor of any type
     * @param range the values from black to white
     */
    public static Optional<BufferedImage> convert(Tensor tensor, ValueRange range) {
        return view(tensor.shape()).map(view -> paint(tensor, view, range.ends(tensor)));
    }

    private static Optional<View> view(Shape shape) {
        long[] sizes = shape.sizes();
        if (sizes.length == 4 && sizes[0] == 1) {
            sizes = new long[] {sizes[1], sizes[2], sizes[3]};
        }
        if (sizes.length != 3) {
            return Optional.empty();
        }
        if (isChannelCount(sizes[0]) && isSide(sizes[1]) && isSide(sizes[2])) {
            return Optional.of(new View((int) sizes[0], (int) sizes[1], (int) sizes[2], true));
        }
        if (isChannelCount(sizes[2]) && isSide(sizes[0]) && isSide(sizes[1])) {
            return Optional.of(new View((int) sizes[2], (int) sizes[0], (int) sizes[1], false));
        }
        return Optional.empty();
    }

    private static boolean isChannelCount(long size) {
        return size == 1 || size == 3 || size == 4;
    }

    private static boolean isSide(long size) {
        return size >= LEAST_SIDE && size <= MOST_SIDE;
    }

    private static BufferedImage paint(Tensor tensor, View view, ValueRange.Ends ends) {
        int kind = switch (view.channels) {
            case 1 -> BufferedImage.TYPE_BYTE_GRAY;
            case 3 -> BufferedImage.TYPE_INT_RGB;
            default -> BufferedImage.TYPE_INT_ARGB;
        };
        BufferedImage image = new BufferedImage(view.width, view.height, kind);
        int plane = view.height * view.width;
        int[] sample = new int[view.channels];
        for (int pixel = 0; pixel < plane; pixel++) {
            for (int channel = 0; channel < view.channels; channel++) {
                long at = view.channelsFirst ? (long) channel * plane + pixel : (long) pixel * view.channels + channel;
                sample[channel] = ends.shade(tensor.getDouble(at));
            }
            image.getRaster().setPixel(pixel % view.width, pixel / view.width, sample);
        }
        return image;
    }
}
