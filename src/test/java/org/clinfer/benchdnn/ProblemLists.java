package org.clinfer.benchdnn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The public lists of convolution problems, where they stand beside the checkout. */
final class ProblemLists {

    private static final Path SHAPES = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"))
            .resolve("shapes");

    /**
     * One list.
     *
     * @param name as in {@code shapes_NAME.txt}
     * @param descriptors in the order of the file
     * @param options what the file tells the driver for the problems after it, {@code --dir=FWD_B}
     */
    record ProblemList(boolean transposed, String name, List<String> descriptors, List<String> options) {

        ProblemList {
            descriptors = List.copyOf(descriptors);
            options = List.copyOf(options);
        }

        List<Problem> problems() {
            return descriptors.stream()
                    .map(text -> Descriptor.parse(text, transposed, name))
                    .toList();
        }
    }

    private ProblemLists() {}

    /** Ends the test as not applicable where the lists are not there. */
    static void assume() {
        Assumptions.assumeTrue(Files.isDirectory(SHAPES), () -> SHAPES + " is not there");
    }

    static boolean areThere() {
        return Files.isDirectory(SHAPES);
    }

    /** The words of a list; a word that begins with # ends its line, one that begins with -- is an option. */
    static ProblemList read(boolean transposed, String name, List<String> lines) {
        List<String> descriptors = new ArrayList<>();
        List<String> options = new ArrayList<>();
        for (String line : lines) {
            for (String word : line.strip().split("\\s+", -1)) {
                if (word.startsWith("#")) {
                    break;
                }
                if (!word.isEmpty()) {
                    (word.startsWith("--") ? options : descriptors).add(word);
                }
            }
        }
        return new ProblemList(transposed, name, descriptors, options);
    }

    /** All raw lists, convolutions first. */
    static List<ProblemList> raw() {
        List<ProblemList> lists = new ArrayList<>();
        for (String driver : List.of("conv", "deconv")) {
            try (Stream<Path> files = Files.list(SHAPES.resolve("onednn").resolve(driver))) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString().replaceFirst("^shapes_", "");
                    lists.add(
                            read(driver.equals("deconv"), name.replaceFirst("\\.txt$", ""), Files.readAllLines(file)));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return lists;
    }

    /** Every raw problem, and those of DeepBench. */
    static List<Problem> all() {
        return Stream.concat(raw().stream().flatMap(list -> list.problems().stream()), deepBench().stream())
                .toList();
    }

    /** The rows of the normalised list, by operator and list, {@code conv alexnet}. */
    static Map<String, List<NormalisedRow>> normalised() {
        Map<String, List<NormalisedRow>> rows = new TreeMap<>();
        for (Map<String, String> row : table("onednn_conv_deconv.tsv")) {
            NormalisedRow read = NormalisedRow.of(row);
            rows.computeIfAbsent(row.get("op") + " " + row.get("list"), key -> new ArrayList<>())
                    .add(read);
        }
        return rows;
    }

    /** The convolutions of DeepBench, in the order of the file. */
    static List<Problem> deepBench() {
        return table("deepbench_conv.tsv").stream().map(DeepBenchRow::problem).toList();
    }

    /** The rows of a file whose first line names the columns. */
    private static List<Map<String, String>> table(String file) {
        try {
            List<String> lines = Files.readAllLines(SHAPES.resolve(file));
            String[] columns = lines.get(0).split("\t", -1);
            return lines.stream().skip(1).map(line -> row(columns, line)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> row(String[] columns, String line) {
        String[] cells = line.split("\t", -1);
        if (cells.length != columns.length) {
            throw new IllegalArgumentException("not " + columns.length + " columns: " + line);
        }
        Map<String, String> row = new TreeMap<>();
        for (int i = 0; i < columns.length; i++) {
            row.put(columns[i], cells[i]);
        }
        return Collections.unmodifiableMap(row);
    }
}
