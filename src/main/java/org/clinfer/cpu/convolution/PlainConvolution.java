package org.clinfer.cpu.convolution;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.window.Window;

/**
 * Convolution and its transposition straight from the definition, in the arithmetic of the subclass.
 *
 * @param <A> an array of sums
 */
abstract class PlainConvolution<A> {

    /*
     * A line of outputs is summed at a time: positions of one channel along the width or, where channels are last, the
     * channels of a group at one position, or the groups where each has but one. One kernel element then adds to the whole
     * line, or to every stride-th sum of it, with fixed distances in x and in the weights.
     */
    private static final int LONGEST = 4096;

    private static final Line NONE = new Line(0, 0, 0, 0, 0, 0, 0);

    private final ConvolutionLayout layout;
    private final Window window;
    private final boolean isTransposed;
    private final Axis axis;
    private final int length;
    private final int pieces;

    /** The axis that a line goes along. */
    private enum Axis {
        WIDTH,
        CHANNELS,
        GROUPS
    }

    /** {@code count} sums, and the elements of x and of the weights whose products are added to them. */
    protected record Line(int sum, int sumStep, int x, int xStep, int weight, int weightStep, int count) {}

    /** The start of a line; the channel is that of y. */
    private record Start(int image, int channel, int depth, int height, int width, int count) {}

    PlainConvolution(ConvolutionLayout layout, boolean isTransposed) {
        this.layout = layout;
        this.window = layout.window();
        this.isTransposed = isTransposed;
        ConvolutionLayout.Channels channels = layout.channels();
        if (!layout.isChannelsLast()) {
            this.axis = Axis.WIDTH;
            this.length = window.out()[2];
        } else if (channels.outPerGroup() > 1) {
            this.axis = Axis.CHANNELS;
            this.length = channels.outPerGroup();
        } else {
            this.axis = Axis.GROUPS;
            this.length = channels.groups();
        }
        this.pieces = Rounding.ceilDiv(length, LONGEST);
    }

    protected abstract A newSums(int count);

    /** Sets the first sums to 0. */
    protected abstract void clear(A sums, int count);

    protected abstract void add(A sums, Line line);

    /** Finishes and stores the first sums. */
    protected abstract void store(A sums, Epilogue.Stretch stretch);

    final void run(Parallel parallel) {
        ConvolutionLayout.Channels channels = layout.channels();
        int others = axis == Axis.WIDTH
                ? channels.out() * window.out()[0] * window.out()[1]
                : channels.out() / length * window.outElements();
        int lines = Math.multiplyExact(channels.batch() * others, pieces);
        int piece = Math.min(length, LONGEST);
        long products = (long) channels.inPerGroup() * window.taps() * piece;
        parallel.forRange(lines, Chunks.grain(products), (from, to) -> {
            A sums = newSums(piece);
            for (int line = from; line < to; line++) {
                Start start = axis == Axis.WIDTH ? alongWidth(line) : alongChannels(line);
                clear(sums, start.count);
                addTaps(sums, start);
                store(sums, stretch(start));
            }
        });
    }

    private Start alongWidth(int line) {
        int[] out = window.out();
        int width = line % pieces * LONGEST;
        int row = line / pieces;
        int plane = row / out[1] / out[0];
        int channels = layout.channels().out();
        int count = Math.min(LONGEST, length - width);
        return new Start(plane / channels, plane % channels, row / out[1] % out[0], row % out[1], width, count);
    }

    private Start alongChannels(int line) {
        int[] out = window.out();
        int lines = layout.channels().out() / length;
        int first = line % pieces * LONGEST;
        int channel = line / pieces % lines * length + first;
        int position = line / pieces / lines;
        int row = position / out[2];
        int plane = row / out[1];
        int count = Math.min(LONGEST, length - first);
        return new Start(plane / out[0], channel, plane % out[0], row % out[1], position % out[2], count);
    }

    private Epilogue.Stretch stretch(Start start) {
        int[] strides = layout.yStrides();
        int element = start.image * strides[0]
                + start.channel * strides[1]
                + start.depth * strides[2]
                + start.height * strides[3]
                + start.width * strides[4];
        boolean isAlongChannels = axis != Axis.WIDTH;
        int step = strides[isAlongChannels ? 1 : 4];
        return new Epilogue.Stretch(element, step, start.count, start.channel, isAlongChannels);
    }

    /** The input coordinate that kernel element {@code tap} meets at an output coordinate, or -1. */
    private int input(int of, int out, int tap) {
        int stride = window.stride()[of];
        int reach = tap * window.dilation()[of];
        int pad = window.padBegin()[of];
        if (!isTransposed) {
            int in = out * stride + reach - pad;
            return in < window.in()[of] ? Math.max(-1, in) : -1;
        }
        int distance = out + pad - reach;
        boolean isMet = distance >= 0 && distance % stride == 0 && distance / stride < window.in()[of];
        return isMet ? distance / stride : -1;
    }

    private void addTaps(A sums, Start start) {
        int[] kernel = window.kernel();
        int[] strides = layout.xStrides();
        int perGroup = layout.channels().inPerGroup();
        int group = start.channel / layout.channels().outPerGroup();
        int out = start.channel % layout.channels().outPerGroup();
        int x = start.image * strides[0] + group * perGroup * strides[1];
        int weight = layout.weight(group) + out * layout.wStrides()[0];
        for (int kd = 0; kd < kernel[0]; kd++) {
            int depth = input(0, start.depth, kd);
            for (int kh = 0; depth >= 0 && kh < kernel[1]; kh++) {
                int height = input(1, start.height, kh);
                if (height < 0) {
                    continue;
                }
                int row = x + depth * strides[2] + height * strides[3];
                for (int kw = 0; kw < kernel[2]; kw++) {
                    Line line = axis == Axis.WIDTH
                            ? metAlongWidth(start, kw)
                            : metByChannels(start, input(2, start.width, kw));
                    int tap = weight + layout.tapOffset(new int[] {kd, kh, kw});
                    for (int c = 0; line.count > 0 && c < perGroup; c++) {
                        add(sums, moved(line, row + c * strides[1], tap + c * layout.wStrides()[1]));
                    }
                }
            }
        }
    }

    private static Line moved(Line line, int x, int weight) {
        return new Line(line.sum, line.sumStep, x + line.x, line.xStep, weight, line.weightStep, line.count);
    }

    private Line metByChannels(Start start, int width) {
        int[] strides = layout.xStrides();
        if (width < 0) {
            return NONE;
        }
        int x = width * strides[4];
        if (axis == Axis.CHANNELS) {
            return new Line(0, 1, x, 0, 0, layout.wStrides()[0], start.count);
        }
        int groupStep = layout.channels().inPerGroup() * strides[1];
        return new Line(0, 1, x, groupStep, 0, layout.wStrides()[5], start.count);
    }

    /** The outputs of a line of positions that kernel column {@code tap} meets inside of the input. */
    private Line metAlongWidth(Start start, int tap) {
        int stride = window.stride()[2];
        int in = window.in()[2];
        int xStep = layout.xStrides()[4];
        int shift = tap * window.dilation()[2] - window.padBegin()[2];
        if (isTransposed) {
            int first = Rounding.ceilDiv(Math.max(0, start.width - shift), stride);
            long sum = (long) first * stride + shift - start.width;
            if (first >= in || sum >= start.count) {
                return NONE;
            }
            int count = Math.min(in - first, (start.count - 1 - (int) sum) / stride + 1);
            return new Line((int) sum, stride, first * xStep, xStep, 0, 0, count);
        }
        int at = start.width * stride + shift;
        int begin = at >= 0 ? 0 : Math.min(start.count, Rounding.ceilDiv(-at, stride));
        int end = at >= in ? 0 : Math.min(start.count, (in - 1 - at) / stride + 1);
        if (end <= begin) {
            return NONE;
        }
        return new Line(begin, 1, (at + begin * stride) * xStep, stride * xStep, 0, 0, end - begin);
    }
}
