package org.clinfer.demo.training;

import java.awt.image.BufferedImage;

/**
 * A square picture and the class of each of its pixels.
 *
 * @param picture 8-bit RGB picture
 * @param classes class number per pixel, row by row
 */
record Scene(BufferedImage picture, byte[] classes) {

    int size() {
        return picture.getWidth();
    }
}
