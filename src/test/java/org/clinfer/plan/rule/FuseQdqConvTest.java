package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class FuseQdqConvTest {

    private static final FuseQdqConv RULE = new FuseQdqConv();
    private static final double[] ONE = {0.125};
    private static final Map<String, Attribute> PADDED = Map.of("padding", Attribute.ofInts(1, 1, 1, 1));

    private static Coded coded() {
        return new Coded(1, 3, 5, 7).weights(0, ONE, 8, 3, 3, 3);
    }

    @Test
    void takesCodesWeightsBiasAndRectifier() {
        PlacedGraph graph = coded().codes("c", DType.INT32, 5, -6, 7, 8, 9, 10, 11, 12)
                .reals("cs", 0.0625)
                .node("DequantizeLinear", "c,cs", "b")
                .node("Conv2d", "a,w,b", "s", PADDED)
                .node("Relu", "s", "t")
                .end("t")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("s");
        PlacedNode node = graph.nodes().get(0);
        assertThat(node.op()).isEqualTo("QuantizedConv");
        assertThat(node.written().op()).isEqualTo("Conv2d");
        assertThat(node.outputs()).containsExactly("y");
        assertThat(Rewritten.parts(node)).containsExactlyInAnyOrder("a", "w", "b", "t", "y");
        assertThat(node.binding().integers("pads_begin")).containsExactly(1, 1);
        assertThat(elements(graph, node, 2)).containsExactly(5, -6, 7, 8, 9, 10, 11, 12);
    }

    private static long[] elements(PlacedGraph graph, PlacedNode node, int input) {
        String name = node.inputs().get(input);
        Tensor tensor = Objects.requireNonNull(graph.constants().get(name));
        long[] values = new long[Math.toIntExact(tensor.elements())];
        for (int i = 0; i < values.length; i++) {
            values[i] = tensor.getLong(i);
        }
        return values;
    }

    @Test
    void roundsABiasOfNumbersToUnitsOfTheSums() {
        double[] scales = {0.125, 0.25, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125};
        PlacedGraph graph = new Coded(1, 3, 5, 7)
                .weights(0, scales, 8, 3, 3, 3)
                .reals("b", 1, 1, 0.03, 0.04, -1, 0, 0, 0)
                .node("Conv2d", "a,w,b", "s")
                .end("s")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("QuantizedConv");
        assertThat(elements(graph, graph.nodes().get(0), 2)).containsExactly(16, 8, 0, 1, -16, 0, 0, 0);
    }

    @Test
    void leavesTheNumbersToOthersWhoUseThem() {
        PlacedGraph graph = coded().node("Conv2d", "a,w", "s")
                .node("Neg", "a", "more")
                .net()
                .output("more")
                .node("QuantizeLinear", "s,ys,yz", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactlyInAnyOrder("DequantizeLinear", "QuantizedConv", "Neg");
    }

    @Test
    void leavesWhatIsNeededAsNumbers() {
        assertThat(Rewritten.operators(
                        coded().node("Conv2d", "a,w", "s").net().output("s").by(RULE)))
                .contains("FusedConv");
        Rewritten both = coded().node("Conv2d", "a,w", "s").end("s").output("s");
        assertThat(Rewritten.operators(both.by(RULE))).contains("FusedConv");
    }

    @Test
    void leavesActivationsThatCutMore() {
        Coded middle = coded().codes("yz2", DType.UINT8, 9)
                .node("Conv2d", "a,w", "s")
                .node("Relu", "s", "t")
                .node("QuantizeLinear", "t,ys,yz2", "y");
        assertThat(Rewritten.operators(middle.net().output("y").by(RULE))).contains("FusedConv");
        Map<String, Attribute> narrow = Map.of("min", Attribute.of(0.0), "max", Attribute.of(6.0));
        assertThat(Rewritten.operators(coded().node("Conv2d", "a,w", "s")
                        .node("Clip", "s", "t", narrow)
                        .end("t")
                        .by(RULE)))
                .contains("FusedConv");
        Map<String, Attribute> wide = Map.of("min", Attribute.of(0.0), "max", Attribute.of(63.75));
        assertThat(Rewritten.operators(coded().node("Conv2d", "a,w", "s")
                        .node("Clip", "s", "t", wide)
                        .end("t")
                        .by(RULE)))
                .containsExactly("QuantizedConv");
        assertThat(Rewritten.operators(coded().node("Conv2d", "a,w", "s")
                        .node("Sigmoid", "s", "t")
                        .end("t")
                        .by(RULE)))
                .contains("FusedConv");
    }

    @Test
    void leavesScalesOfOtherAxesAndLargeFactors() {
        double[] scales = {0.125, 0.25, 0.125};
        assertThat(Rewritten.operators(new Coded(1, 3, 5, 7)
                        .weights(1, scales, 8, 3, 3, 3)
                        .node("Conv2d", "a,w", "s")
                        .end("s")
                        .by(RULE)))
                .contains("FusedConv");
        assertThat(Rewritten.operators(new Coded(1, 3, 5, 7)
                        .weights(0, new double[] {0.51}, 8, 3, 3, 3)
                        .node("Conv2d", "a,w", "s")
                        .end("s")
                        .by(RULE)))
                .as("a code for less than one product")
                .contains("FusedConv");
    }

    @Test
    void leavesSumsThatMightLeaveInt32() {
        double most = 2147400000;
        assertThat(Rewritten.operators(coded().codes("c", DType.INT32, most, 0, 0, 0, 0, 0, 0, 0)
                        .reals("cs", 0.0625)
                        .node("DequantizeLinear", "c,cs", "b")
                        .node("Conv2d", "a,w,b", "s")
                        .end("s")
                        .by(RULE)))
                .containsExactly("QuantizedConv");
        assertThat(Rewritten.operators(coded().codes("c", DType.INT32, most + 80000, 0, 0, 0, 0, 0, 0, 0)
                        .reals("cs", 0.0625)
                        .node("DequantizeLinear", "c,cs", "b")
                        .node("Conv2d", "a,w,b", "s")
                        .end("s")
                        .by(RULE)))
                .contains("FusedConv");
    }

    @Test
    void leavesOtherSides() {
        assertThat(Rewritten.operators(
                        coded().node("Conv2d", "a,w", "s").end("s").onCpu("a").by(RULE)))
                .as("where the codes are made numbers elsewhere")
                .contains("FusedConv");
    }

    @Test
    void takesThemOnGpus() {
        Coded gpu = new Coded(new Rewritten(DType.UINT8), 1, 3, 5, 7).weights(0, ONE, 8, 3, 3, 3);
        PlacedGraph graph = gpu.node("Conv2d", "a,w", "s").end("s").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("QuantizedConv");
        assertThat(graph.nodes().get(0).variant().orElseThrow().name()).isEqualTo("groups");
    }
}
