package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Metadata;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.tflite.TfliteNet;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Models that are in memory, and what a program is told of a model. */
class ModelBytesTest {

    private static final String CFG = """
            [net]
            width=2
            height=1
            channels=1
            [activation]
            activation=relu
            """;

    private static final String PROTOTXT = """
            input: "x"
            input_shape { dim: 1 dim: 2 }
            layer { name: "r" type: "ReLU" bottom: "x" top: "y" }
            """;

    private static final String PARAM = """
            7767517
            2 2
            Input x 0 1 x 0=2
            ReLU r 1 1 x y
            """;

    private static final String XML = """
            <?xml version="1.0"?>
            <net name="n" version="11"><layers>
            <layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/>
            <output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>
            <layer id="1" name="a" type="ReLU" version="opset1">
            <input><port id="0"><dim>2</dim></port></input>
            <output><port id="1" precision="FP32"><dim>2</dim></port></output></layer>
            <layer id="2" name="r" type="Result" version="opset1">
            <input><port id="0"><dim>2</dim></port></input></layer>
            </layers><edges>
            <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
            <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
            </edges></net>
            """;

    private static final String JSON = """
            // a comment may stand before it
            {"name": "n", "ops": [
              {"name": "x", "optype": "Input", "tensors_out": [{"arg_name": "y", "name": "x"}],
               "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [2]}]},
              {"name": "r", "optype": "Relu",
               "tensors_in": [{"arg_name": "x", "name": "x"}], "tensors_out": [{"arg_name": "y", "name": "y"}]},
              {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}]}
            ]}
            """;

    private static final Engine ENGINE = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @TempDir
    Path folder;

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    private static OnnxModel relu() {
        return new OnnxModel().input("x", 2).node("Relu", "x", "y");
    }

    static Stream<Arguments> formats() {
        return Stream.of(
                Arguments.of(ModelFormat.ONNX, relu().bytes()),
                Arguments.of(ModelFormat.CLINFER, text(JSON)),
                Arguments.of(ModelFormat.CAFFE_DEFINITION, text(PROTOTXT)),
                Arguments.of(ModelFormat.DARKNET, text(CFG)),
                Arguments.of(ModelFormat.NCNN, text(PARAM)),
                Arguments.of(ModelFormat.OPENVINO, text(XML)));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static float[] run(Model model) {
        Shape shape = model.inputs().get(0).type().shape();
        try (Session session = model.session();
                Result result = session.run(
                        Map.of(model.inputs().get(0).name(), Tensor.of(new float[] {-1, 3}, shape.sizes())))) {
            return result.outputs().values().iterator().next().toFloatArray();
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void theFormatIsFoundByContentOrGiven(ModelFormat format, byte[] bytes) throws IOException {
        try (Model found = ENGINE.load(bytes);
                Model given = ENGINE.load(bytes, format);
                Model streamed = ENGINE.load(new ByteArrayInputStream(bytes));
                Model both = ENGINE.load(new ByteArrayInputStream(bytes), format)) {
            for (Model model : new Model[] {found, given, streamed, both}) {
                assertThat(run(model)).containsExactly(0, 3);
            }
        }
    }

    @Test
    void tensorsOfTensorFlowLiteMayStayInWhatWasRead() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int w = net.floats("w", new float[] {10, 20}, 2);
        int y = net.value("y", "float32", 2);
        byte[] bytes = Files.readAllBytes(net.op("ADD", y, "", x, w).output(y).write(folder));
        try (Model model = ENGINE.load(bytes)) {
            Arrays.fill(bytes, (byte) 0);
            assertThat(run(model)).containsExactly(9, 23);
        }
    }

    @Test
    void outputsHaveTypesWithTheNamesOfOpenSizes() {
        ModelProto.Builder proto = new OnnxModel()
                .input("x", 2, 3).node("Relu", "x", "y").node("NonZero", "x", "z").build().toBuilder()
                        .setProducerName("maker")
                        .addMetadataProps(StringStringEntryProto.newBuilder()
                                .setKey("classes")
                                .setValue("cat,dog"));
        proto.getGraphBuilder()
                .getInputBuilder(0)
                .getTypeBuilder()
                .getTensorTypeBuilder()
                .getShapeBuilder()
                .getDimBuilder(0)
                .setDimParam("batch");
        proto.getGraphBuilder().clearOutput();
        proto.getGraphBuilder().addOutputBuilder().setName("y");
        proto.getGraphBuilder().addOutputBuilder().setName("z");
        try (Model model = ENGINE.load(proto.build().toByteArray())) {
            assertThat(model.outputs()).containsExactly("y", "z");
            assertThat(model.outputTypes().keySet()).containsExactly("y", "z");
            assertThat(model.outputTypes().get("y"))
                    .contains(new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(3)))));
            assertThat(Objects.requireNonNull(model.outputTypes().get("z")).map(TensorType::dtype))
                    .isIn(Optional.empty(), Optional.of(DType.INT64));
            assertThat(model.metadata().field(Metadata.Field.PRODUCER_NAME)).contains("maker");
            assertThat(model.metadata().properties()).containsEntry("classes", "cat,dog");
        }
    }

    @Test
    void theDemoGivesTheSameFromItsFileAndFromItsBytes() throws IOException {
        Path file = folder.resolve("shapes.onnx");
        byte[] bytes;
        try (InputStream in = ModelBytesTest.class.getResourceAsStream("/org/clinfer/demo/shapes.onnx")) {
            bytes = in.readAllBytes();
        }
        Files.write(file, bytes);
        try (Model read = ENGINE.load(file);
                Model taken = ENGINE.load(bytes)) {
            Arrays.fill(bytes, (byte) 0);
            assertThat(taken.inputs()).isEqualTo(read.inputs());
            assertThat(taken.outputTypes()).isEqualTo(read.outputTypes());
            long[] sizes = read.inputs().get(0).type().shape().sizes();
            Tensor input = Tensor.allocate(DType.FLOAT32, sizes);
            input.floats().put(0, 1f);
            Map<String, Tensor> inputs = Map.of(read.inputs().get(0).name(), input);
            try (Session one = read.session();
                    Session other = taken.session();
                    Result expected = one.run(inputs);
                    Result given = other.run(inputs)) {
                String output = read.outputs().get(0);
                assertThat(given.get(output).toFloatArray())
                        .isEqualTo(expected.get(output).toFloatArray());
            }
        }
    }

    private static byte[] external() {
        return new OnnxModel()
                .input("x", 2)
                .externalWeights("w", "w.data", 2)
                .node("Add", "x,w", "y")
                .bytes();
    }

    @Test
    void weightsOutsideAreReadWhereAFolderIsGivenAndRefusedElse() throws IOException {
        Files.write(
                folder.resolve("w.data"),
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putFloat(10)
                        .putFloat(20)
                        .array());
        assertThatThrownBy(() -> ENGINE.load(external()))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("it needs the file 'w.data', but the model was given as bytes, without a folder");
        try (Model model = ENGINE.load(external(), ModelFormat.ONNX, folder)) {
            assertThat(run(model)).containsExactly(9, 23);
        }
        Path inner = Files.createDirectory(folder.resolve("inner"));
        assertThatThrownBy(() -> ENGINE.load(external(), ModelFormat.ONNX, inner))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("w.data");
    }

    @Test
    void bytesThatAreNoModelAreRefusedInOneLine() {
        assertThatThrownBy(() -> ENGINE.load(new byte[0]))
                .isInstanceOf(GraphException.class)
                .hasMessage("model: it has no bytes");
        assertThatThrownBy(() -> ENGINE.load(text("hello")))
                .isInstanceOf(GraphException.class)
                .hasMessageStartingWith("model: unknown kind of model by its first bytes; known are ");
        byte[] cut = relu().bytes();
        assertThatThrownBy(() -> ENGINE.load(Arrays.copyOf(cut, cut.length / 2)))
                .isInstanceOf(GraphException.class)
                .hasMessageStartingWith("model: not a valid ONNX model");
        assertThatThrownBy(() -> ENGINE.load(text("hello"), ModelFormat.TFLITE))
                .isInstanceOf(GraphException.class)
                .hasMessageStartingWith("model.tflite: not a valid TensorFlow Lite model");
    }

    @Test
    void aClosedModelTellsNoTypes() {
        Model model = ENGINE.load(relu().bytes());
        model.close();
        assertThatThrownBy(model::outputTypes).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aClosedEngineTakesNoBytes() {
        Engine closed = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
        closed.close();
        assertThatThrownBy(() -> closed.load(relu().bytes())).isInstanceOf(IllegalStateException.class);
    }
}
