package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.SparseTensorProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto.Dimension;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxImporterTest {

    @TempDir
    private Path folder;

    private static TestModel convNet() {
        return TestModel.opset(13)
                .input("x", 1, 3, 8, 8)
                .floats("w", 4, 3, 3, 3)
                .floats("unused", 2)
                .reals("top", 6)
                .node("Conv", "x,w", "c", ints("pads", 1, 1, 1, 1), integer("group", 1))
                .node("Clip", "c,,top", "r")
                .node("MaxPool", "r", "p", ints("kernel_shape", 2, 2), ints("strides", 2, 2))
                .node("LeakyRelu", "p", "y", real("alpha", 0.1f))
                .output("y");
    }

    @Test
    void wholeModel() {
        Graph graph = convNet().read(folder);

        assertThat(graph.name()).isEqualTo("test");
        assertThat(graph.source()).hasToString("test.onnx");
        assertThat(graph.inputs()).containsExactly(new Graph.Input("x", TensorType.of(DType.FLOAT32, 1, 3, 8, 8)));
        assertThat(graph.outputs()).containsExactly("y");
        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Conv2d", "Clip", "MaxPool", "LeakyRelu");
        assertThat(graph.constants()).containsOnlyKeys("w", "top");
    }

    @Test
    void initializersListedAsInputsAreConstants() {
        TestModel model = convNet();
        model.graph().addInput(TestModel.info("w", TestModel.FLOAT, 4, 3, 3, 3));

        assertThat(model.read(folder).inputs()).extracting(Graph.Input::name).containsExactly("x");
    }

    private static TensorShapeProto.Builder shape(TestModel model) {
        return model.graph()
                .getInputBuilder(0)
                .getTypeBuilder()
                .getTensorTypeBuilder()
                .getShapeBuilder();
    }

    @Test
    void dimensionsMayBeNamedOrUnknown() {
        TestModel model = convNet();
        shape(model)
                .setDim(0, Dimension.newBuilder().setDimParam("batch"))
                .setDim(2, Dimension.newBuilder())
                .setDim(3, Dimension.newBuilder().setDimValue(-1));

        assertThat(model.read(folder).inputs().get(0).type()).hasToString("batchx3x?x?:float32");
    }

    @Test
    void twoDimensionsOfOneNameMayDiffer() {
        TestModel model = convNet();
        shape(model)
                .setDim(0, Dimension.newBuilder().setDimParam("batch"))
                .setDim(3, Dimension.newBuilder().setDimParam("batch"));

        assertThat(model.read(folder).inputs().get(0).type().shape().dims())
                .startsWith(Dim.named("batch"))
                .endsWith(Dim.unknown());
    }

    @Test
    void inputWithoutShapeGetsItsRankFromItsUse() {
        TestModel model = convNet();
        model.graph().getInputBuilder(0).getTypeBuilder().getTensorTypeBuilder().clearShape();

        assertThat(model.read(folder).inputs().get(0).type()).hasToString("?x?x?x?:float32");
    }

    @Test
    void namelessNodesAreCalledByOperatorAndPlace() {
        TestModel model = convNet();
        model.graph().getNodeBuilder(0).clearName();
        Node node = model.read(folder).nodes().get(0);

        assertThat(node.name()).isEqualTo("Conv_0");
        assertThat(node.source()).hasToString("test.onnx: node 0 (Conv)");
    }

    private void assertRefused(TestModel model, String feature, String sentence) {
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).isEqualTo(feature))
                .hasMessageStartingWith("test.onnx: ")
                .hasMessageContaining(sentence);
    }

    @Test
    void unknownOperatorsAndDomains() {
        TestModel domain = convNet();
        domain.graph().getNodeBuilder(0).setDomain("com.microsoft");
        TestModel standard = convNet();
        standard.graph().getNodeBuilder(0).setDomain("ai.onnx");

        assertRefused(convNet().node("RegexFullMatch", "y", "z"), "operator RegexFullMatch", "node 4 'regexfullmatch'");
        assertRefused(domain, "operator com.microsoft.Conv", "Clinfer has no operator com.microsoft.Conv");
        domain.graph().getNodeBuilder(0).setDomain("com.microsoft.nchwc");
        assertRefused(domain, "operator com.microsoft.nchwc.Conv", "save the model with ONNX Runtime's");
        assertThat(standard.read(folder).nodes()).hasSize(4);
    }

    @Test
    void unknownAttributes() {
        assertRefused(
                convNet().node("Relu", "y", "z", integer("slope", 1)),
                "operator Relu with attribute 'slope'",
                "node 4 'relu' (Relu)");
    }

    @Test
    void attributesOfWrongTypeOrTwice() {
        TestModel wrong = convNet().node("Flatten", "y", "z", real("axis", 1));
        TestModel twice = convNet().node("Flatten", "y", "z", integer("axis", 1), integer("axis", 1));
        TestModel untyped = convNet()
                .node(
                        "Flatten",
                        "y",
                        "z",
                        AttributeProto.newBuilder().setName("axis").setI(2).build())
                .output("z");
        TestModel reference = convNet()
                .node(
                        "Flatten",
                        "y",
                        "z",
                        TestModel.attribute("axis", AttributeType.INT)
                                .setRefAttrName("a")
                                .build());

        assertMalformed(wrong, "attribute 'axis' must be of type INT, but is FLOAT");
        assertMalformed(twice, "attribute 'axis' is given twice");
        assertMalformed(reference, "refers to a function's attribute");
        assertThat(untyped.readNode(folder).params().get("axis")).hasToString("2");
    }

    private void assertMalformed(TestModel model, String message) {
        assertThatThrownBy(() -> model.read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageStartingWith("test.onnx")
                .hasMessageContaining(message);
    }

    @Test
    void typesThatAreNoTensors() {
        TypeProto.Marker marker = TypeProto.Marker.getDefaultInstance();
        TestModel sequence = convNet();
        TypeProto.Sequence ofMaps = TypeProto.Sequence.newBuilder()
                .setElemType(TypeProto.newBuilder().setMapType(marker))
                .build();
        sequence.graph().addInput(value("s", TypeProto.newBuilder().setSequenceType(ofMaps)));
        TestModel optional = convNet();
        TypeProto.Optional ofOptionals = TypeProto.Optional.newBuilder()
                .setElemType(TypeProto.newBuilder().setOptionalType(TypeProto.Optional.getDefaultInstance()))
                .build();
        optional.graph().addInput(value("s", TypeProto.newBuilder().setOptionalType(ofOptionals)));
        TestModel map = convNet();
        map.graph().setOutput(0, value("y", TypeProto.newBuilder().setMapType(marker)));

        assertRefused(sequence, "type sequence of map", "input 's'");
        assertRefused(optional, "type optional", "input 's'");
        assertRefused(map, "type map", "output 'y'");
        assertRefused(convNet().typed("u", 14, 1), "data type complex64", "input 'u'");
        assertMalformed(convNet().typed("u", 0, 1), "input 'u': it has no element type");
    }

    private static ValueInfoProto.Builder value(String name, TypeProto.Builder type) {
        return ValueInfoProto.newBuilder().setName(name).setType(type);
    }

    private static TestModel withSparse(TensorProto.Builder indices) {
        TestModel model =
                TestModel.opset(13).input("x", 2, 3).node("Add", "x,w", "y").output("y");
        model.graph()
                .addSparseInitializer(SparseTensorProto.newBuilder()
                        .setValues(TestModel.tensor("w", TestModel.INT64, 2)
                                .addInt64Data(7)
                                .addInt64Data(8))
                        .setIndices(indices)
                        .addDims(2)
                        .addDims(3));
        return model;
    }

    @Test
    void sparseInitializersAreConstants() {
        TensorProto.Builder linear =
                TestModel.tensor("", TestModel.INT64, 2).addInt64Data(0).addInt64Data(5);
        TensorProto.Builder byAxis =
                TestModel.tensor("", TestModel.INT64, 2, 2).addAllInt64Data(List.of(0L, 0L, 1L, 2L));
        for (TensorProto.Builder indices : List.of(linear, byAxis)) {
            Graph graph = new OnnxImporter(OpCatalog.builtIn())
                    .read(withSparse(indices).write(folder));
            assertThat(graph.constants().get("w")).hasToString("2x3:int64 [7, 0, 0, 0, 0, 8]");
        }
        assertMalformed(
                withSparse(
                        TestModel.tensor("", TestModel.INT64, 2).addInt64Data(0).addInt64Data(6)),
                "its index 6 is not below 6");
        assertMalformed(withSparse(TestModel.tensor("", TestModel.INT64, 1).addInt64Data(0)), "do not fit its values");
    }

    @Test
    void valuesDefinedTwiceOrNever() {
        assertMalformed(convNet().floats("w", 1), "initializer 'w': it is defined twice");
        assertMalformed(convNet().node("Relu", "y", "r").output("r"), "value 'r' is produced twice");
        assertMalformed(convNet().node("Relu", "nowhere", "z").output("z"), "input 'nowhere' is never produced");
        assertMalformed(convNet().output("z"), "output 'z' is never produced");
        assertMalformed(convNet().node("Constant", "", "w", real("value_float", 1)), "value 'w' is defined twice");
        assertMalformed(convNet().node("Relu", "b", "a").node("Relu", "a", "b").output("b"), "the graph has a cycle");
    }

    @Test
    void operatorSetVersions() {
        TestModel missing = convNet();
        missing.model().clearOpsetImport();
        TestModel zero = convNet();
        zero.model().getOpsetImportBuilder(0).setVersion(0);
        TestModel old =
                TestModel.opset(1).input("x", 1, 2).node("Concat", "x,x", "y").output("y");
        old.model().clearOpsetImport().setIrVersion(1);
        TestModel other = convNet();
        other.model()
                .addOpsetImport(
                        0,
                        OperatorSetIdProto.newBuilder()
                                .setDomain("com.microsoft")
                                .setVersion(1));

        assertMalformed(missing, "does not say which version of the operator set");
        assertMalformed(zero, "operator set version 0 does not exist");
        assertThat(old.readNode(folder).params().get("axis")).hasToString("1");
        assertThat(other.read(folder).nodes()).hasSize(4);
    }

    @Test
    void tooManyInputs() {
        assertMalformed(convNet().node("Relu", "y,y", "z"), "it has 2 inputs, but Relu takes at most 1");
    }

    private void assertInvalidFile(byte[] content, String message) throws IOException {
        Path file = Files.write(folder.resolve("bad.onnx"), content);
        assertThatThrownBy(() -> new OnnxImporter(OpCatalog.builtIn()).read(file))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageStartingWith("bad.onnx: not a valid ONNX model: ")
                .hasMessageContaining(message);
    }

    @Test
    void filesThatAreNoModels() throws IOException {
        assertInvalidFile(new byte[0], "the file is empty");
        assertInvalidFile(ModelProto.newBuilder().setIrVersion(8).build().toByteArray(), "it has no graph");
        byte[] whole = convNet().build().toByteArray();
        assertInvalidFile(Arrays.copyOf(whole, whole.length / 2), "it is truncated or damaged");
        byte[] noise = new byte[4096];
        new Random(7).nextBytes(noise);
        assertInvalidFile(noise, "");
        assertThatThrownBy(() -> new OnnxImporter(OpCatalog.builtIn()).read(folder.resolve("none.onnx")))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("none.onnx: no such file");
        assertThatThrownBy(() -> new OnnxImporter(OpCatalog.builtIn()).read(folder))
                .hasMessageContaining("it is a directory");
    }

    @Test
    void damageIsAlwaysReportedAsSuch() throws IOException {
        byte[] whole = convNet().build().toByteArray();
        Random random = new Random(42);
        int refused = 0;
        for (int round = 0; round < 400; round++) {
            byte[] damaged = whole.clone();
            if (round % 2 == 0) {
                damaged = Arrays.copyOf(whole, random.nextInt(whole.length));
            } else {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                new OnnxImporter(OpCatalog.builtIn()).read(Files.write(folder.resolve("damaged.onnx"), damaged));
            } catch (GraphException expected) {
                assertThat(expected).hasMessageStartingWith("damaged.onnx");
                refused++;
            }
        }
        assertThat(refused).isBetween(200, 399);
    }
}
