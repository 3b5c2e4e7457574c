package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class FusePadIntoPoolTest {

    private static final FusePadIntoPool RULE = new FusePadIntoPool();

    private static Rewritten padded(DType dtype, Map<String, Attribute> pad, Map<String, Attribute> pool) {
        return new Rewritten(dtype)
                .input("x", 1, 3, 5, 7)
                .node("Pad", "x", "p", pad)
                .node("AvgPool", "p", "y", pool)
                .output("y");
    }

    private static final Map<String, Attribute> PAD = Map.of("pad_with", Attribute.ofInts(0, 0, 0, 0, 1, 2, 3, 4));
    private static final Attribute WINDOW = Attribute.ofInts(2, 3);

    @Test
    void countsTheZeros() {
        PlacedGraph graph = padded(
                        DType.FLOAT32, PAD, Map.of("kernel_size", WINDOW, "count_include_pad", Attribute.of(false)))
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("y");
        assertThat(graph.nodes().get(0).binding().integers("padding")).containsExactly(1, 2, 3, 4);
        assertThat(graph.nodes().get(0).binding().flag("count_include_pad")).isTrue();
        assertThat(graph.nodes().get(0).inputs()).containsExactly("x");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("p");
    }

    @Test
    void leavesOtherPadsAndPools() {
        Map<String, Attribute> plain = Map.of("kernel_size", WINDOW);
        assertThat(Rewritten.names(padded(DType.INT8, PAD, plain).by(RULE))).containsExactly("p", "y");
        assertThat(Rewritten.names(
                        padded(DType.FLOAT32, Map.of("pad_with", Attribute.ofInts(0, 0, 0, 1, 1, 1, 1, 1)), plain)
                                .by(RULE)))
                .containsExactly("p", "y");
        assertThat(Rewritten.names(
                        padded(DType.FLOAT32, PAD, Map.of("kernel_size", WINDOW, "ceil_mode", Attribute.of("CEIL")))
                                .by(RULE)))
                .containsExactly("p", "y");
        assertThat(Rewritten.names(padded(
                                DType.FLOAT32,
                                PAD,
                                Map.of("kernel_size", WINDOW, "padding", Attribute.ofInts(1, 0, 0, 0)))
                        .by(RULE)))
                .containsExactly("p", "y");
        assertThat(Rewritten.names(padded(DType.FLOAT32, PAD, plain).output("p").by(RULE)))
                .containsExactly("p", "y");
    }
}
