package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectTranslatorsTest {

    @TempDir
    private Path folder;

    /** Every attribute is a parameter, and every parameter that no input gives an attribute. */
    @Test
    void operatorsHaveTheParametersThatOnnxHas() {
        DirectOperators.all().values().forEach(op -> {
            OpDescription description = OpCatalog.builtIn().find(op.op()).orElseThrow();
            assertThat(description.params().stream().map(ParamDescription::name))
                    .as(op.name())
                    .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                    op.fields().stream().map(DirectOperators.Field::param),
                                    op.elements().stream().map(DirectOperators.Elements::param))
                            .toList());
            List<InputDescription> inputs = description.inputs();
            assertThat(inputs).as(op.name()).hasSize(op.most() == DirectOperators.ANY ? 1 : op.most());
            assertThat(op.elements())
                    .as(op.name())
                    .allMatch(each -> inputs.get(each.input()).value());
            assertThat(op.fields())
                    .as(op.name())
                    .filteredOn(field -> field.kind() == DirectOperators.Kind.SET_FLAG)
                    .allMatch(field -> op.byDefault(field)
                            .orElseThrow()
                            .evaluate(Scope.empty())
                            .equals(ExpressionValue.of(false)));
        });
    }

    @Test
    void attributesBecomeParameters() {
        Node shrink = TestModel.opset(9)
                .input("x", 5)
                .node("Shrink", "x", "y", real("lambd", 1.5f), real("bias", 0.5f))
                .output("y")
                .readNode(folder);
        assertThat(shrink.params()).isEqualTo(Map.of("lambd", Attribute.of(1.5), "bias", Attribute.of(0.5)));
        Node first = TestModel.opset(13)
                .input("x", 5, 2)
                .node("ArgMax", "x", "y", integer("keepdims", 0), integer("select_last_index", 1))
                .output("y")
                .readNode(folder);
        assertThat(first.params())
                .isEqualTo(Map.of("keepdims", Attribute.of(false), "select_last_index", Attribute.of(true)));
        assertThatThrownBy(() -> TestModel.opset(13)
                        .input("x", 5, 2)
                        .node("ArgMax", "x", "y", integer("keepdims", 2))
                        .output("y")
                        .read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("keepdims");
        assertThatThrownBy(() -> TestModel.opset(13)
                        .input("x", 5, 2)
                        .node("ArgMin", "x", "y", integer("something", 2))
                        .output("y")
                        .read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("something");
    }

    @Test
    void topKTakesTheNumberWhereItsOperatorSetHasIt() {
        Node old = TestModel.opset(1)
                .input("x", 5)
                .node("TopK", "x", "values,indices", integer("k", 3), integer("axis", 0))
                .output("values", "indices")
                .readNode(folder);
        assertThat(old.params()).isEqualTo(Map.of("k", Attribute.of(3), "axis", Attribute.of(0)));
        Node recent = TestModel.opset(11)
                .input("x", 5)
                .longs("k", 3)
                .node("TopK", "x,k", ",indices", integer("largest", 0))
                .output("indices")
                .readNode(folder);
        assertThat(recent.inputs()).containsExactly("x", "k");
        assertThat(recent.outputs()).hasSize(2).last().isEqualTo("indices");
    }

    @Test
    void namesOfOldOperatorSets() {
        Node scatter = TestModel.opset(9)
                .input("x", 3, 3)
                .typed("i", TestModel.INT64, 1, 3)
                .input("u", 1, 3)
                .node("Scatter", "x,i,u", "y")
                .output("y")
                .readNode(folder);
        assertThat(scatter.op()).isEqualTo("ScatterElements");
        Node grid = TestModel.opset(16)
                .input("x", 1, 1, 3, 3)
                .input("g", 1, 2, 2, 2)
                .node("GridSample", "x,g", "y", text("mode", "bicubic"), text("padding_mode", "border"))
                .output("y")
                .readNode(folder);
        assertThat(grid.params()).containsEntry("mode", Attribute.of("cubic"));
        Node roi = TestModel.opset(10)
                .input("x", 1, 1, 3, 3)
                .input("rois", 2, 4)
                .typed("i", TestModel.INT64, 2)
                .node("RoiAlign", "x,rois,i", "y")
                .output("y")
                .readNode(folder);
        assertThat(roi.params()).isEqualTo(Map.of("coordinate_transformation_mode", Attribute.of("output_half_pixel")));
    }

    @Test
    void placesOfMaximaAreANodeOfTheirOwn() {
        List<Node> both = TestModel.opset(12)
                .input("x", 1, 1, 4, 4)
                .node("MaxPool", "x", "y,i", ints("kernel_shape", 2, 2), integer("storage_order", 1))
                .output("y", "i")
                .read(folder)
                .nodes();
        assertThat(both).extracting(Node::op).containsExactly("MaxPool", "MaxPoolIndices");
        assertThat(both.get(1).params()).containsEntry("storage_order", Attribute.of(1));
        List<Node> one = TestModel.opset(12)
                .input("x", 1, 1, 4, 4)
                .node("MaxPool", "x", "y,i", ints("kernel_shape", 2, 2))
                .output("y")
                .read(folder)
                .nodes();
        assertThat(one).extracting(Node::op).containsExactly("MaxPool");
    }
}
