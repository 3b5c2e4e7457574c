package org.clinfer.profile;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was meant. */
final class Spelling {

    private static final int LONGEST = 64;

    private Spelling() {}

    /** The word that differs in the fewest letters, at most in every third; empty if all differ more. */
    static Optional<String> nearest(String written, Collection<String> words) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        Optional<String> nearest = Optional.empty();
        int least = (written.length() + 2) / 3 + 1;
        for (String word : words) {
            if (Math.abs(word.length() - written.length()) < least && word.length() <= LONGEST) {
                int distance = distance(written.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
                if (distance < least) {
                    least = distance;
                    nearest = Optional.of(word);
                }
            }
        }
        return nearest;
    }

    /** As {@code ; did you mean 'word'?}, or nothing. */
    static String question(String written, Collection<String> words) {
        return nearest(written, words)
                .map(word -> "; did you mean '" + word + "'?")
                .orElse("");
    }

    /** The number of letters that have to be put in, left out or changed (Levenshtein). */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int changed = above[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(changed, 1 + Math.min(above[column], current[column - 1]));
            }
            above = current;
        }
        return above[to.length()];
    }
}
