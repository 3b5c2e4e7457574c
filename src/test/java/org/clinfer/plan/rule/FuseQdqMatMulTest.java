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

class FuseQdqMatMulTest {

    private static final FuseQdqMatMul RULE = new FuseQdqMatMul();
    private static final double[] ONE = {0.125};
    private static final Map<String, Attribute> TRANSPOSED = Map.of("transpose_b", Attribute.of(true));

    @Test
    void takesAProductAndWhatIsAdded() {
        PlacedGraph graph = new Coded(2, 5, 8)
                .weights(1, ONE, 8, 9)
                .reals("b", 1, 2, 3, 4, 5, 6, 7, 8, 9)
                .node("MatMul", "a,w", "s")
                .node("Add", "b,s", "t")
                .end("t")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("QuantizedMatMul");
        PlacedNode node = graph.nodes().get(0);
        assertThat(node.written().name()).isEqualTo("s");
        assertThat(Rewritten.parts(node)).containsExactlyInAnyOrder("a", "w", "t", "y");
        assertThat(node.variant().orElseThrow().name()).isEqualTo("quads");
    }

    @Test
    void turnsTheRightSideOfGemm() {
        PlacedGraph graph = new Coded(5, 8)
                .weights(0, ONE, 9, 8)
                .node("Gemm", "a,w", "s", TRANSPOSED)
                .end("s")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("QuantizedMatMul");
        Map<String, Tensor> constants = graph.constants();
        String name = graph.nodes().get(0).inputs().get(1);
        Tensor turned = Objects.requireNonNull(constants.get(name));
        assertThat(turned.shape().sizes()).containsExactly(8, 9);
        Tensor before = Objects.requireNonNull(constants.get("v"));
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 9; column++) {
                assertThat(turned.getLong(row * 9 + column)).isEqualTo(before.getLong(column * 8 + row));
            }
        }
    }

    @Test
    void takesScalesOfColumnsAlone() {
        double[] scales = {1, 2, 3, 4, 5, 6, 7, 8};
        for (int i = 0; i < scales.length; i++) {
            scales[i] /= 64;
        }
        assertThat(Rewritten.operators(new Coded(5, 8)
                        .weights(1, scales, 8, 8)
                        .node("MatMul", "a,w", "s")
                        .end("s")
                        .by(RULE)))
                .containsExactly("QuantizedMatMul");
        assertThat(Rewritten.operators(new Coded(5, 8)
                        .weights(0, scales, 8, 8)
                        .node("MatMul", "a,w", "s")
                        .end("s")
                        .by(RULE)))
                .contains("MatMul");
        assertThat(Rewritten.operators(new Coded(5, 8)
                        .weights(0, scales, 8, 8)
                        .node("Gemm", "a,w", "s", TRANSPOSED)
                        .end("s")
                        .by(RULE)))
                .containsExactly("QuantizedMatMul");
    }

    @Test
    void leavesFactorsOtherBiasesAndActivations() {
        assertThat(Rewritten.operators(new Coded(5, 8)
                        .weights(1, ONE, 8, 8)
                        .node("Gemm", "a,w", "s", Map.of("alpha", Attribute.of(2.0)))
                        .end("s")
                        .by(RULE)))
                .contains("Gemm");
        assertThat(Rewritten.operators(new Coded(5, 8)
                        .weights(1, ONE, 8, 8)
                        .constant("b", DType.FLOAT32, new long[] {5, 1}, 1, 2, 3, 4, 5)
                        .node("MatMul", "a,w", "s")
                        .node("Add", "s,b", "t")
                        .end("t")
                        .by(RULE)))
                .as("a bias of rows")
                .contains("MatMul");
        assertThat(Rewritten.operators(new Coded(5, 8)
                        .weights(1, ONE, 8, 8)
                        .node("MatMul", "a,w", "s")
                        .node("Tanh", "s", "t")
                        .end("t")
                        .by(RULE)))
                .contains("MatMul");
    }

    @Test
    void leavesARightSideThatIsComputed() {
        Coded coded = new Coded(5, 8);
        coded.net().input("z", 8, 8);
        assertThat(Rewritten.operators(coded.node("DequantizeLinear", "z,xs,xz", "w")
                        .node("MatMul", "a,w", "s")
                        .end("s")
                        .by(RULE)))
                .contains("MatMul");
    }
}
