package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.text;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Directions and layouts of ONNX's recurrent layers; what a layer computes is held against its definition elsewhere. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnnxRecurrentTranslatorsTest {

    private static final int STEPS = 4;
    private static final int BATCH = 3;
    private static final int INPUTS = 2;
    private static final int UNITS = 5;

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @TempDir
    private Path folder;

    @AfterAll
    void close() {
        engine.close();
    }

    private static int gates(String op) {
        return op.equals("LSTM") ? 4 : op.equals("GRU") ? 3 : 1;
    }

    private static Tensor random(Random random, long... sizes) {
        float[] values = new float[(int) Arrays.stream(sizes).reduce(1, (a, b) -> a * b)];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        return Tensor.of(values, sizes);
    }

    /** Operands for so many directions; the first of fewer are the same. */
    private static Map<String, Tensor> operands(String op, int directions) {
        Map<String, Tensor> all = new LinkedHashMap<>();
        Random random = new Random(7);
        all.put("x", random(random, STEPS, BATCH, INPUTS));
        all.put("w", random(random, directions, (long) gates(op) * UNITS, INPUTS));
        all.put("r", random(random, directions, (long) gates(op) * UNITS, UNITS));
        all.put("b", random(random, directions, 2L * gates(op) * UNITS));
        all.put("h", random(random, directions, BATCH, UNITS));
        if (op.equals("LSTM")) {
            all.put("c", random(random, directions, BATCH, UNITS));
            all.put("p", random(random, directions, 3L * UNITS));
        }
        return all;
    }

    /** The part of a tensor along an axis. */
    private static Tensor part(Tensor tensor, int axis, int at) {
        long[] sizes = tensor.shape().sizes();
        int inner = (int) Arrays.stream(sizes, axis + 1, sizes.length).reduce(1, (a, b) -> a * b);
        int size = (int) sizes[axis];
        long[] kept = sizes.clone();
        kept[axis] = 1;
        float[] values = new float[(int) (tensor.elements() / size)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) tensor.getDouble((long) (i / inner * size + at) * inner + i % inner);
        }
        return Tensor.of(values, kept);
    }

    private static Tensor transposed(Tensor tensor) {
        long[] sizes = tensor.shape().sizes();
        float[] values = new float[(int) tensor.elements()];
        for (int i = 0; i < sizes[0]; i++) {
            for (int j = 0; j < sizes[1]; j++) {
                for (int k = 0; k < sizes[2]; k++) {
                    values[(int) ((j * sizes[0] + i) * sizes[2] + k)] =
                            (float) tensor.getDouble((i * sizes[1] + j) * sizes[2] + k);
                }
            }
        }
        return Tensor.of(values, sizes[1], sizes[0], sizes[2]);
    }

    private List<Tensor> run(String op, Map<String, Tensor> operands, AttributeProto... attributes) {
        TestModel test = TestModel.opset(14);
        operands.forEach((name, tensor) -> test.input(name, tensor.shape().sizes()));
        boolean lstm = op.equals("LSTM");
        String outputs = lstm ? "y,yh,yc" : "y,yh";
        List<AttributeProto> all = new ArrayList<>(List.of(attributes));
        all.add(integer("hidden_size", UNITS));
        test.node(op, lstm ? "x,w,r,b,,h,c,p" : "x,w,r,b,,h", outputs, all.toArray(AttributeProto[]::new));
        test.output(outputs.split(",", -1));
        try (Model model = engine.load(test.read(folder));
                Session session = model.session();
                Result result = session.run(operands)) {
            return result.outputs().values().stream().map(Tensor::copy).toList();
        }
    }

    private static void assertSame(Tensor actual, Tensor expected) {
        assertThat(actual.elements()).isEqualTo(expected.elements());
        for (long i = 0; i < expected.elements(); i++) {
            assertThat(actual.getDouble(i)).isEqualTo(expected.getDouble(i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"LSTM", "GRU", "RNN"})
    void bothDirectionsAreOneAfterTheOther(String op) {
        Map<String, Tensor> both = operands(op, 2);
        List<Tensor> together = run(op, both, text("direction", "bidirectional"));
        assertThat(together.get(0).shape()).hasToString("4x2x3x5");
        for (int direction = 0; direction < 2; direction++) {
            int which = direction;
            Map<String, Tensor> one = new LinkedHashMap<>(both);
            one.replaceAll((name, tensor) -> name.equals("x") ? tensor : part(tensor, 0, which));
            List<Tensor> alone = run(op, one, text("direction", direction == 0 ? "forward" : "reverse"));
            assertSame(part(together.get(0), 1, direction), alone.get(0));
            for (int i = 1; i < alone.size(); i++) {
                assertSame(part(together.get(i), 0, direction), alone.get(i));
            }
        }
    }

    /** Weights [directions, inputs, columns] as real numbers [directions, columns, inputs]. */
    private static Tensor dequantized(Map<String, Tensor> all, String name) {
        Tensor weights = Objects.requireNonNull(all.get(name));
        Tensor scales = Objects.requireNonNull(all.get(name + "s"));
        Tensor zeros = Objects.requireNonNull(all.get(name + "z"));
        long[] sizes = weights.shape().sizes();
        int columns = (int) sizes[2];
        float[] values = new float[(int) weights.elements()];
        int at = 0;
        for (int direction = 0; direction < sizes[0]; direction++) {
            for (int column = 0; column < columns; column++) {
                long scale = scales.elements() == sizes[0] ? direction : (long) direction * columns + column;
                for (int row = 0; row < sizes[1]; row++) {
                    long code = weights.getLong((direction * sizes[1] + row) * columns + column);
                    values[at++] = (code - zeros.getLong(scale)) * (float) scales.getDouble(scale);
                }
            }
        }
        return Tensor.of(values, sizes[0], columns, sizes[1]);
    }

    @ParameterizedTest
    @CsvSource({"INT8, false", "INT8, true", "UINT8, false", "UINT8, true"})
    void quantizedWeightsAreRealNumbers(DType type, boolean isOfColumns) {
        RuntimeModel model = new RuntimeModel(3);
        int columns = 4 * UNITS;
        long[] sizes = isOfColumns ? new long[] {2, columns} : new long[] {2};
        Map<String, Tensor> weights = Map.of(
                "w", model.codes(type, 2, INPUTS, columns),
                "r", model.codes(type, 2, UNITS, columns),
                "ws", model.normal(0.01, sizes),
                "rs", model.normal(0.01, sizes),
                "wz", model.codes(type, sizes),
                "rz", model.codes(type, sizes));
        Map<String, Tensor> operands = operands("LSTM", 2);
        operands.put("w", dequantized(weights, "w"));
        operands.put("r", dequantized(weights, "r"));
        List<Tensor> expected = run("LSTM", operands, text("direction", "bidirectional"));

        operands.keySet().removeAll(weights.keySet());
        operands.forEach(model::input);
        weights.forEach(model::constant);
        model.node(
                        "DynamicQuantizeLSTM",
                        "x,w,r,b,,h,c,p,ws,wz,rs,rz",
                        "y,yh,yc",
                        integer("hidden_size", UNITS),
                        text("direction", "bidirectional"))
                .output("y", "yh", "yc");
        try (Model loaded = engine.load(model.model().read(folder));
                Session session = loaded.session();
                Result result = session.run(operands)) {
            List<Tensor> actual = List.copyOf(result.outputs().values());
            for (int i = 0; i < expected.size(); i++) {
                assertSame(actual.get(i), expected.get(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"LSTM", "GRU", "RNN"})
    void theBatchMayBeFirst(String op) {
        Map<String, Tensor> operands = operands(op, 1);
        List<Tensor> stepsFirst = run(op, operands);
        for (String name : List.of("x", "h", "c")) {
            operands.computeIfPresent(name, (same, tensor) -> transposed(tensor));
        }
        List<Tensor> batchFirst = run(op, operands, integer("layout", 1));
        assertThat(batchFirst.get(0).shape()).hasToString("3x4x1x5");
        Tensor y = stepsFirst.get(0);
        assertSame(batchFirst.get(0), transposed(Tensor.of(y.toFloatArray(), STEPS, BATCH, UNITS)));
        for (int i = 1; i < stepsFirst.size(); i++) {
            assertThat(batchFirst.get(i).shape()).hasToString("3x1x5");
            assertSame(batchFirst.get(i), transposed(stepsFirst.get(i)));
        }
    }

    private static AttributeProto texts(String name, String... values) {
        AttributeProto.Builder attribute =
                AttributeProto.newBuilder().setName(name).setType(AttributeType.STRINGS);
        Arrays.stream(values).forEach(value -> attribute.addStrings(ByteString.copyFromUtf8(value)));
        return attribute.build();
    }

    private static AttributeProto reals(String name, float... values) {
        AttributeProto.Builder attribute =
                AttributeProto.newBuilder().setName(name).setType(AttributeType.FLOATS);
        for (float value : values) {
            attribute.addFloats(value);
        }
        return attribute.build();
    }

    private static TestModel gru(AttributeProto... attributes) {
        return TestModel.opset(14)
                .input("x", STEPS, BATCH, INPUTS)
                .input("w", 2, 3L * UNITS, INPUTS)
                .input("r", 2, 3L * UNITS, UNITS)
                .node("GRU", "x,w,r", ",yh", attributes)
                .output("yh");
    }

    /** An activation without coefficients takes none from the list. */
    @Test
    void coefficientsAreThoseOfTheActivationsThatHaveThem() {
        List<Node> nodes = gru(
                        text("direction", "bidirectional"),
                        texts("activations", "hardsigmoid", "Tanh", "Sigmoid", "LeakyRelu"),
                        reals("activation_alpha", 0.25f, 0.5f),
                        reals("activation_beta", 0.75f))
                .read(folder)
                .nodes();
        List<Map<String, Attribute>> params = nodes.stream()
                .filter(node -> node.op().equals("Gru"))
                .map(Node::params)
                .toList();
        assertThat(params.get(0))
                .containsEntry("activations", Attribute.ofTexts(List.of("HardSigmoid", "Tanh")))
                .containsEntry("activation_alpha", Attribute.ofReals(0.25, 1))
                .containsEntry("activation_beta", Attribute.ofReals(0.75, 1))
                .containsEntry("reverse", Attribute.of(false));
        assertThat(params.get(1))
                .containsEntry("activations", Attribute.ofTexts(List.of("Sigmoid", "LeakyRelu")))
                .containsEntry("activation_alpha", Attribute.ofReals(1, 0.5))
                .containsEntry("reverse", Attribute.of(true));
    }

    @ParameterizedTest
    @CsvSource({"direction, sideways", "activations, Tanh", "activations, Cube"})
    void whatIsNotThereIsRefused(String name, String value) {
        AttributeProto attribute = name.equals("direction") ? text(name, value) : texts(name, value, value);
        TestModel model =
                name.equals("direction") ? gru(attribute) : gru(attribute, text("direction", "bidirectional"));
        assertThatThrownBy(() -> model.read(folder)).isInstanceOf(GraphException.class);
        assertThatThrownBy(() -> gru(real("clip", -1)).read(folder)).isInstanceOf(GraphException.class);
        assertThatThrownBy(() -> gru(integer("layout", 2)).read(folder)).isInstanceOf(GraphException.class);
    }
}
