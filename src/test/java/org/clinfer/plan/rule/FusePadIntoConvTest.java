package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class FusePadIntoConvTest {

    private static final FusePadIntoConv RULE = new FusePadIntoConv();

    private static Rewritten padded(DType dtype, Map<String, Attribute> pad, String op) {
        return new Rewritten(dtype)
                .input("x", 1, 3, 5, 7)
                .constant("w", 3, 3, 1, 1)
                .node("Pad", "x", "p", pad)
                .node(op, "p,w", "y", Map.of("padding", Attribute.ofInts(1, 0, 0, 0)))
                .output("y");
    }

    private static Map<String, Attribute> widths(long... widths) {
        return Map.of("pad_with", Attribute.ofInts(widths));
    }

    @Test
    void addsToTheConvolutionsOwnPadding() {
        PlacedGraph graph =
                padded(DType.FLOAT32, widths(0, 0, 0, 0, 1, 2, 3, 4), "Conv2d").by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("y");
        PlacedNode convolution = graph.nodes().get(0);
        assertThat(convolution.binding().integers("pads_begin")).containsExactly(2, 3);
        assertThat(convolution.binding().integers("pads_end")).containsExactly(2, 4);
        assertThat(convolution.inputs()).startsWith("x");
        assertThat(Rewritten.parts(convolution)).containsExactly("p");
    }

    @Test
    void leavesOtherPadding() {
        Map<String, Attribute> ones =
                Map.of("pad_with", Attribute.ofInts(0, 0, 0, 0, 1, 1, 1, 1), "constant_value", Attribute.of(1.0));
        Map<String, Attribute> edges =
                Map.of("pad_with", Attribute.ofInts(0, 0, 0, 0, 1, 1, 1, 1), "mode", Attribute.of("EDGE"));
        assertThat(Rewritten.names(padded(DType.FLOAT32, ones, "Conv2d").by(RULE)))
                .containsExactly("p", "y");
        assertThat(Rewritten.names(padded(DType.FLOAT32, edges, "Conv2d").by(RULE)))
                .containsExactly("p", "y");
        assertThat(Rewritten.names(padded(DType.FLOAT32, widths(0, 1, 0, 0, 1, 1, 1, 1), "Conv2d")
                        .by(RULE)))
                .as("along the batch")
                .containsExactly("p", "y");
        assertThat(Rewritten.names(padded(DType.FLOAT32, widths(0, 0, 0, 0, 1, 1, 1, -1), "Conv2d")
                        .by(RULE)))
                .as("a cut")
                .containsExactly("p", "y");
    }

    @Test
    void leavesTransposedConvolutionsAndIntegers() {
        Map<String, Attribute> widths = widths(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(Rewritten.names(
                        padded(DType.FLOAT32, widths, "Conv2dTranspose").by(RULE)))
                .containsExactly("p", "y");
        assertThat(Rewritten.names(padded(DType.INT8, widths, "Conv2d").by(RULE)))
                .containsExactly("p", "y");
    }

    @Test
    void leavesWhatOthersUseAndOtherSides() {
        Map<String, Attribute> widths = widths(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(Rewritten.names(
                        padded(DType.FLOAT32, widths, "Conv2d").output("p").by(RULE)))
                .containsExactly("p", "y");
        assertThat(Rewritten.names(
                        padded(DType.FLOAT32, widths, "Conv2d").onCpu("p").by(RULE)))
                .containsExactly("p", "y");
    }

    @Test
    void leavesPaddingThatTheProfileForbidsToTheConvolution() {
        PlacedGraph graph = padded(DType.FLOAT32, widths(0, 0, 0, 0, 1, 1, 1, 1), "Conv2d")
                .forbid(node ->
                        node.node().op().equals("FusedConv") && node.binding().integers("pads_begin")[0] > 1)
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("p", "y");
        assertThat(graph.nodes()).extracting(PlacedNode::target).containsOnly(PlacedNode.Target.DEVICE);
    }
}
