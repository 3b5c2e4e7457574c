package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.graph.Attribute.ofInts;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes, selections, reductions and matrices. */
class OnnxShapeTranslatorsTest {

    @TempDir
    private Path folder;

    private static TestModel model(long opset) {
        return TestModel.opset(opset)
                .input("x", 1, 4, 8, 6)
                .longs("i", 1, 2)
                .longs("j", 0, 2)
                .output("y");
    }

    @Test
    void reshapeByAttributeAndByInput() {
        Node first = model(1).node("Reshape", "x", "y", ints("shape", 0, -1), ints("consumed_inputs", 0))
                .readNode(folder);
        Node input = model(5).node("Reshape", "x,i", "y").readNode(folder);
        Node zero =
                model(14).node("Reshape", "x,i", "y", integer("allowzero", 1)).readNode(folder);

        assertThat(first.inputs()).containsExactly("x");
        assertThat(first.params()).isEqualTo(Map.of("shape", ofInts(0, -1)));
        assertThat(input.inputs()).containsExactly("x", "i");
        assertThat(input.params()).isEmpty();
        assertThat(zero.params()).isEqualTo(Map.of("allow_zero", Attribute.of(true)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Squeeze", "Unsqueeze"})
    void squeezeAndUnsqueeze(String op) {
        Node attribute = model(11).node(op, "x", "y", ints("axes", 0)).readNode(folder);
        Node input = model(13).node(op, "x,i", "y").readNode(folder);

        assertThat(attribute.op()).isEqualTo(op);
        assertThat(attribute.params()).isEqualTo(Map.of("axis", ofInts(0)));
        assertThat(input.inputs()).containsExactly("x", "i");
        assertThat(input.params()).isEmpty();
    }

    @Test
    void squeezeWithoutAxesIsAllowedButUnsqueezeIsNot() {
        assertThat(model(1).node("Squeeze", "x", "y").readNode(folder).params()).isEmpty();
        assertThat(model(13).node("Squeeze", "x", "y").readNode(folder).inputs())
                .containsExactly("x");
        assertThatThrownBy(() -> model(1).node("Unsqueeze", "x", "y").read(folder))
                .hasMessageContaining("attribute 'axes' is missing");
        assertThatThrownBy(() -> model(13).node("Unsqueeze", "x", "y").read(folder))
                .hasMessageContaining("input 1 is missing");
    }

    @Test
    void flattenTransposeExpand() {
        assertThat(model(9).node("Flatten", "x", "y").readNode(folder).params()).isEmpty();
        assertThat(model(9).node("Flatten", "x", "y", integer("axis", 2))
                        .readNode(folder)
                        .params())
                .isEqualTo(Map.of("axis", Attribute.of(2)));
        assertThat(model(1).node("Transpose", "x", "y").readNode(folder).params())
                .isEmpty();
        assertThat(model(13)
                        .node("Transpose", "x", "y", ints("perm", 0, 2, 3, 1))
                        .readNode(folder)
                        .params())
                .isEqualTo(Map.of("perm", ofInts(0, 2, 3, 1)));
        assertThat(model(8).node("Expand", "x,i", "y").readNode(folder).inputs())
                .containsExactly("x", "i");
    }

    @Test
    void tile() {
        Node node = model(6).node("Tile", "x,i", "y").readNode(folder);

        assertThat(node.op()).isEqualTo("DeePhiTile");
        assertThat(node.inputs()).containsExactly("x", "i");
        assertThatThrownBy(() -> model(5).node("Tile", "x,i,j", "y").read(folder))
                .isInstanceOf(UnsupportedException.class);
    }

    @Test
    void depthToSpaceAndBack() {
        Node deep = model(11)
                .node("DepthToSpace", "x", "y", integer("blocksize", 2), text("mode", "CRD"))
                .readNode(folder);
        Node flat = model(13)
                .node("SpaceToDepth", "x", "y", integer("blocksize", 2), text("mode", "CRD"))
                .readNode(folder);

        assertThat(deep.op()).isEqualTo("Reorg");
        assertThat(deep.params())
                .isEqualTo(
                        Map.of("scale", Attribute.of(2), "reversed", Attribute.of(true), "order", Attribute.of("CRD")));
        assertThat(flat.params())
                .isEqualTo(Map.of(
                        "scale", Attribute.of(2), "reversed", Attribute.of(false), "order", Attribute.of("CRD")));
        assertThatThrownBy(() -> model(11)
                        .node("DepthToSpace", "x", "y", integer("blocksize", 2), text("mode", "XYZ"))
                        .read(folder))
                .isInstanceOf(UnsupportedException.class);
    }

    @Test
    void concatNeedsItsAxisFromOpset4On() {
        assertThat(model(3).node("Concat", "x,x", "y").readNode(folder).params())
                .isEqualTo(Map.of("axis", Attribute.of(1)));
        assertThat(model(4).node("Concat", "x,x", "y", integer("axis", -1))
                        .readNode(folder)
                        .params())
                .isEqualTo(Map.of("axis", Attribute.of(-1)));
        assertThatThrownBy(() -> model(4).node("Concat", "x,x", "y").read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("attribute 'axis' is missing; Concat needs it in operator set 4");
    }

    @Test
    void sliceByAttributesAndByInputs() {
        Node attributes = model(1).node(
                        "Slice", "x", "y", ints("starts", 0, 1), ints("ends", 2, -1), ints("axes", 2, 3))
                .readNode(folder);
        Node inputs = model(10).node("Slice", "x,j,i,,i", "y").readNode(folder);

        assertThat(attributes.inputs()).containsExactly("x");
        assertThat(attributes.params())
                .isEqualTo(Map.of("starts", ofInts(0, 1), "ends", ofInts(2, -1), "axes", ofInts(2, 3)));
        assertThat(inputs.inputs()).containsExactly("x", "j", "i", "", "i");
        assertThat(inputs.params()).isEmpty();
    }

    @Test
    void splitOfEveryForm() {
        Node attribute = model(2).node("Split", "x", "y,z", integer("axis", 1), ints("split", 1, 3))
                .readNode(folder);
        Node input = model(13).node("Split", "x,i", "y,z").readNode(folder);
        Node counted = model(18)
                .node("Split", "x", ",y,", integer("num_outputs", 3), integer("axis", 2))
                .readNode(folder);

        assertThat(attribute.outputs()).containsExactly("y", "z");
        assertThat(attribute.params())
                .isEqualTo(Map.of("axis", Attribute.of(1), "num_outputs", Attribute.of(2), "split", ofInts(1, 3)));
        assertThat(input.inputs()).containsExactly("x", "i");
        assertThat(input.params()).isEqualTo(Map.of("axis", Attribute.of(0), "num_outputs", Attribute.of(2)));
        assertThat(counted.outputs()).containsExactly("", "y", "");
        assertThat(counted.params()).isEqualTo(Map.of("axis", Attribute.of(2), "num_outputs", Attribute.of(3)));
        assertThatThrownBy(() -> model(18)
                        .node("Split", "x", "y", integer("num_outputs", 3))
                        .read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("num_outputs is 3, but it has 1 outputs");
    }

    @Test
    void gather() {
        Node node = model(13).node("Gather", "x,i", "y", integer("axis", 2)).readNode(folder);

        assertThat(node.params()).isEqualTo(Map.of("axis", Attribute.of(2)));
        assertThat(node.inputs()).containsExactly("x", "i");
    }

    @ParameterizedTest
    @CsvSource({"1,paddings", "2,pads"})
    void padByAttribute(long opset, String name) {
        Node node = model(opset)
                .node("Pad", "x", "y", ints(name, 0, 0, 1, 2, 0, 0, 3, 4), real("value", 1.5f), text("mode", "edge"))
                .readNode(folder);

        assertThat(node.params())
                .isEqualTo(Map.of(
                        "mode", Attribute.of("EDGE"),
                        "pads", ofInts(0, 0, 1, 2, 0, 0, 3, 4),
                        "constant_value", Attribute.of(1.5)));
    }

    @Test
    void padByInputs() {
        Node node = model(18).reals("v", 1).node("Pad", "x,i,,j", "y").readNode(folder);

        assertThat(node.inputs()).containsExactly("x", "i", "", "j");
        assertThat(node.params()).isEqualTo(Map.of("mode", Attribute.of("CONSTANT")));
        for (String mode : List.of("reflect", "edge", "wrap")) {
            assertThat(model(19)
                            .node("Pad", "x,i", "y", text("mode", mode))
                            .readNode(folder)
                            .params()
                            .get("mode"))
                    .hasToString(mode.toUpperCase(Locale.ROOT));
        }
        assertThatThrownBy(() -> model(19)
                        .node("Pad", "x,i", "y", text("mode", "mirror"))
                        .read(folder))
                .isInstanceOf(UnsupportedException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "ReduceMean,Mean,18",
        "ReduceSum,ReduceSum,13",
        "ReduceMax,ReduceMax,18",
        "ReduceMin,ReduceMin,18",
        "ReduceProd,ReduceProd,18",
        "ReduceL1,ReduceL1,18",
        "ReduceL2,ReduceL2,18",
        "ReduceSumSquare,ReduceSumSquare,18",
        "ReduceLogSum,ReduceLogSum,18",
        "ReduceLogSumExp,ReduceLogSumExp,18"
    })
    void reductions(String onnx, String op, long inputSince) {
        Node attribute = model(inputSince - 1)
                .node(onnx, "x", "y", ints("axes", 2, -1), integer("keepdims", 0))
                .readNode(folder);
        Node input = model(inputSince)
                .node(onnx, "x,i", "y", integer("noop_with_empty_axes", 1))
                .readNode(folder);

        assertThat(attribute.op()).isEqualTo(op);
        assertThat(attribute.params()).isEqualTo(Map.of("axis", ofInts(2, -1), "keep_dims", Attribute.of(false)));
        assertThat(input.inputs()).containsExactly("x", "i");
        assertThat(input.params())
                .isEqualTo(Map.of("keep_dims", Attribute.of(true), "noop_with_empty_axis", Attribute.of(true)));
        assertThatThrownBy(() ->
                        model(inputSince).node(onnx, "x", "y", ints("axes", 1)).read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("attribute 'axes'");
    }

    @Test
    void aSingleIntegerIsAListOfOne() {
        Node node = model(6).node("ReduceMean", "x", "y", integer("axes", 3)).readNode(folder);

        assertThat(node.params()).containsEntry("axis", ofInts(3));
    }

    @Test
    void gemmAndMatMul() {
        Node old = model(6).floats("a", 3, 4)
                .node("Gemm", "a,a,a", "y", integer("broadcast", 1), integer("transB", 1), real("alpha", 0.5f))
                .readNode(folder);
        Node recent = model(13).floats("a", 3, 4).node("Gemm", "a,a", "y").readNode(folder);

        assertThat(old.inputs()).containsExactly("a", "a", "a");
        assertThat(old.params())
                .isEqualTo(Map.of(
                        "alpha", Attribute.of(0.5),
                        "transpose_b", Attribute.of(true)));
        assertThat(recent.inputs()).containsExactly("a", "a");
        assertThat(model(9).node("MatMul", "x,x", "y").readNode(folder).params())
                .isEmpty();
        assertThatThrownBy(() -> model(9).node("Gemm", "x,x", "y").read(folder))
                .hasMessageContaining("input 2 is missing");
    }
}
