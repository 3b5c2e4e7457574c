package org.clinfer.networks;

/**
 * How a network is written.
 *
 * @param imageSize height and width of its input
 * @param divisor by which every width is smaller than in the original
 * @param normalizations whether BatchNormalization stays a node after a convolution; else it is part of the weights
 * @param zeros whether all weights are 0 and take no room on the disk: for what depends on shapes alone
 * @param batch images in one input
 */
public record Form(int imageSize, int divisor, boolean normalizations, boolean zeros, int batch) {

    /** The original, on images of this size. */
    static Form full(int imageSize) {
        return new Form(imageSize, 1, true, false, 1);
    }

    Form withNormalizations(boolean kept) {
        return new Form(imageSize, divisor, kept, zeros, batch);
    }

    public Form withZeros() {
        return new Form(imageSize, divisor, normalizations, true, batch);
    }

    Form withBatch(int images) {
        return new Form(imageSize, divisor, normalizations, zeros, images);
    }
}
