package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuseBiasIntoMatMulTest {

    private static final FuseBiasIntoMatMul RULE = new FuseBiasIntoMatMul();

    private static Rewritten matrices(DType dtype) {
        return new Rewritten(dtype)
                .onProcessor()
                .input("x", 5, 8)
                .constant("w", 8, 32)
                .constant("row", 32)
                .constant("column", 5, 1)
                .constant("planes", 2, 5, 32)
                .number("one", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,row", "row,a", "a,column", "a,one"})
    void aProductAddsAConstant(String terms) {
        PlacedGraph graph = matrices(DType.FLOAT32)
                .node("MatMul", "x,w", "a")
                .node("Add", terms, "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("Gemm");
        PlacedNode product = graph.nodes().get(0);
        assertThat(product.inputs())
                .containsExactly("x", "w", terms.replace("a,", "").replace(",a", ""));
        assertThat(product.written().op()).isEqualTo("MatMul");
        assertThat(Rewritten.parts(product)).containsExactly("y");
    }

    @Test
    void aProductWithFactorsKeepsThem() {
        PlacedGraph graph = matrices(DType.FLOAT32)
                .constant("v", 32, 8)
                .node(
                        "Gemm",
                        "x,v",
                        "a",
                        Map.of(
                                "alpha", Attribute.of(0.5),
                                "beta", Attribute.of(3.0),
                                "transpose_b", Attribute.of(true)))
                .node("Add", "a,row", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("Gemm");
        PlacedNode product = graph.nodes().get(0);
        assertThat(product.binding().real("alpha")).isEqualTo(0.5);
        assertThat(product.binding().real("beta")).isEqualTo(1.0);
        assertThat(product.binding().flag("transpose_b")).isTrue();
    }

    @Test
    void onTheCpuAsWell() {
        PlacedGraph graph = matrices(DType.FLOAT32)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,row", "y")
                .output("y")
                .onCpu("a")
                .onCpu("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("Gemm");
        assertThat(graph.nodes().get(0).target()).isEqualTo(PlacedNode.Target.CPU);
    }

    @Test
    void leavesAnAddendThatIsThereAlready() {
        PlacedGraph graph = matrices(DType.FLOAT32)
                .node("Gemm", "x,w,row", "a")
                .node("Add", "a,column", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("Gemm", "Add");
    }

    @Test
    void leavesAProductThatIsWantedAndLargerSums() {
        PlacedGraph wanted = matrices(DType.FLOAT32)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,row", "y")
                .output("y")
                .output("a")
                .by(RULE);
        PlacedGraph larger = matrices(DType.FLOAT32)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,planes", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(wanted)).containsExactly("MatMul", "Add");
        assertThat(Rewritten.operators(larger)).containsExactly("MatMul", "Add");
    }

    @Test
    void leavesIntegersComputedAddendsAndOtherSides() {
        PlacedGraph integers = matrices(DType.INT8)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,row", "y")
                .output("y")
                .by(RULE);
        PlacedGraph computed = matrices(DType.FLOAT32)
                .input("r", 32)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,r", "y")
                .output("y")
                .by(RULE);
        PlacedGraph other = matrices(DType.FLOAT32)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,row", "y")
                .output("y")
                .onCpu("y")
                .by(RULE);

        assertThat(Rewritten.operators(integers)).containsExactly("MatMul", "Add");
        assertThat(Rewritten.operators(computed)).containsExactly("MatMul", "Add");
        assertThat(Rewritten.operators(other)).containsExactly("MatMul", "Add");
    }

    @Test
    void leavesProductsOfMoreThanTwoAxes() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .onProcessor()
                .input("x", 2, 5, 8)
                .constant("w", 8, 32)
                .constant("row", 32)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,row", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("MatMul", "Add");
    }
}
