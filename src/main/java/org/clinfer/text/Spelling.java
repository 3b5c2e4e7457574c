package org.clinfer.text;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds the word that was meant: of commands, options, operators, profiles and their keys alike. */
public final class Spelling {

    private static final int LONGEST = 64;

    private Spelling() {}

    /**
     * {@return the word that differs in the fewest letters, at most in every third (in one of one) and not in all, of several the one that
     * has them as large or small; empty if all differ more}
     *
     * @param written the word that is not known
     * @param words those that are
     */
    public static Optional<String> nearest(String written, Collection<String> words) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        Optional<String> nearest = Optional.empty();
        int least = Math.max(1, (written.length() + 1) / 3) + 1;
        for (String word : words) {
            if (Math.abs(word.length() - written.length()) <= least && word.length() <= LONGEST) {
                int distance = distance(written.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
                int most = Math.max(written.length(), word.length());
                boolean isNearer = distance < Math.min(least, most);
                boolean isAsNear = distance == least && distance < most && nearest.isPresent();
                if (isNearer || (isAsNear && distance(written, word) < distance(written, nearest.get()))) {
                    least = distance;
                    nearest = Optional.of(word);
                }
            }
        }
        return nearest;
    }

    /** Short forms of data types that are too far from the long ones. */
    private static final Map<String, String> SHORT_FORMS = Map.of(
            "fp16", "float16",
            "fp32", "float32",
            "fp64", "float64",
            "f16", "float16",
            "f32", "float32",
            "bf16", "bfloat16",
            "s8", "int8",
            "u8", "uint8");

    /**
     * {@return the sentence {@code ; did you mean 'word'?}, or nothing}
     *
     * @param written the word that is not known
     * @param words those that are
     */
    public static String question(String written, Collection<String> words) {
        return Optional.ofNullable(SHORT_FORMS.get(written.toLowerCase(Locale.ROOT)))
                .filter(words::contains)
                .or(() -> nearest(written, words))
                .or(() -> begun(written, words))
                .map(word -> "; did you mean '" + word + "'?")
                .orElse("");
    }

    /** The one word that begins so; empty where none or several do. */
    private static Optional<String> begun(String written, Collection<String> words) {
        List<String> begun = words.stream()
                .filter(word -> !written.isEmpty() && word.regionMatches(true, 0, written, 0, written.length()))
                .distinct()
                .toList();
        return begun.size() == 1 ? Optional.of(begun.get(0)) : Optional.empty();
    }

    /** The number of letters that have to be put in, left out, changed or swapped (optimal string alignment). */
    private static int distance(String from, String to) {
        int[][] rows = new int[from.length() + 1][to.length() + 1];
        for (int row = 0; row <= from.length(); row++) {
            for (int column = 0; column <= to.length(); column++) {
                rows[row][column] = row == 0 || column == 0 ? row + column : least(rows, from, to, row, column);
            }
        }
        return rows[from.length()][to.length()];
    }

    private static int least(int[][] rows, String from, String to, int row, int column) {
        boolean same = from.charAt(row - 1) == to.charAt(column - 1);
        int changed = rows[row - 1][column - 1] + (same ? 0 : 1);
        int least = Math.min(changed, 1 + Math.min(rows[row - 1][column], rows[row][column - 1]));
        boolean swapped = row > 1
                && column > 1
                && from.charAt(row - 1) == to.charAt(column - 2)
                && from.charAt(row - 2) == to.charAt(column - 1);
        return swapped ? Math.min(least, rows[row - 2][column - 2] + 1) : least;
    }
}
