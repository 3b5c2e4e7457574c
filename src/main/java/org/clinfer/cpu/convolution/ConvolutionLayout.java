package org.clinfer.cpu.convolution;

import org.clinfer.cpu.window.Window;
import org.clinfer.graph.Parameters;

/**
 * The sizes of a convolution of either direction and where its elements lie.
 *
 * @param xStrides distances in x of [batch, channel, depth, height, width]
 * @param wStrides distances in the weights of [output channel of a group, input channel of a group, depth, height, width,
 *     group]
 * @param yStrides as of x
 * @param isChannelsLast whether the channels of one position lie side by side in x and y, not the positions of a channel
 */
@SuppressWarnings("ArrayRecordComponent")
public record ConvolutionLayout(
        Channels channels, Window window, int[] xStrides, int[] wStrides, int[] yStrides, boolean isChannelsLast) {

    private static final int LONG_ROW = 128;

    public static ConvolutionLayout of(Parameters parameters) {
        return new ConvolutionLayout(
                Channels.of(parameters),
                Window.of(parameters),
                parameters.ints("x_strides"),
                parameters.ints("w_strides"),
                parameters.ints("y_strides"),
                parameters.text("data_format").equals("NXC"));
    }

    /** {@return whether it is one product of matrices: [positions, channels] and the weights, in either order of their axes} */
    boolean isProduct() {
        boolean hasRows = wStrides[0] == 1 && wStrides[1] == channels.out;
        boolean hasColumns = wStrides[0] == channels.in && wStrides[1] == 1;
        return isChannelsLast && channels.groups == 1 && window.isPointwise() && (hasRows || hasColumns);
    }

    /** {@return whether channels that are last make rows long enough for products whose rows are positions} */
    boolean hasLongRows() {
        return isChannelsLast && channels.outPerGroup() >= LONG_ROW;
    }

    /** The weights of the first channels of a group. */
    int weight(int group) {
        return group * wStrides[5];
    }

    /** The distance of a kernel element from the first of its kernel. */
    int tapOffset(int[] tap) {
        return tap[0] * wStrides[2] + tap[1] * wStrides[3] + tap[2] * wStrides[4];
    }

    /** The channel counts of a convolution. */
    public record Channels(int batch, int in, int out, int groups) {

        public static Channels of(Parameters parameters) {
            return new Channels(
                    Math.toIntExact(parameters.integer("batch")),
                    Math.toIntExact(parameters.integer("in_channels")),
                    Math.toIntExact(parameters.integer("out_channels")),
                    Math.toIntExact(parameters.integer("groups")));
        }

        int inPerGroup() {
            return in / groups;
        }

        int outPerGroup() {
            return out / groups;
        }
    }
}
