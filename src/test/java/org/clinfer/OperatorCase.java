package org.clinfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * One line of {@code test-data/cases}: an operator, inputs and parameters; see the README there.
 *
 * @param inputs as written
 */
record OperatorCase(String op, String name, List<String> inputs, Map<String, Attribute> params, int outputs) {

    private static final Path FOLDER = Path.of("test-data", "cases");

    /** All cases of all files. */
    static List<OperatorCase> all() {
        List<OperatorCase> cases = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(f -> f.getFileName().toString().matches("[a-z].*[.]txt"))
                    .sorted()
                    .toList()) {
                for (String line : Files.readAllLines(file)) {
                    cases.add(parse(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    static OperatorCase parse(String line) {
        String[] parts = line.split("\\|", -1);
        String[] head = parts[0].strip().split(" ", -1);
        Map<String, Attribute> params = new LinkedHashMap<>();
        int outputs = 1;
        for (String word : words(parts[2])) {
            int equals = word.indexOf('=');
            String name = word.substring(0, equals);
            if (name.equals("outputs")) {
                outputs = Integer.parseInt(word.substring(equals + 1));
            } else {
                params.put(name, attribute(word.substring(equals + 1)));
            }
        }
        return new OperatorCase(head[0], head[1], words(parts[1]), params, outputs);
    }

    private static List<String> words(String text) {
        return Stream.of(text.strip().split(" ", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static Attribute attribute(String text) {
        if (text.startsWith("[")) {
            return new Attribute.ListValue(
                    Stream.of(text.substring(1, text.length() - 1).split(",", -1))
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

    /** The graph of this one operator. */
    Graph graph() {
        GraphBuilder builder = new GraphBuilder(op, new SourceRef("case", name));
        List<String> names = new ArrayList<>();
        Map<String, Tensor> tensors = allTensors();
        for (int i = 0; i < inputs.size(); i++) {
            boolean given = !inputs.get(i).equals("-");
            names.add(given ? "in" + i : "");
            if (isConstant(inputs.get(i))) {
                builder.constant("in" + i, Objects.requireNonNull(tensors.get("in" + i)));
            } else if (given) {
                builder.input(
                        "in" + i, Objects.requireNonNull(tensors.get("in" + i)).type());
            }
        }
        List<String> outputNames = new ArrayList<>();
        for (int i = 0; i < outputs; i++) {
            outputNames.add("out" + i);
            builder.output("out" + i);
        }
        builder.node(op, names, outputNames, params);
        return builder.build();
    }

    long inputElements() {
        return tensors().values().stream().mapToLong(Tensor::elements).sum();
    }

    /** Whether an input stands in the graph: its text ends with {@code :constant}. */
    private static boolean isConstant(String input) {
        return input.endsWith(":constant");
    }

    /** The inputs of a run. */
    Map<String, Tensor> tensors() {
        Map<String, Tensor> tensors = allTensors();
        for (int i = 0; i < inputs.size(); i++) {
            if (isConstant(inputs.get(i))) {
                tensors.remove("in" + i);
            }
        }
        return tensors;
    }

    /** The inputs and constants, random with a seed made of the case. */
    private Map<String, Tensor> allTensors() {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        Random random = new Random((op + name).hashCode());
        for (int i = 0; i < inputs.size(); i++) {
            if (!inputs.get(i).equals("-")) {
                tensors.put("in" + i, tensor(inputs.get(i), random));
            }
        }
        return tensors;
    }

    private static Tensor tensor(String text, Random random) {
        String[] parts = text.split(":", -1);
        long[] sizes = parts[0].equals("scalar")
                ? new long[0]
                : Stream.of(parts[0].split("x", -1)).mapToLong(Long::parseLong).toArray();
        DType dtype =
                parts.length > 1 && !parts[1].isEmpty() ? DType.of(parts[1]).orElseThrow() : DType.FLOAT32;
        String[] range = parts.length > 2 ? parts[2].split("\\.\\.", -1) : new String[] {"-1", "1"};
        double low = Double.parseDouble(range[0]);
        double high = Double.parseDouble(range[1]);
        Tensor tensor = Tensor.allocate(TensorType.of(dtype, sizes));
        for (long i = 0; i < tensor.elements(); i++) {
            switch (dtype.kind()) {
                case FLOATING -> tensor.setDouble(i, low + (high - low) * random.nextDouble());
                case INTEGER -> tensor.setLong(i, (long) low + random.nextInt((int) (high - low) + 1));
                case LOGICAL -> tensor.setLong(i, random.nextInt(2));
            }
        }
        return tensor;
    }

    @Override
    public String toString() {
        return op + " " + name;
    }
}
