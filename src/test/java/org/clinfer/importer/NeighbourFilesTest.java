package org.clinfer.importer;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.importer.caffe.proto.BlobShape;
import org.clinfer.importer.caffe.proto.LayerParameter;
import org.clinfer.importer.caffe.proto.NetParameter;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data beside a model, of every format that has some: below the folder of the model alone, unless it may be anywhere. */
class NeighbourFilesTest {

    private static final String CFG = """
            [net]
            width=2
            height=1
            channels=1
            [convolutional]
            filters=1
            size=1
            stride=1
            activation=linear
            """;

    private static final String PROTOTXT = """
            input: "x"
            input_shape { dim: 1 dim: 2 }
            layer { name: "p" type: "InnerProduct" bottom: "x" top: "y" inner_product_param { num_output: 1 } }
            """;

    private static final String PARAM = """
            7767517
            2 2
            Input x 0 1 x 0=2
            InnerProduct p 1 1 x y 0=1 1=0 2=2
            """;

    private static final String XML = """
            <?xml version="1.0"?>
            <net name="n" version="11"><layers>
            <layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/>
            <output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>
            <layer id="1" name="w" type="Const" version="opset1"><data element_type="f32" shape="2" offset="0" size="8"/>
            <output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>
            <layer id="2" name="a" type="Add" version="opset1"><data auto_broadcast="numpy"/>
            <input><port id="0"><dim>2</dim></port><port id="1"><dim>2</dim></port></input>
            <output><port id="2" precision="FP32"><dim>2</dim></port></output></layer>
            <layer id="3" name="r" type="Result" version="opset1">
            <input><port id="0"><dim>2</dim></port></input></layer>
            </layers><edges>
            <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
            <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
            <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
            </edges></net>
            """;

    private static final String JSON = """
            {"name": "n", "ops": [
              {"name": "w", "optype": "Const", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "w"}],
               "params": [{"arg_name": "dtype", "value": "float32"}, {"arg_name": "dims", "value": [2]},
                          {"arg_name": "from_file", "value": "w.safetensors"}]},
              {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "w"}], "tensors_out": [],
               "params": []}
            ]}
            """;

    private static final String TFJS = """
            {"format": "layers-model", "modelTopology": {"model_config": {"class_name": "Sequential", "config":
              {"name": "n", "layers": [
                {"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [null, 2], "dtype": "float32"}},
                {"class_name": "Dense", "config": {"name": "d", "units": 1, "use_bias": false, "activation": "linear"}}
              ]}}},
             "weightsManifest": [{"paths": ["w.bin"], "weights":
              [{"name": "d/kernel", "shape": [2, 1], "dtype": "float32"}]}]}
            """;

    /** Two numbers, both 1. */
    private static final byte[] NUMBERS = numbers(1, 1);

    @TempDir
    Path folder;

    private Path models = Path.of("");
    private Path elsewhere = Path.of("");

    @BeforeEach
    void makeFolders() throws IOException {
        models = Files.createDirectory(folder.resolve("models"));
        elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    }

    @AfterEach
    void forget() {
        System.clearProperty(NeighbourFiles.ANYWHERE_PROPERTY);
    }

    /** A model and its data, in files of their own. */
    private record Format(String model, ByteBuffer content, String data, ByteBuffer bytes) {

        static Format of(String model, byte[] content, String data, byte[] bytes) {
            return new Format(model, ByteBuffer.wrap(content), data, ByteBuffer.wrap(bytes));
        }

        @Override
        public String toString() {
            return model + " with " + data;
        }
    }

    private static Format text(String model, String content, String data, byte[] bytes) {
        return Format.of(model, content.getBytes(StandardCharsets.UTF_8), data, bytes);
    }

    static Stream<Format> formats() {
        return Stream.of(
                Format.of("n.onnx", onnx(), "w.data", NUMBERS),
                text("n.json", JSON, "w.safetensors", safetensors()),
                text("model.json", TFJS, "w.bin", NUMBERS),
                // three numbers of the version, one of pictures seen, one each of bias and kernel
                text("n.cfg", CFG, "n.weights", numbers(0, 0, 0, 0, 1, 1)),
                text("n.prototxt", PROTOTXT, "n.caffemodel", caffe()),
                text("n.prototxt", PROTOTXT, "other.caffemodel", caffe()),
                // a tag says how the numbers are stored
                text("n.param", PARAM, "n.bin", numbers(0, 1, 1)),
                text("n.xml", XML, "n.bin", NUMBERS));
    }

    private static byte[] numbers(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return bytes.array();
    }

    private static byte[] onnx() {
        return new OnnxModel()
                .input("x", 2)
                .externalWeights("w", "w.data", 2)
                .node("Add", "x,w", "y")
                .bytes();
    }

    private static byte[] caffe() {
        BlobProto kernel = BlobProto.newBuilder()
                .setShape(BlobShape.newBuilder().addDim(1).addDim(2))
                .addData(ByteString.copyFrom(NUMBERS))
                .build();
        BlobProto bias = BlobProto.newBuilder()
                .setShape(BlobShape.newBuilder().addDim(1))
                .addData(ByteString.copyFrom(numbers(1f)))
                .build();
        return NetParameter.newBuilder()
                .addLayer(LayerParameter.newBuilder()
                        .setName("p")
                        .setType("InnerProduct")
                        .addBlobs(kernel)
                        .addBlobs(bias))
                .build()
                .toByteArray();
    }

    private static byte[] safetensors() {
        byte[] header = "{\"w\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [0, 8]}}"
                .getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + header.length + NUMBERS.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .put(NUMBERS)
                .array();
    }

    private void read(Format format) throws IOException {
        Path model =
                Files.write(models.resolve(format.model()), format.content().array());
        Importers.builtIn().read(model).constants().values().forEach(Tensor::close);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void dataInTheFolderAndLinksThatStayThere(Format format) throws IOException {
        Path there = Files.createDirectory(models.resolve("below")).resolve("data");
        Files.write(there, format.bytes().array());
        Files.createSymbolicLink(models.resolve(format.data()), Path.of("below", "data"));
        assertThatCode(() -> read(format)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void linksThatLeaveTheFolder(Format format) throws IOException {
        Path secret = Files.write(elsewhere.resolve("secret"), format.bytes().array());
        Files.createSymbolicLink(models.resolve(format.data()), secret);
        assertThatThrownBy(() -> read(format))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("'" + format.data() + "' is outside the model's folder")
                .hasMessageContaining(NeighbourFiles.ANYWHERE_PROPERTY + "=true");
        System.setProperty(NeighbourFiles.ANYWHERE_PROPERTY, "true");
        assertThatCode(() -> read(format)).doesNotThrowAnyException();
    }
}
