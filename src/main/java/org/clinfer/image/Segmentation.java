package org.clinfer.cli.image;

import org.clinfer.tensor.Tensor;

/**
 * The most likely class of every pixel.
 *
 * @param width in pixels
 * @param height in pixels
 * @param classes how many classes there are
 * @param classOf class numbers, row by row
 */
@SuppressWarnings("ArrayRecordComponent")
public record Segmentation(int width, int height, int classes, int[] classOf) {

    /**
     * Reads scores of {@code [1, classes, height, width]}; the larger, the likelier.
     *
     * @throws IllegalArgumentException for another shape
     */
    public static Segmentation of(Tensor scores) {
        long[] sizes = scores.shape().sizes();
        if (sizes.length != 4 || sizes[0] != 1 || scores.elements() == 0) {
            throw new IllegalArgumentException(
                    "expected scores of 1 x classes x height x width, found " + scores.type());
        }
        int classes = (int) sizes[1];
        int plane = (int) (sizes[2] * sizes[3]);
        int[] classOf = new int[plane];
        float[] values = scores.toFloatArray();
        for (int pixel = 0; pixel < plane; pixel++) {
            for (int each = 1; each < classes; each++) {
                if (values[each * plane + pixel] > values[classOf[pixel] * plane + pixel]) {
                    classOf[pixel] = each;
                }
            }
        }
        return new Segmentation((int) sizes[3], (int) sizes[2], classes, classOf);
    }

    /** The part of all pixels that belongs to each class, from 0 to 1. */
    public double[] shares() {
        double[] shares = new double[classes];
        for (int each : classOf) {
            shares[each] += 1.0 / classOf.length;
        }
        return shares;
    }
}
