package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators give what TensorFlow gave for the same operands, of which {@code test-data/tensorflow} has a record. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TfRecordedOperatorContract {

    private static final double TOLERANCE = 1e-5;

    @TempDir
    Path folder;

    private final Engine engine;

    TfRecordedOperatorContract(DeviceChoice device) {
        this.engine = Engine.open(EngineOptions.defaults().withDevice(device));
    }

    @AfterAll
    void close() {
        engine.close();
    }

    static Stream<String> records() throws IOException {
        return Files.readAllLines(Path.of("test-data", "tensorflow", "operators.txt")).stream()
                .filter(line -> !line.startsWith("#"));
    }

    private static List<String> parts(String text, String separator) {
        return Stream.of(text.split(separator, -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** Reads {@code float32[2,3]: 1 2 …}. */
    private static Tensor tensor(String text) {
        int open = text.indexOf('[');
        int close = text.indexOf(']');
        long[] sizes = parts(text.substring(open + 1, close), ",").stream()
                .mapToLong(Long::parseLong)
                .toArray();
        Tensor tensor = Tensor.allocate(DType.valueOf(text.substring(0, open).toUpperCase(Locale.ROOT)), sizes);
        List<String> numbers = parts(text.substring(close + 2), " ");
        assertThat(numbers).hasSize((int) tensor.elements());
        for (int i = 0; i < numbers.size(); i++) {
            if (tensor.dtype().isInteger()) {
                tensor.setLong(i, Long.parseLong(numbers.get(i)));
            } else {
                tensor.setDouble(i, Double.parseDouble(numbers.get(i)));
            }
        }
        return tensor;
    }

    private static DataType type(DType dtype) {
        return Stream.of(DataType.values())
                .filter(type -> !type.name().endsWith("_REF")
                        && TfElementTypes.find(type).filter(dtype::equals).isPresent())
                .findFirst()
                .orElseThrow();
    }

    private static void operand(TfGraph graph, String name, String text, Map<String, Tensor> inputs) {
        Tensor value = tensor(text.replaceFirst("^(const|open) ", ""));
        long[] sizes = value.shape().sizes();
        if (text.startsWith("const ")) {
            ByteString bytes = ByteString.copyFrom(value.bytes());
            graph.constant(name, TfGraph.tensor(type(value.dtype()), sizes).setTensorContent(bytes));
            return;
        }
        long[] open = LongStream.of(sizes).map(size -> -1).toArray();
        graph.input(name, type(value.dtype()), text.startsWith("open ") ? open : sizes);
        inputs.put(name, value);
    }

    @ParameterizedTest
    @MethodSource("records")
    void givesWhatTensorFlowGives(String line) throws IOException {
        String[] columns = line.split("\\|", -1);
        TfGraph graph = new TfGraph();
        Map<String, Tensor> inputs = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (String operand : parts(columns[2], ";")) {
            names.add("x" + names.size());
            operand(graph, names.get(names.size() - 1), operand, inputs);
        }
        String[] attributes = parts(columns[1], " ").toArray(String[]::new);
        graph.node(columns[0].strip(), "y", String.join(" ", names), attributes);
        List<String> expected = parts(columns[3], ";");
        for (int port = 0; port < expected.size(); port++) {
            graph.node("Identity", "out" + port, "y:" + port);
        }
        try (Model model = engine.load(engine.read(graph.write(folder)));
                Session session = model.session();
                Result result = session.run(inputs)) {
            for (int port = 0; port < expected.size(); port++) {
                check(Objects.requireNonNull(result.outputs().get("out" + port)), tensor(expected.get(port)));
            }
        }
    }

    private static void check(Tensor actual, Tensor expected) {
        assertThat(actual.type()).isEqualTo(expected.type());
        double[] found = actual.toDoubleArray();
        double[] wanted = expected.toDoubleArray();
        for (int i = 0; i < wanted.length; i++) {
            if (Double.isFinite(wanted[i])) {
                double margin = expected.dtype().isFloating() ? TOLERANCE * Math.max(1, Math.abs(wanted[i])) : 0;
                assertThat(found[i]).as("element " + i).isCloseTo(wanted[i], within(margin));
            } else {
                assertThat(Double.valueOf(found[i])).as("element " + i).isEqualTo(Double.valueOf(wanted[i]));
            }
        }
    }
}
