package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.text.Printable;

/** A section of a file: the network, or one layer. It remembers which options were read. */
final class Section {

    private static final long SIZE_LIMIT = 1L << 30;
    private static final int MOST_NUMBERS = 4096;

    private final String type;
    private final Map<String, String> options;
    private final SourceRef source;
    private final Set<String> read = new HashSet<>();

    Section(String type, Map<String, String> options, SourceRef source) {
        this.type = type;
        this.options = Map.copyOf(options);
        this.source = source;
    }

    String type() {
        return type;
    }

    SourceRef source() {
        return source;
    }

    GraphException wrong(String option, String message) {
        return new GraphException(source, option + ": " + message);
    }

    /** The layer is translated, but not this use of it. */
    UnsupportedException unsupportedUse(String use) {
        String feature = "layer " + type + " with " + use;
        return new UnsupportedException(source, feature, feature + " is not supported");
    }

    Optional<String> text(String option) {
        read.add(option);
        return Optional.ofNullable(options.get(option));
    }

    long size(String option, long otherwise, long least) {
        return text(option)
                .map(word -> whole(option, word, least, SIZE_LIMIT - 1))
                .orElse(otherwise);
    }

    boolean flag(String option, boolean otherwise) {
        return size(option, otherwise ? 1 : 0, 0) != 0;
    }

    double real(String option, double otherwise) {
        return text(option).map(word -> real(option, word)).orElse(otherwise);
    }

    /** Whole numbers between commas; none if the option is missing. */
    List<Long> integers(String option) {
        List<Long> numbers = new ArrayList<>();
        for (String word : words(option)) {
            numbers.add(whole(option, word, -SIZE_LIMIT, SIZE_LIMIT));
        }
        return numbers;
    }

    List<Double> reals(String option) {
        List<Double> numbers = new ArrayList<>();
        for (String word : words(option)) {
            numbers.add(real(option, word));
        }
        return numbers;
    }

    private List<String> words(String option) {
        Optional<String> text = text(option);
        if (text.isEmpty() || text.get().isEmpty()) {
            return List.of();
        }
        String[] words = text.get().split(",", MOST_NUMBERS + 1);
        if (words.length > MOST_NUMBERS) {
            throw wrong(option, "it has more than " + MOST_NUMBERS + " numbers");
        }
        List<String> trimmed = new ArrayList<>();
        for (String word : words) {
            if (!word.isBlank()) {
                trimmed.add(word.strip());
            }
        }
        return trimmed;
    }

    private long whole(String option, String word, long least, long most) {
        try {
            long value = Long.parseLong(word.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException noNumber) {
            throw wrong(option, "expected a whole number, found '" + Printable.shortened(word) + "'");
        }
        throw wrong(option, "expected a whole number from " + least + ", found " + word);
    }

    private double real(String option, String word) {
        try {
            return (float) Double.parseDouble(word.strip());
        } catch (NumberFormatException noNumber) {
            throw wrong(option, "expected a number, found '" + Printable.shortened(word) + "'");
        }
    }

    /**
     * Takes switches that no layer here follows, as long as they are off.
     *
     * @throws UnsupportedException naming the first that is not 0
     */
    void requireOff(String... names) {
        for (String name : names) {
            if (real(name, 0) != 0) {
                throw unsupportedUse("'" + name + "'");
            }
        }
    }

    /** Accepts options that change nothing at inference. */
    void ignore(String... names) {
        read.addAll(List.of(names));
    }

    /**
     * Refuses options that nobody read.
     *
     * @throws UnsupportedException naming the first of them
     */
    void requireAllRead() {
        options.keySet().stream()
                .filter(name -> !read.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw unsupportedUse("'" + Printable.shortened(name) + "'");
                });
    }
}
