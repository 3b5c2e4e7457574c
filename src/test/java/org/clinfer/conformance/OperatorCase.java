package org.clinfer.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;

/**
 * One line of {@code test-data/cases}: an operator, inputs and parameters; see the README there.
 *
 * @param types the types it is restricted to, or empty
 */
public record OperatorCase(
        String op,
        String name,
        List<CaseInput> inputs,
        Map<String, Attribute> params,
        int outputs,
        Optional<List<DType>> types) {

    private static final Path FOLDER = Path.of("test-data", "cases");
    private static final List<DType> INTEGER = general(DType::isInteger);
    private static final List<DType> FLOATING = general(DType::isFloating);

    /** The cases of each operator that has a file. */
    static Map<String, List<OperatorCase>> byOperator() {
        Map<String, List<OperatorCase>> cases = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.sorted().toList()) {
                String op = file.getFileName().toString().replace(".txt", "");
                if (Character.isUpperCase(op.charAt(0)) && file.toString().endsWith(".txt")) {
                    cases.put(op, read(op, file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    private static List<OperatorCase> read(String op, Path file) throws IOException {
        List<OperatorCase> cases = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            OperatorCase read = parse(line);
            if (!read.op.equals(op) || !names.add(read.name)) {
                throw new IllegalArgumentException(file + ": another operator, or a name used twice: " + line);
            }
            cases.add(read);
        }
        return cases;
    }

    static OperatorCase parse(String line) {
        String[] parts = line.split("\\|", -1);
        String[] head = parts[0].strip().split(" ", -1);
        if (parts.length != 3 || head.length != 2) {
            throw new IllegalArgumentException("not 'Operator name | inputs | parameters': " + line);
        }
        return of(head[0], head[1], parts[1], parts[2]);
    }

    /** A case of an operator, with its inputs and parameters as a line has them. */
    public static OperatorCase of(String op, String name, String inputs, String parameters) {
        Map<String, Attribute> params = new LinkedHashMap<>();
        int outputs = 1;
        Optional<List<DType>> types = Optional.empty();
        for (String word : words(parameters)) {
            int equals = word.indexOf('=');
            String key = word.substring(0, equals);
            String value = word.substring(equals + 1);
            switch (key) {
                case "outputs" -> outputs = Integer.parseInt(value);
                case "types" -> types = Optional.of(types(value));
                default -> params.put(key, attribute(value));
            }
        }
        return new OperatorCase(
                op, name, words(inputs).stream().map(CaseInput::new).toList(), params, outputs, types);
    }

    /** {@return whether it is for single types, and not for all of a kind because it makes sense in these alone} */
    boolean namesTypes() {
        return types.filter(named -> !named.containsAll(INTEGER) && !named.containsAll(FLOATING))
                .isPresent();
    }

    private static List<DType> general(Predicate<DType> which) {
        return Stream.of(DType.values()).filter(DType::isGeneral).filter(which).toList();
    }

    private static List<DType> types(String text) {
        List<DType> types = new ArrayList<>();
        for (String label : text.substring(1, text.length() - 1).split(",", -1)) {
            switch (label) {
                case "integer" -> types.addAll(INTEGER);
                case "floating" -> types.addAll(FLOATING);
                default -> types.add(DType.of(label).orElseThrow(() -> new IllegalArgumentException(text)));
            }
        }
        return List.copyOf(types);
    }

    private static List<String> words(String text) {
        return Stream.of(text.strip().split(" ", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static Attribute attribute(String text) {
        if (text.startsWith("[")) {
            String inner = text.substring(1, text.length() - 1);
            return new Attribute.ListValue(
                    inner.isEmpty()
                            ? List.of()
                            : Stream.of(inner.split(",", -1))
                                    .map(OperatorCase::attribute)
                                    .toList());
        }
        if (text.equals("true") || text.equals("false")) {
            return Attribute.of(text.equals("true"));
        }
        if (text.matches("-?[0-9]+")) {
            return Attribute.of(Long.parseLong(text));
        }
        return text.matches("-?[0-9.]+(e-?[0-9]+)?") ? Attribute.of(Double.parseDouble(text)) : Attribute.of(text);
    }

    long inputElements() {
        return inputs.stream().mapToLong(CaseInput::elements).sum();
    }

    @Override
    public String toString() {
        return op + " " + name;
    }
}
