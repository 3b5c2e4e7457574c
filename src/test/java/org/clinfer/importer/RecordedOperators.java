package org.clinfer.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The records of single operators that {@code test-data} has: a line for each, in columns of operands and results. */
public final class RecordedOperators {

    private RecordedOperators() {}

    /** The records of a folder of {@code test-data}. */
    public static Stream<String> of(String folder) throws IOException {
        return Files.readAllLines(Path.of("test-data", folder, "operators.txt")).stream()
                .filter(line -> !line.startsWith("#"));
    }

    /** The parts of a text that are not empty. */
    public static List<String> parts(String text, String separator) {
        return Stream.of(text.split(separator, -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** Reads {@code float32[2,3]: 1 2 …}. */
    public static Tensor tensor(String text) {
        int open = text.indexOf('[');
        int close = text.indexOf(']');
        long[] sizes = parts(text.substring(open + 1, close), ",").stream()
                .mapToLong(Long::parseLong)
                .toArray();
        Tensor tensor = Tensor.allocate(DType.valueOf(text.substring(0, open).toUpperCase(Locale.ROOT)), sizes);
        List<String> numbers = parts(text.substring(close + 2), "[ ,]");
        assertThat(numbers).hasSize((int) tensor.elements());
        for (int i = 0; i < numbers.size(); i++) {
            if (tensor.dtype().isFloating()) {
                tensor.setDouble(i, Double.parseDouble(numbers.get(i)));
            } else {
                tensor.setLong(i, new BigInteger(numbers.get(i)).longValue());
            }
        }
        return tensor;
    }

    /**
     * Asserts that a result is what the record has.
     *
     * @param tolerance of floating-point elements, relative to those beyond 1
     */
    public static void check(Tensor actual, Tensor expected, double tolerance) {
        assertThat(actual.type()).isEqualTo(expected.type());
        double[] found = actual.toDoubleArray();
        double[] wanted = expected.toDoubleArray();
        for (int i = 0; i < wanted.length; i++) {
            if (Double.isFinite(wanted[i])) {
                double margin = expected.dtype().isFloating() ? tolerance * Math.max(1, Math.abs(wanted[i])) : 0;
                assertThat(found[i]).as("element " + i).isCloseTo(wanted[i], within(margin));
            } else {
                assertThat(Double.valueOf(found[i])).as("element " + i).isEqualTo(Double.valueOf(wanted[i]));
            }
        }
    }
}
