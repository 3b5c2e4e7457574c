package org.clinfer.image;

import java.util.Locale;

/**
 * A thing that a network found.
 *
 * @param box where, in pixels of the picture
 * @param number the number of its class, from 0
 * @param name the label of the class, or its number where it has none
 * @param score how sure the network is, usually from 0 to 1
 */
public record Detection(Box box, int number, String name, double score) {

    /** {@code dog 0.934 at 12,30 to 200,180}. */
    @Override
    public String toString() {
        return name
                + String.format(
                        Locale.ROOT,
                        " %.3f at %.0f,%.0f to %.0f,%.0f",
                        score,
                        box.left(),
                        box.top(),
                        box.right(),
                        box.bottom());
    }
}
