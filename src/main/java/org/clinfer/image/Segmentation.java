package org.clinfer.image;

import java.awt.image.BufferedImage;
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
     * @param scores of each class at each pixel
     * @return the class of the best score of each pixel
     * @throws IllegalArgumentException for another shape
     */
    public static Segmentation of(Tensor scores) {
        long[] sizes = scores.shape().sizes();
        if (sizes.length != 4 || sizes[0] != 1 || sizes[1] < 2 || scores.elements() == 0) {
            throw new IllegalArgumentException(
                    "expected scores of 1 x classes x height x width for two classes or more, found " + scores.type());
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

    /** {@return the part of all pixels that belongs to each class, from 0 to 1} */
    public double[] shares() {
        double[] shares = new double[classes];
        for (int each : classOf) {
            shares[each] += 1.0 / classOf.length;
        }
        return shares;
    }

    /**
     * {@return the pixels of one class as a gray picture: 255 where it is, 0 elsewhere}
     *
     * @param number of the class, counted from 0
     */
    public BufferedImage mask(int number) {
        BufferedImage mask = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        for (int pixel = 0; pixel < classOf.length; pixel++) {
            mask.getRaster().setSample(pixel % width, pixel / width, 0, classOf[pixel] == number ? 255 : 0);
        }
        return mask;
    }

    /**
     * {@return the classes at the pixels of the picture that the network was given: back through letterbox and
     * scaling, each pixel with the class of the nearest place} What was cut off has class 0.
     *
     * @param picture the input that the network was given; the scores may have another size than it
     */
    public Segmentation toPicture(PreparedPicture picture) {
        int[] found = new int[picture.pictureWidth() * picture.pictureHeight()];
        for (int y = 0; y < picture.pictureHeight(); y++) {
            double inputY = (y + 0.5) * picture.scaleY() + picture.top();
            int row = (int) Math.floor(inputY * height / picture.height());
            for (int x = 0; x < picture.pictureWidth(); x++) {
                double inputX = (x + 0.5) * picture.scaleX() + picture.left();
                int column = (int) Math.floor(inputX * width / picture.width());
                if (row >= 0 && row < height && column >= 0 && column < width) {
                    found[y * picture.pictureWidth() + x] = classOf[row * width + column];
                }
            }
        }
        return new Segmentation(picture.pictureWidth(), picture.pictureHeight(), classes, found);
    }
}
