package org.clinfer.cpu.convolution;

import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.matrix.MatrixProduct;

/**
 * One group of a convolution over the outputs of one stencil, as a matrix product whose depth joins input channels and
 * taps: (outer taps, channels, inner taps).
 *
 * @param innerTaps how many consecutive taps a channel has before the next channel follows
 */
record FilterGroup(ConvolutionLayout layout, Stencil stencil, int group, int innerTaps) {

    private static final int STRIP = 16;

    /** In the order for products whose rows are outputs: all channels of a tap, which lie together. */
    static FilterGroup ofPixels(ConvolutionLayout layout, Stencil stencil, int group) {
        return new FilterGroup(layout, stencil, group, 1);
    }

    /**
     * In the order for products whose columns are outputs: all taps of a channel, or where the channels lie together those
     * of one kernel row, which meet almost the same inputs.
     */
    static FilterGroup ofChannels(ConvolutionLayout layout, Stencil stencil, int group) {
        int taps = layout.isChannelsLast() ? stencil.rowTaps() : stencil.taps().size();
        return new FilterGroup(layout, stencil, group, taps);
    }

    /** Terms of a sum. */
    int depth() {
        return layout.channels().inPerGroup() * stencil.taps().size();
    }

    /** The outputs of all images, per channel. */
    int columns() {
        return Math.multiplyExact(layout.channels().batch(), stencil.outputs());
    }

    int firstOut() {
        return group * layout.channels().outPerGroup();
    }

    /** The channel of term {@code k} within the group's input channels. */
    int channel(int k) {
        return k / innerTaps % layout.channels().inPerGroup();
    }

    /** The tap of term {@code k}. */
    Stencil.Tap tap(int k) {
        int outer = k / innerTaps / layout.channels().inPerGroup();
        return stencil.taps().get(outer * innerTaps + k % innerTaps);
    }

    /** The begin of a channel of the group in the first image of x. */
    int origin(int channel) {
        return (group * layout.channels().inPerGroup() + channel) * layout.xStrides()[1];
    }

    /** The place in x of what term {@code k} of an output meets, or -1 in the padding. */
    int place(Stencil.Walk output, int k) {
        int[] strides = layout.xStrides();
        int[] step = stencil.step();
        int[] offset = tap(k).offset();
        int depth = output.depth * step[0] + offset[0];
        int height = output.height * step[1] + offset[1];
        int width = output.width * step[2] + offset[2];
        return stencil.isLine(depth, height) && width >= 0 && width < stencil.in()[2]
                ? origin(channel(k))
                        + output.image * strides[0]
                        + depth * strides[2]
                        + height * strides[3]
                        + width * strides[4]
                : -1;
    }

    /** The positions of the weights of the group's first output channel, by term. */
    int[] terms() {
        int[] terms = new int[depth()];
        int first = layout.weight(group);
        for (int k = 0; k < terms.length; k++) {
            terms[k] = first + channel(k) * layout.wStrides()[1] + layout.tapOffset(tap(k).at());
        }
        return terms;
    }

    /** {@return whether the weights of all groups are one row-major matrix [output channels, depth]} */
    boolean isDense() {
        return layout.channels().groups() == 1
                && layout.wStrides()[0] == depth()
                && FilterMatrix.isDense(terms(), 0, depth());
    }

    /** The product [output channels, depth] * [depth, outputs]: its rows are long where there are many outputs. */
    MatrixProduct.Part channelRows(float[] x, float[] weights, Epilogue.Store<float[]> epilogue) {
        return channelRows(x, weights, (MatrixProduct.Result.OfFloats) (sums, tile) -> {
            if (isOnePiece(tile.rows())) {
                storeTransposed(sums, tile, epilogue);
            } else {
                storeChannels(sums, tile, epilogue);
            }
        });
    }

    /** The same with sums in ints. */
    MatrixProduct.Part integerChannelRows(float[] x, float[] weights, Epilogue.Store<int[]> epilogue) {
        return channelRows(
                x, weights, (MatrixProduct.Result.OfInts) (sums, tile) -> storeChannels(sums, tile, epilogue));
    }

    private MatrixProduct.Part channelRows(float[] x, float[] weights, MatrixProduct.Result result) {
        int[] terms = terms();
        int outStep = layout.wStrides()[0];
        boolean isDense = terms.length > 0 && FilterMatrix.isDense(terms, 0, terms.length);
        return new MatrixProduct.Part(
                layout.channels().outPerGroup(),
                depth(),
                columns(),
                isDense
                        ? new MatrixProduct.Dense(weights, terms[0], outStep)
                        : new FilterMatrix(weights, terms, outStep),
                new ColumnPanel(x, this),
                result);
    }

    /** {@return whether {@code channels} channels of neighbouring outputs follow one another in y} */
    private boolean isOnePiece(int channels) {
        return layout.isChannelsLast() && stencil.outStep()[2] * layout.yStrides()[4] == channels;
    }

    /** The product [outputs, depth] * [depth, output channels], for channels that are last: nothing is transposed. */
    MatrixProduct.Part pixelRows(float[] x, float[] weights, Epilogue.Store<float[]> epilogue) {
        return pixelRows(x, weights, (MatrixProduct.Result.OfFloats) (sums, tile) -> storePixels(sums, tile, epilogue));
    }

    /** The same with sums in ints. */
    MatrixProduct.Part integerPixelRows(float[] x, float[] weights, Epilogue.Store<int[]> epilogue) {
        return pixelRows(x, weights, (MatrixProduct.Result.OfInts) (sums, tile) -> storePixels(sums, tile, epilogue));
    }

    private MatrixProduct.Part pixelRows(float[] x, float[] weights, MatrixProduct.Result result) {
        return new MatrixProduct.Part(
                columns(),
                depth(),
                layout.channels().outPerGroup(),
                new PixelRows(x, this),
                new FilterMatrix(weights, terms(), layout.wStrides()[0]),
                result);
    }

    /** Stores rows of consecutive outputs of one channel each. */
    private <A> void storeChannels(A[] sums, MatrixProduct.Tile tile, Epilogue.Store<A> epilogue) {
        int step = stencil.outStep()[2] * layout.yStrides()[4];
        for (int row = 0; row < tile.rows(); row++) {
            int channel = firstOut() + tile.row() + row;
            Stencil.Walk walk = stencil.walk(tile.column());
            int done = 0;
            while (done < tile.columns()) {
                int count = walk.run(tile.columns() - done);
                int element = element(walk, channel);
                epilogue.store(sums[row], done, new Epilogue.Stretch(element, step, count, channel, false));
                walk.skip(count);
                done += count;
            }
        }
    }

    /** Stores rows of consecutive outputs of one channel each, where {@link #isOnePiece}, by strips of outputs. */
    private void storeTransposed(float[][] sums, MatrixProduct.Tile tile, Epilogue.Store<float[]> epilogue) {
        int channels = tile.rows();
        int first = firstOut() + tile.row();
        float[] strip = new float[STRIP * channels];
        Stencil.Walk walk = stencil.walk(tile.column());
        int done = 0;
        while (done < tile.columns()) {
            int count = walk.run(Math.min(STRIP, tile.columns() - done));
            for (int channel = 0; channel < channels; channel++) {
                float[] row = sums[channel];
                for (int j = 0; j < count; j++) {
                    strip[j * channels + channel] = row[done + j];
                }
            }
            int element = element(walk, first);
            epilogue.store(strip, 0, new Epilogue.Stretch(element, 1, count * channels, first, true));
            walk.skip(count);
            done += count;
        }
    }

    /** Stores rows of consecutive channels of one output each. */
    <A> void storePixels(A[] sums, MatrixProduct.Tile tile, Epilogue.Store<A> epilogue) {
        int channel = firstOut() + tile.column();
        Stencil.Walk walk = stencil.walk(tile.row());
        for (int row = 0; row < tile.rows(); row++) {
            int element = element(walk, channel);
            epilogue.store(
                    sums[row], 0, new Epilogue.Stretch(element, layout.yStrides()[1], tile.columns(), channel, true));
            walk.skip(1);
        }
    }

    /** The element of y of an output. */
    private int element(Stencil.Walk at, int channel) {
        int[] strides = layout.yStrides();
        int[] first = stencil.first();
        int[] step = stencil.outStep();
        return at.image * strides[0]
                + channel * strides[1]
                + (first[0] + at.depth * step[0]) * strides[2]
                + (first[1] + at.height * step[1]) * strides[3]
                + (first[2] + at.width * step[2]) * strides[4];
    }
}
