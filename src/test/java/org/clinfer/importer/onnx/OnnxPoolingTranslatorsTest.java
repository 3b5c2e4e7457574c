package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.graph.Attribute.ofInts;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.text;

import java.nio.file.Path;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxPoolingTranslatorsTest {

    @TempDir
    private Path folder;

    private static TestModel model(long opset) {
        return TestModel.opset(opset).input("x", 1, 4, 9, 7).output("y");
    }

    @Test
    void maxPool() {
        Node node = model(12)
                .node(
                        "MaxPool",
                        "x",
                        "y,",
                        ints("kernel_shape", 3, 2),
                        ints("pads", 1, 0, 1, 1),
                        ints("strides", 2, 1),
                        ints("dilations", 2, 1),
                        integer("ceil_mode", 1),
                        integer("storage_order", 1))
                .readNode(folder);

        assertThat(node.op()).isEqualTo("MaxPool");
        assertThat(node.outputs()).containsExactly("y");
        assertThat(node.params())
                .isEqualTo(Map.of(
                        "kernel_size", ofInts(3, 2),
                        "padding", ofInts(1, 1, 0, 1),
                        "pad_mode", Attribute.of("PADDING"),
                        "strides", ofInts(2, 1),
                        "dilation", ofInts(2, 1),
                        "ceil_mode", Attribute.of("CEIL")));
    }

    @Test
    void unusedIndicesAreDroppedAndUsedOnesAreANodeOfTheirOwn() {
        TestModel unused = model(8).node("MaxPool", "x", "y,i", ints("kernel_shape", 2, 2));
        TestModel used =
                model(8).node("MaxPool", "x", "y,i", ints("kernel_shape", 2, 2)).output("i");

        assertThat(unused.readNode(folder).outputs()).containsExactly("y");
        assertThat(used.readNode(folder).op()).isEqualTo("MaxPoolIndices");
        assertThat(used.readNode(folder).outputs()).containsExactly("i");
    }

    @Test
    void kernelShapeIsNeeded() {
        assertThatThrownBy(() -> model(1).node("MaxPool", "x", "y").read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("attribute 'kernel_shape' is missing");
    }

    @Test
    void averagePoolLeavesPaddingOutUnlessAsked() {
        Node first = model(1).node("AveragePool", "x", "y", ints("kernel_shape", 2, 2), text("auto_pad", "SAME_UPPER"))
                .readNode(folder);
        Node counting = model(19)
                .node("AveragePool", "x", "y", ints("kernel_shape", 2, 2), integer("count_include_pad", 1))
                .readNode(folder);

        assertThat(first.op()).isEqualTo("AvgPool");
        assertThat(first.params())
                .isEqualTo(Map.of(
                        "kernel_size", ofInts(2, 2),
                        "pad_mode", Attribute.of("SAME"),
                        "ceil_mode", Attribute.of("FLOOR"),
                        "count_include_pad", Attribute.of(false)));
        assertThat(counting.params()).containsEntry("count_include_pad", Attribute.of(true));
    }

    @Test
    void globalPools() {
        Node average = model(1).node("GlobalAveragePool", "x", "y").readNode(folder);
        Node max = model(22).node("GlobalMaxPool", "x", "y").readNode(folder);

        assertThat(average.op()).isEqualTo("AvgPool");
        assertThat(average.params()).isEqualTo(Map.of("is_global", Attribute.of(true)));
        assertThat(max.op()).isEqualTo("MaxPool");
        assertThat(max.params()).isEqualTo(Map.of("is_global", Attribute.of(true)));
    }
}
