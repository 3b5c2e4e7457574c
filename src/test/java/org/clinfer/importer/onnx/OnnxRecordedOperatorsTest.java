package org.clinfer.importer.onnx;

import static org.clinfer.importer.RecordedOperators.check;
import static org.clinfer.importer.RecordedOperators.parts;
import static org.clinfer.importer.RecordedOperators.tensor;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.importer.RecordedOperators;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators give what ONNX Runtime gave for the same operands, or what defines them, of which {@code test-data/onnx} has a record. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnnxRecordedOperatorsTest {

    private static final double TOLERANCE = 2e-5;
    private static final double HALF_TOLERANCE = 2e-3;

    @TempDir
    Path folder;

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @AfterAll
    void close() {
        engine.close();
    }

    static Stream<String> records() throws IOException {
        return RecordedOperators.of("onnx");
    }

    private static TensorProto.Builder stored(String name, Tensor value) {
        int type = OnnxElementTypes.number(value.dtype());
        return TestModel.tensor(name, type, value.shape().sizes()).setRawData(ByteString.copyFrom(value.bytes()));
    }

    private static AttributeProto attribute(String text) {
        String name = text.substring(0, text.indexOf('='));
        String value = text.substring(name.length() + 1);
        if (value.startsWith("[")) {
            List<String> elements = parts(value.substring(1, value.length() - 1), ",");
            if (elements.stream().allMatch(element -> element.matches("-?[0-9]+"))) {
                return TestModel.ints(
                        name, elements.stream().mapToLong(Long::parseLong).toArray());
            }
            AttributeProto.Builder list = TestModel.attribute(name, AttributeType.FLOATS);
            if (elements.stream().anyMatch(element -> element.matches("[A-Za-z_]+") && !element.equals("NaN"))) {
                elements.forEach(element -> list.addStrings(ByteString.copyFromUtf8(element)));
                return list.setType(AttributeType.STRINGS).build();
            }
            elements.forEach(element -> list.addFloats(Float.parseFloat(element)));
            return list.build();
        }
        if (value.matches("[a-z]+[0-9]*\\[.*")) {
            return TestModel.tensorAttribute(name, stored(name, tensor(value)));
        }
        if (value.matches("-?[0-9]+")) {
            return TestModel.integer(name, Long.parseLong(value));
        }
        boolean real = value.matches("-?([0-9][0-9.]*(e[-+]?[0-9]+)?|Infinity)|NaN");
        return real ? TestModel.real(name, Float.parseFloat(value)) : TestModel.text(name, value);
    }

    private static String operand(TestModel model, int number, String text, Map<String, Tensor> inputs) {
        if (text.equals("none")) {
            return "";
        }
        String name = "x" + number;
        Tensor value = tensor(text.replaceFirst("^const ", ""));
        if (text.startsWith("const ")) {
            model.initializer(stored(name, value));
        } else {
            model.typed(
                    name, OnnxElementTypes.number(value.dtype()), value.shape().sizes());
            inputs.put(name, value);
        }
        return name;
    }

    @ParameterizedTest
    @MethodSource("records")
    void givesWhatOnnxRuntimeGives(String line) {
        String[] columns = line.split("\\|", -1);
        String[] operator = columns[0].strip().split(":", -1);
        int point = operator[0].lastIndexOf('.');
        String domain = operator[0].substring(0, Math.max(point, 0));
        long version = Long.parseLong(operator[1]);
        TestModel model = TestModel.opset(domain.isEmpty() ? version : 21);
        if (!domain.isEmpty()) {
            model.model()
                    .addOpsetImport(
                            OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version));
        }
        Map<String, Tensor> inputs = new HashMap<>();
        List<String> names = new ArrayList<>();
        parts(columns[2], ";").forEach(text -> names.add(operand(model, names.size(), text, inputs)));
        List<String> expected = parts(columns[3], ";");
        List<String> outputs = new ArrayList<>(Collections.nCopies(expected.size(), ""));
        for (int i = 0; i < expected.size(); i++) {
            if (!expected.get(i).equals("text")) {
                outputs.set(i, "y" + i);
                model.output("y" + i);
            }
        }
        AttributeProto[] attributes = parts(columns[1], " ").stream()
                .map(OnnxRecordedOperatorsTest::attribute)
                .toArray(AttributeProto[]::new);
        model.node(operator[0].substring(point + 1), String.join(",", names), String.join(",", outputs), attributes);
        model.graph().getNodeBuilder(0).setDomain(domain);
        try (Model loaded = engine.load(model.write(folder));
                Session session = loaded.session();
                Result result = session.run(inputs)) {
            for (int i = 0; i < expected.size(); i++) {
                if (!expected.get(i).equals("text")) {
                    Tensor wanted = tensor(expected.get(i));
                    double tolerance = wanted.dtype() == DType.FLOAT16 ? HALF_TOLERANCE : TOLERANCE;
                    check(Objects.requireNonNull(result.outputs().get("y" + i)), wanted, tolerance);
                }
            }
        }
    }
}
