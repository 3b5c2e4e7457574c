package org.clinfer.image;

import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Turns a picture into an input of a network. */
final class PictureToTensor {

    /** The form of a picture by the model's input type; unknown sizes are the picture's own. */
    private record Target(int channels, int height, int width, boolean channelsFirst, int rank) {}

    private PictureToTensor() {}

    static PreparedPicture convert(Picture picture, TensorType type, Preprocessing recipe) {
        Target target = target(picture, type, recipe);
        recipe.requireChannels(target.channels);
        Picture coloured = target.channels == 1 ? picture.toGray() : picture.toRgb();
        Fitting fitting = Fitting.of(coloured, target.width, target.height, recipe);
        Tensor tensor = Tensor.allocate(new TensorType(type.dtype(), Shape.of(sizes(target))));
        fill(tensor, fitting.picture(), target, recipe);
        return new PreparedPicture(
                tensor,
                picture.width(),
                picture.height(),
                target.width,
                target.height,
                fitting.scaleX(),
                fitting.scaleY(),
                fitting.left(),
                fitting.top());
    }

    private static void fill(Tensor tensor, Picture fitted, Target target, Preprocessing recipe) {
        boolean reversed = recipe.channels() == Channels.BGR;
        boolean floats = tensor.dtype().isFloating();
        float factor = recipe.scale().orElse(floats ? 1 / 255f : 1f);
        int plane = target.height * target.width;
        double[] values = new double[plane * target.channels];
        for (int pixel = 0; pixel < plane; pixel++) {
            for (int channel = 0; channel < target.channels; channel++) {
                int from = reversed ? target.channels - 1 - channel : channel;
                float value = recipe.value(fitted.values()[pixel * target.channels + from], channel, factor);
                int at = target.channelsFirst ? channel * plane + pixel : pixel * target.channels + channel;
                values[at] = floats ? value : Math.rint(value);
            }
        }
        tensor.setDoubles(values);
    }

    private static long[] sizes(Target target) {
        long[] image = target.channelsFirst
                ? new long[] {1, target.channels, target.height, target.width}
                : new long[] {1, target.height, target.width, target.channels};
        if (target.rank == 4) {
            return image;
        }
        if (target.rank == 3) {
            return new long[] {image[1], image[2], image[3]};
        }
        return new long[] {target.height, target.width};
    }

    private static Target target(Picture picture, TensorType type, Preprocessing recipe) {
        int rank = type.shape().rank();
        if (rank < 2 || rank > 4) {
            throw new IllegalArgumentException("a picture needs an input of 2 to 4 dimensions, but it is " + type);
        }
        if (rank == 4 && !admits(type.shape().dim(0), 1)) {
            throw new IllegalArgumentException("one picture was given, but the input " + type + " is a batch");
        }
        if (rank == 2) {
            requireCount(1, recipe, type);
            return new Target(
                    1,
                    size(type.shape().dim(0), picture.height()),
                    size(type.shape().dim(1), picture.width()),
                    true,
                    2);
        }
        int first = rank - 3;
        boolean channelsFirst = isChannelsFirst(type, first, recipe.layout());
        Dim channelDim = type.shape().dim(channelsFirst ? first : first + 2);
        int channels = size(channelDim, recipe.channels() == Channels.GRAY ? 1 : colours(picture, recipe));
        requireCount(channels, recipe, type);
        Dim height = type.shape().dim(channelsFirst ? first + 1 : first);
        Dim width = type.shape().dim(channelsFirst ? first + 2 : first + 1);
        return new Target(channels, size(height, picture.height()), size(width, picture.width()), channelsFirst, rank);
    }

    private static int colours(Picture picture, Preprocessing recipe) {
        return recipe.channels() == Channels.AUTO ? picture.channels() : 3;
    }

    private static boolean isChannelsFirst(TensorType type, int first, ImageLayout layout) {
        if (layout != ImageLayout.AUTO) {
            return layout == ImageLayout.NCHW;
        }
        return isChannelCount(type.shape().dim(first))
                || !isChannelCount(type.shape().dim(first + 2));
    }

    private static boolean isChannelCount(Dim dim) {
        return dim instanceof Dim.Known known && (known.size() == 1 || known.size() == 3);
    }

    private static void requireCount(int channels, Preprocessing recipe, TensorType type) {
        boolean fits = switch (recipe.channels()) {
            case AUTO -> channels == 1 || channels == 3;
            case GRAY -> channels == 1;
            case RGB, BGR -> channels == 3;
        };
        if (!fits) {
            throw new IllegalArgumentException("a picture cannot fill the input " + type + ": it has " + channels
                    + " channels where " + (recipe.channels() == Channels.AUTO ? "1 or 3" : recipe.channels())
                    + " were expected");
        }
    }

    private static boolean admits(Dim dim, long size) {
        return !(dim instanceof Dim.Known known) || known.size() == size;
    }

    private static int size(Dim dim, int otherwise) {
        if (dim instanceof Dim.Known known) {
            return Math.toIntExact(known.size());
        }
        return otherwise;
    }
}
