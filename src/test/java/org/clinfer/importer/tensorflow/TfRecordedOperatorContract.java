package org.clinfer.importer.tensorflow;

import static org.clinfer.importer.RecordedOperators.check;
import static org.clinfer.importer.RecordedOperators.parts;
import static org.clinfer.importer.RecordedOperators.tensor;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
import org.clinfer.importer.RecordedOperators;
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
        return RecordedOperators.of("tensorflow");
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
                check(
                        Objects.requireNonNull(result.outputs().get("out" + port)),
                        tensor(expected.get(port)),
                        TOLERANCE);
            }
        }
    }
}
