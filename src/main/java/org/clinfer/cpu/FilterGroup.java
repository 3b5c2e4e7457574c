package org.clinfer.cpu;

/**
 * One group of a convolution over the outputs of one stencil, as a matrix product whose depth joins input channels and
 * taps. Neighbours along the depth are neighbours in x where they can be: taps of one channel where the positions of a
 * channel lie together, channels of one tap where channels are last.
 */
record FilterGroup(ConvolutionLayout layout, Stencil stencil, int group) {

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
        return layout.isChannelsLast()
                ? k % layout.channels().inPerGroup()
                : k / stencil.taps().size();
    }

    /** The tap of term {@code k}. */
    Stencil.Tap tap(int k) {
        int tap = layout.isChannelsLast()
                ? k / layout.channels().inPerGroup()
                : k % stencil.taps().size();
        return stencil.taps().get(tap);
    }

    /** Where a channel of the group begins in the first image of x. */
    int origin(int channel) {
        return (group * layout.channels().inPerGroup() + channel) * layout.xStrides()[1];
    }

    /** The weights as a matrix [output channels, depth]. */
    FilterMatrix weights(float[] weights) {
        int[] terms = new int[depth()];
        int first = layout.weight(group);
        for (int k = 0; k < terms.length; k++) {
            terms[k] = first + channel(k) * layout.wStrides()[1] + layout.tapOffset(tap(k).at());
        }
        return new FilterMatrix(weights, terms, layout.wStrides()[0]);
    }

    /** Stores sums of consecutive outputs of one channel, {@code row} of the group. */
    void storeRow(float[] sums, MatrixProduct.Span span, Epilogue.OfFloats epilogue) {
        int channel = firstOut() + span.row();
        int step = stencil.outStep()[2] * layout.yStrides()[4];
        Stencil.Walk walk = stencil.walk(span.column());
        int done = 0;
        while (done < span.columns()) {
            int count = walk.run(span.columns() - done);
            epilogue.store(sums, done, new Epilogue.Stretch(element(walk, channel), step, count, channel, false));
            walk.skip(count);
            done += count;
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
