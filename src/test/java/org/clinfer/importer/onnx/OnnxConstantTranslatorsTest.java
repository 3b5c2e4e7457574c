package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.FLOAT;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.floatList;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.tensor;
import static org.clinfer.importer.onnx.TestModel.tensorAttribute;
import static org.clinfer.importer.onnx.TestModel.text;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.SparseTensorProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxConstantTranslatorsTest {

    @TempDir
    private Path folder;

    private Tensor constant(AttributeProto value) {
        Graph graph =
                TestModel.opset(13).node("Constant", "", "c", value).output("c").read(folder);
        assertThat(graph.nodes()).isEmpty();
        return Objects.requireNonNull(graph.constants().get("c"));
    }

    @Test
    void everyFormOfAConstant() {
        Tensor tensor = constant(
                tensorAttribute("value", tensor("", FLOAT, 1, 2).addFloatData(1).addFloatData(2)));

        assertThat(tensor).hasToString("1x2:float32 [1.0, 2.0]");
        assertThat(constant(integer("value_int", 7))).hasToString("scalar:int64 [7]");
        assertThat(constant(real("value_float", 0.5f))).hasToString("scalar:float32 [0.5]");
        assertThat(constant(ints("value_ints", 3, -4))).hasToString("2:int64 [3, -4]");
        assertThat(constant(floatList("value_floats", 1, 2, 3))).hasToString("3:float32 [1.0, 2.0, 3.0]");
    }

    @Test
    void sparseValuesHaveZerosElsewhere() {
        SparseTensorProto.Builder sparse = SparseTensorProto.newBuilder()
                .setValues(
                        TestModel.tensor("", TestModel.FLOAT, 2).addFloatData(5).addFloatData(-1))
                .setIndices(
                        TestModel.tensor("", TestModel.INT64, 2).addInt64Data(1).addInt64Data(5))
                .addDims(2)
                .addDims(3);
        AttributeProto attribute = TestModel.attribute("sparse_value", AttributeProto.AttributeType.SPARSE_TENSOR)
                .setSparseTensor(sparse)
                .build();

        assertThat(constant(attribute)).hasToString("2x3:float32 [0.0, 5.0, 0.0, 0.0, 0.0, -1.0]");
    }

    @Test
    void textsAreRefused() {
        assertThatThrownBy(() -> constant(text("value_string", "a")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("value_string");
        assertThatThrownBy(() -> constant(text("doc", "a"))).hasMessageContaining("it has no value");
    }

    @Test
    void constantsMayStandAfterTheirUse() {
        Node node = TestModel.opset(13)
                .input("x", 3)
                .node("Dropout", "x,,mode", "y")
                .node(
                        "Constant",
                        "",
                        "mode",
                        tensorAttribute("value", tensor("", TestModel.BOOL).addInt32Data(0)))
                .output("y")
                .readNode(folder);

        assertThat(node.op()).isEqualTo("Dropout");
    }

    @Test
    void constantOfShape() {
        TestModel model = TestModel.opset(9).longs("s", 2, 3).output("y");
        Node whole = model.node(
                        "ConstantOfShape",
                        "s",
                        "y",
                        tensorAttribute("value", tensor("", INT64, 1).addInt64Data(-3)))
                .readNode(folder);
        Node plain = TestModel.opset(20)
                .longs("s", 2, 3)
                .node("ConstantOfShape", "s", "y")
                .output("y")
                .readNode(folder);

        assertThat(whole.params()).isEqualTo(Map.of("value", Attribute.of(-3.0), "dtype", Attribute.of("int64")));
        assertThat(plain.params()).isEqualTo(Map.of("value", Attribute.of(0.0), "dtype", Attribute.of("float32")));
    }

    @Test
    void constantOfShapeTakesOneExactValue() {
        TestModel two = TestModel.opset(9)
                .longs("s", 2)
                .node(
                        "ConstantOfShape",
                        "s",
                        "y",
                        tensorAttribute(
                                "value", tensor("", INT64, 2).addInt64Data(1).addInt64Data(2)))
                .output("y");
        TestModel large = TestModel.opset(9)
                .longs("s", 2)
                .node(
                        "ConstantOfShape",
                        "s",
                        "y",
                        tensorAttribute("value", tensor("", INT64, 1).addInt64Data(Long.MAX_VALUE)))
                .output("y");

        assertThatThrownBy(() -> two.read(folder)).hasMessageContaining("must have one element, but is 2:int64");
        assertThat(large.read(folder).nodes()).extracting(Node::op).containsExactly("Expand");
    }

    @Test
    void shapeAndRange() {
        Node plain = TestModel.opset(13)
                .input("x", 2, 3)
                .node("Shape", "x", "y")
                .output("y")
                .readNode(folder);
        Node part = TestModel.opset(15)
                .input("x", 2, 3)
                .node("Shape", "x", "y", integer("start", -1), integer("end", 2))
                .output("y")
                .readNode(folder);
        Node range = TestModel.opset(11)
                .reals("a", 0)
                .node("Range", "a,a,a", "y")
                .output("y")
                .readNode(folder);

        assertThat(plain.params()).isEmpty();
        assertThat(part.params()).isEqualTo(Map.of("start", Attribute.of(-1), "end", Attribute.of(2)));
        assertThat(range.inputs()).containsExactly("a", "a", "a");
    }

    private Attribute castTo(long opset, AttributeProto to) {
        Node node = TestModel.opset(opset)
                .input("x", 2)
                .node("Cast", "x", "y", to)
                .output("y")
                .readNode(folder);
        return Objects.requireNonNull(node.params().get("to"));
    }

    @Test
    void castByNumberAndByText() {
        assertThat(castTo(1, text("to", "DOUBLE"))).hasToString("float64");
        assertThat(castTo(1, text("to", "INT32"))).hasToString("int32");
        assertThat(castTo(6, integer("to", 10))).hasToString("float16");
        assertThat(castTo(13, integer("to", 16))).hasToString("bfloat16");
        assertThat(castTo(13, integer("to", 2))).hasToString("uint8");
        assertThatThrownBy(() -> castTo(13, integer("to", 14)))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).isEqualTo("data type complex64"));
        assertThatThrownBy(() -> castTo(13, integer("to", 0))).isExactlyInstanceOf(GraphException.class);
        assertThatThrownBy(() -> castTo(13, integer("to", (1L << 32) + 1))).isExactlyInstanceOf(GraphException.class);
    }

    @Test
    void castLikeTakesTheTypeOfItsSecondInput() {
        Node node = TestModel.opset(19)
                .input("x", 2)
                .typed("like", INT64, 1)
                .node("Neg", "like", "n")
                .node("CastLike", "x,n", "y", integer("saturate", 1))
                .output("y")
                .readNode(folder);

        assertThat(node.op()).isEqualTo("Cast");
        assertThat(node.inputs()).containsExactly("x");
        assertThat(node.params()).isEqualTo(Map.of("to", Attribute.of("int64")));
    }
}
