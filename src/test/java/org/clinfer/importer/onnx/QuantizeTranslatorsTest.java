package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.tensor;
import static org.clinfer.importer.onnx.TestModel.text;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators on codes of few bits, of ONNX and of ONNX Runtime. */
class QuantizeTranslatorsTest {

    private static final int UINT8 = 2;
    private static final int INT8 = 3;
    private static final int FLOAT16 = 10;

    @TempDir
    private Path folder;

    private static TestModel model() {
        return TestModel.opset(21)
                .input("x", 1, 3, 8, 8)
                .typed("codes", UINT8, 1, 3, 8, 8)
                .reals("s", 0.5f)
                .initializer(tensor("h", FLOAT16, 1).addInt32Data(14336))
                .initializer(tensor("z", UINT8, 1).addInt32Data(128))
                .initializer(tensor("wz", INT8, 1).addInt32Data(0))
                .initializer(tensor("w", INT8, 4, 3, 3, 3).setRawData(ByteString.copyFrom(new byte[108])))
                .output("y");
    }

    private static TestModel runtime(TestModel model) {
        model.graph().getNodeBuilderList().forEach(node -> node.setDomain("com.microsoft"));
        model.model()
                .addOpsetImport(OperatorSetIdProto.newBuilder()
                        .setDomain("com.microsoft")
                        .setVersion(1));
        return model;
    }

    private static List<String> ops(Graph graph) {
        return graph.nodes().stream().map(Node::op).toList();
    }

    @Test
    void quantizingKeepsAxisBlocksAndTypes() {
        Node plain = model().node("QuantizeLinear", "x,s,z", "y").readNode(folder);
        Node blocks = model().node(
                        "QuantizeLinear",
                        "x,s",
                        "y",
                        integer("axis", -1),
                        integer("block_size", 4),
                        integer("output_dtype", 5))
                .readNode(folder);

        assertThat(plain.inputs()).containsExactly("x", "s", "z");
        assertThat(plain.params())
                .containsEntry("axis", Attribute.of(1L))
                .containsEntry("precision", Attribute.of("float32"));
        assertThat(blocks.params())
                .containsEntry("axis", Attribute.of(-1L))
                .containsEntry("block_size", Attribute.of(4L))
                .containsEntry("code_type", Attribute.of("int16"));
    }

    @Test
    void scalesOfHalvesAreCastAndKeepTheirPrecision() {
        Graph quantized = model().node("QuantizeLinear", "x,h,z", "y").read(folder);
        Graph dequantized = model().node("DequantizeLinear", "codes,h,z", "y").read(folder);

        assertThat(ops(quantized)).containsExactly("Cast", "QuantizeLinear");
        assertThat(quantized.nodes().get(1).params()).containsEntry("precision", Attribute.of("float16"));
        assertThat(dequantized.nodes().get(1).params()).containsEntry("real_type", Attribute.of("float16"));
    }

    /** Powers of two, which any precision divides by exactly; they say no type of reals. */
    @Test
    void scalesThatArePowersOfTwoAreCast() {
        Graph quantized = powers().node("QuantizeLinear", "x,p,z", "y").read(folder);
        Graph dequantized = powers().node("DequantizeLinear", "codes,p,z", "y", integer("output_dtype", 1))
                .read(folder);

        assertThat(ops(quantized)).containsExactly("Cast", "QuantizeLinear");
        assertThat(quantized.nodes().get(1).params()).doesNotContainKey("precision");
        assertThat(dequantized.nodes().get(1).params()).containsEntry("real_type", Attribute.of("float32"));
        assertThatThrownBy(() ->
                        powers().node("DequantizeLinear", "codes,p,z", "y").read(folder))
                .hasMessageContaining("a scale of float8e8m0 without output_dtype");
    }

    private static TestModel powers() {
        return model().initializer(TestModel.tensor("p", 24).addInt32Data(126));
    }

    @Test
    void typesThatThereAreNotAreRefusedByName() {
        assertThatThrownBy(() -> model().node("QuantizeLinear", "x,s", "y", integer("output_dtype", 24))
                        .readNode(folder))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature())
                                .isEqualTo("operator QuantizeLinear with codes of float8e8m0"));
        assertThatThrownBy(() -> model().node("QuantizeLinear", "x,s", "y", integer("output_dtype", (1L << 32) + 2))
                        .readNode(folder))
                .isExactlyInstanceOf(GraphException.class);
    }

    @Test
    void convolutionsTakeTheirInputsInOneOrder() {
        Node full = model().node(
                        "QLinearConv",
                        "codes,s,z,w,s,wz,s,z",
                        "y",
                        ints("pads", 1, 2, 3, 4),
                        ints("strides", 2, 1),
                        ints("kernel_shape", 3, 3))
                .readNode(folder);
        Node sums = model().node("ConvInteger", "codes,w,z", "y", text("auto_pad", "SAME_UPPER"))
                .readNode(folder);

        assertThat(full.op()).isEqualTo("QuantizedConv");
        assertThat(full.inputs()).containsExactly("codes", "w", "", "z", "wz", "s", "s", "s", "z");
        assertThat(full.params())
                .containsEntry("pads_begin", Attribute.ofInts(1, 2))
                .containsEntry("pads_end", Attribute.ofInts(3, 4))
                .containsEntry("strides", Attribute.ofInts(2, 1));
        assertThat(sums.inputs()).containsExactly("codes", "w", "", "z");
        assertThat(sums.params()).containsEntry("auto_pad", Attribute.of("same_upper"));
    }

    @Test
    void aKernelOfAnotherSizeThanTheWeightsIsMalformed() {
        assertThatThrownBy(() -> model().node("ConvInteger", "codes,w", "y", ints("kernel_shape", 3, 5))
                        .readNode(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("kernel_shape is [3, 5]");
        assertThatThrownBy(() ->
                        model().node("QLinearConv", "codes,s,z,w,s,wz,s", "y").readNode(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("input 7 is missing");
    }

    @Test
    void productsOfMatrices() {
        Node full = model().node("QLinearMatMul", "codes,s,z,w,s,wz,s,z", "y").readNode(folder);
        Node sums = model().node("MatMulInteger", "codes,w", "y").readNode(folder);

        assertThat(full.op()).isEqualTo("QuantizedMatMul");
        assertThat(full.inputs()).containsExactly("codes", "w", "", "z", "wz", "s", "s", "s", "z");
        assertThat(sums.inputs()).containsExactly("codes", "w");
    }

    @Test
    void dynamicScalesAreComputed() {
        Graph graph = model().node("DynamicQuantizeLinear", "x", "y,scale,zero")
                .output("scale", "zero")
                .read(folder);

        assertThat(ops(graph))
                .containsExactlyInAnyOrder(
                        "ReduceMax",
                        "ReduceMin",
                        "Max",
                        "Min",
                        "Sub",
                        "Div",
                        "Sub",
                        "QuantizeLinear",
                        "QuantizeLinear");
        assertThat(graph.nodes())
                .filteredOn(node -> node.outputs().contains("y"))
                .extracting(Node::name)
                .containsExactly("dynamicquantizelinear");
    }

    @Test
    void operatorsOfTheRuntimeAreTheirDefinitions() {
        Graph sum = runtime(model().node("QLinearAdd", "codes,s,z,codes,s,z,s,z", "y"))
                .read(folder);
        Graph joined = runtime(model().node("QLinearConcat", "s,z,codes,s,z,codes,s,z", "y", integer("axis", 1)))
                .read(folder);
        Graph pool = runtime(
                        model().node("QLinearGlobalAveragePool", "codes,s,z,s,z", "y", integer("channels_last", 1)))
                .read(folder);

        assertThat(ops(sum)).containsExactly("DequantizeLinear", "DequantizeLinear", "Add", "QuantizeLinear");
        assertThat(ops(joined)).containsExactly("DequantizeLinear", "DequantizeLinear", "Concat", "QuantizeLinear");
        assertThat(ops(pool))
                .containsExactly("DequantizeLinear", "Transpose", "AvgPool", "Transpose", "QuantizeLinear");
        assertThat(pool.nodes().get(1).params()).containsEntry("perm", Attribute.ofInts(0, 3, 1, 2));
        assertThat(pool.nodes().get(3).params()).containsEntry("perm", Attribute.ofInts(0, 2, 3, 1));
    }

    @Test
    void aZeroPointThatIsLeftOutIsOfTheTypeOfTheInput() {
        Node last = runtime(model().node("QLinearSigmoid", "codes,s,,s", "y")).readNode(folder);

        assertThat(last.params()).containsEntry("code_type", Attribute.of("uint8"));
    }

    @Test
    void softmaxIsThatOfTheOperatorSetItNames() {
        List<Node> old = runtime(model().node("QLinearSoftmax", "codes,s,z,s,z", "y", integer("opset", 11)))
                .read(folder)
                .nodes();

        assertThat(old.get(1).params()).containsEntry("flatten", Attribute.of(true));
        assertThatThrownBy(() -> runtime(model().node("QLinearSoftmax", "codes,s,z,s,z", "y"))
                        .read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("'opset' is missing");
    }

    @Test
    void gemmTurnsAndScales() {
        TestModel turned = TestModel.opset(13)
                .typed("a", UINT8, 5, 2)
                .initializer(tensor("b", INT8, 5, 3).setRawData(ByteString.copyFrom(new byte[15])))
                .reals("s", 0.5f)
                .initializer(tensor("z", UINT8, 1).addInt32Data(128))
                .initializer(tensor("wz", INT8, 1).addInt32Data(0))
                .node("QGemm", "a,s,z,b,s,wz", "y", integer("transA", 1), real("alpha", 2))
                .output("y");
        Graph graph = runtime(turned).read(folder);

        assertThat(ops(graph)).containsExactlyInAnyOrder("Mul", "Transpose", "QuantizedMatMul");
        assertThat(graph.nodes().get(2).inputs()).hasSize(7);
        assertThatThrownBy(() -> runtime(model().node("QGemm", "codes,s,z,w,s,wz,,s", "y"))
                        .read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("y_scale and no y_zero_point");
    }

    @Test
    void otherOperatorsOfTheRuntimeAreRefusedByName() {
        assertThatThrownBy(() ->
                        runtime(model().node("PackedAttention", "codes", "y")).read(folder))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).isEqualTo("operator com.microsoft.PackedAttention"));
    }
}
