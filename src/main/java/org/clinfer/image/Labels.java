package org.clinfer.image;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.tensor.Tensor;

/**
 * The names of the classes that a network tells apart, by number from 0; may be none at all.
 *
 * @param names in the order of the network's scores
 */
public record Labels(List<String> names) {

    /** No names: classes are told by number. */
    public static final Labels NONE = new Labels(List.of());

    /** The names in any order but that of the network are wrong names; nothing can check this. */
    public Labels {
        names = List.copyOf(names);
    }

    /**
     * Reads a text file in UTF-8, a name a line.
     *
     * @param file the file
     * @return its names
     * @throws PictureException if it is no such text
     * @throws IOException if it cannot be read
     */
    public static Labels read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new PictureException(file.toString(), "is a folder, not a file of labels");
        }
        try {
            return new Labels(lines(Files.readString(file)));
        } catch (CharacterCodingException binary) {
            throw new PictureException(file.toString(), "not a text file in UTF-8; expected one label a line", binary);
        }
    }

    /** The lines without a byte order mark before them and without blank ones behind them. */
    private static List<String> lines(String text) {
        String marked = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return marked.stripTrailing().lines().toList();
    }

    /**
     * {@return the name of a class; its number as text where there is none}
     *
     * @param number of the class, counted from 0
     */
    public String name(int number) {
        return number < names.size() ? names.get(number) : Integer.toString(number);
    }

    /**
     * {@return the best classes by a network's own scores, best first, of equal ones the lower number; scores that
     * are no number are left out}
     *
     * @param scores of one picture: one dimension, besides those of 1; a score for each class, of any type
     * @param count how many classes at most, at least 1
     * @throws IllegalArgumentException if the scores are of several pictures, or of other than the classes that have names
     */
    public List<ScoredLabel> top(Tensor scores, int count) {
        return best(values(scores), count);
    }

    /**
     * {@return the same with probabilities made of scores that are none ("logits"), by softmax: each from 0 to 1, all
     * classes together 1}
     *
     * @param scores of each class
     * @param count how many at most
     */
    public List<ScoredLabel> topSoftmax(Tensor scores, int count) {
        double[] values = values(scores);
        double largest = IntStream.range(0, values.length)
                .mapToDouble(i -> values[i])
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(0);
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            // scores that are infinite share all, as those of a limit would
            boolean first = Double.isInfinite(largest) && values[i] == largest;
            values[i] = first ? 1 : Math.exp(values[i] - largest);
            sum += Double.isNaN(values[i]) ? 0 : values[i];
        }
        for (int i = 0; i < values.length; i++) {
            values[i] /= sum;
        }
        return best(values, count);
    }

    private double[] values(Tensor scores) {
        long[] sizes = scores.shape().sizes();
        for (long size : sizes) {
            if (size != 1 && size != scores.elements()) {
                throw new IllegalArgumentException(
                        "the scores " + scores.type() + " are more than one vector; take those of one picture");
            }
        }
        if (!names.isEmpty() && names.size() != scores.elements()) {
            throw new IllegalArgumentException(
                    "there are " + names.size() + " labels, but the network has " + scores.elements() + " scores");
        }
        return scores.toDoubleArray();
    }

    private List<ScoredLabel> best(double[] values, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("the number of classes must be at least 1, but is " + count);
        }
        return IntStream.range(0, values.length)
                .filter(i -> !Double.isNaN(values[i]))
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -values[i]))
                .limit(count)
                .map(i -> new ScoredLabel(i, name(i), values[i]))
                .toList();
    }
}
