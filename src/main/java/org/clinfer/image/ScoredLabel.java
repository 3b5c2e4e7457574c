package org.clinfer.image;

import java.util.Locale;

/**
 * A class with its score.
 *
 * @param number of the class, from 0
 * @param name its label, or its number where it has none
 * @param score as the network gives it, or a probability after softmax
 */
public record ScoredLabel(int number, String name, double score) {

    /** {@code tabby 0.934}. */
    @Override
    public String toString() {
        return name + String.format(Locale.ROOT, " %.3f", score);
    }
}
