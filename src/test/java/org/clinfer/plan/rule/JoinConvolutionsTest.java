package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class JoinConvolutionsTest {

    private static final FusionRule RULE = new JoinConvolutions();

    private static final String SPLIT = "Split a and others";

    /** Weights of 1x1 windows for 128 channels, whose sums are in one launch. */
    private static Rewritten branches(long batch, long... channels) {
        Rewritten net = new Rewritten(DType.FLOAT32).input("x", batch, 16, 32, 32);
        for (int i = 0; i < channels.length; i++) {
            net.constant("w" + i, channels[i], 16, 1, 1).constant("b" + i, channels[i]);
        }
        return net;
    }

    /** The elements of an input that is known. */
    private static float[] constant(PlacedGraph graph, PlacedNode node, int input) {
        return Objects.requireNonNull(graph.constants().get(node.inputs().get(input)))
                .toFloatArray();
    }

    @Test
    void branchesOfOneValueAreOneConvolution() {
        PlacedGraph graph = branches(1, 32, 64, 16)
                .node("Conv2d", "x,w0,b0", "a")
                .node("Conv2d", "x,w1,b1", "b")
                .node("Relu", "b", "r")
                .node("Conv2d", "x,w2,b2", "c")
                .output("a")
                .output("r")
                .output("c")
                .by(RULE);

        assertThat(Rewritten.names(graph)).containsExactly("a", SPLIT, "r");
        PlacedNode joined = graph.nodes().get(0);
        assertThat(joined.op()).isEqualTo("FusedConv");
        assertThat(Rewritten.parts(joined)).containsExactly("b", "c");
        assertThat(joined.outputTypes().get(0).shape().sizes()).containsExactly(1, 112, 32, 32);
        assertThat(graph.nodes().get(1).outputs()).containsExactly("a", "b", "c");
        assertThat(constant(graph, joined, 1))
                .hasSize(112 * 16)
                .startsWith(0.5f, 1)
                .containsSequence(256f, 0.5f)
                .containsSequence(512f, 0.5f);
        assertThat(constant(graph, joined, 2)).startsWith(0.5f, 1);
    }

    @Test
    void aMissingBiasIsZeros() {
        PlacedGraph graph =
                two(branches(1, 32, 32), "x,w0", "x,w1,b1", Map.of()).by(RULE);

        assertThat(constant(graph, graph.nodes().get(0), 2))
                .startsWith(new float[32])
                .endsWith(15.5f, 16);
        assertThat(Rewritten.names(two(branches(1, 32, 32), Map.of()).by(RULE))).containsExactly("a", SPLIT);
    }

    /** A constant may have any name. */
    @Test
    void aMissingBiasIsNoConstantOfThatName() {
        Rewritten others = branches(1, 32, 32).input("z", 1, 16, 32, 32).constant("none of 32", 32);
        PlacedGraph graph = two(others, "x,w0", "x,w1,b1", Map.of())
                .node("Conv2d", "z,w0,none of 32", "c")
                .node("Conv2d", "z,w1,b1", "d")
                .output("c")
                .output("d")
                .by(RULE);

        assertThat(Rewritten.names(graph)).containsExactly("a", SPLIT, "c", "Split c and others");
        assertThat(constant(graph, graph.nodes().get(2), 2)).startsWith(0.5f, 1);
    }

    /** Nothing is saved where as many launches copy what Concat would have had in place. */
    @Test
    void whatWouldBeCopiedStaysApart() {
        PlacedGraph graph = branches(1, 32, 32, 32)
                .node("Conv2d", "x,w0", "a")
                .node("Conv2d", "x,w1", "b")
                .node("Concat", "a,b", "y", Map.of("axis", Attribute.of(1)))
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "b", "y");

        PlacedGraph some = branches(1, 32, 32, 32)
                .node("Conv2d", "x,w0", "a")
                .node("Conv2d", "x,w1", "b")
                .node("Conv2d", "x,w2", "c")
                .node("Relu", "a", "r")
                .node("Relu", "b", "s")
                .node("Concat", "r,s,c", "y", Map.of("axis", Attribute.of(1)))
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(some)).containsExactly("a", SPLIT, "r", "s", "y");
        assertThat(some.nodes().get(1).outputs()).containsExactly("a", "b", "c");
    }

    @Test
    void othersStayApart() {
        List<String> apart = List.of("a", "b");
        assertThat(Rewritten.names(two(branches(2, 32, 32), Map.of()).by(RULE))).isEqualTo(apart);
        assertThat(Rewritten.names(
                        two(branches(1, 32, 32).onProcessor(), Map.of()).by(RULE)))
                .isEqualTo(apart);
        assertThat(Rewritten.names(two(branches(1, 32, 32).onCpu("a"), Map.of()).by(RULE)))
                .isEqualTo(apart);
        assertThat(Rewritten.names(two(branches(1, 32, 32), Map.of("strides", Attribute.ofInts(2, 2)))
                        .by(RULE)))
                .isEqualTo(apart);
    }

    private static Rewritten two(Rewritten net, Map<String, Attribute> ofTheSecond) {
        return two(net, "x,w0", "x,w1", ofTheSecond);
    }

    private static Rewritten two(Rewritten net, String first, String second, Map<String, Attribute> ofTheSecond) {
        return net.node("Conv2d", first, "a")
                .node("Conv2d", second, "b", ofTheSecond)
                .output("a")
                .output("b");
    }

    @Test
    void resultsAreCutApartBeforeTheirFirstUse() {
        PlacedGraph graph = branches(1, 32, 32)
                .node("Conv2d", "x,w0", "a")
                .node("Sigmoid", "a", "s")
                .node("Conv2d", "x,w1", "b")
                .output("s")
                .output("b")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", SPLIT, "s");
    }
}
