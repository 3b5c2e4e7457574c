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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuseScaleIntoIntegersTest {

    private static final FuseScaleIntoIntegers RULE = new FuseScaleIntoIntegers();
    private static final Map<String, Attribute> TO_FLOAT = Map.of("to", Attribute.of("float32"));

    /** Sums {@code a} of 5 x 32 and {@code b}, the same as real numbers. */
    private static Rewritten product() {
        return new Rewritten(DType.FLOAT32)
                .onProcessor()
                .input("f", 5, 8)
                .node("QuantizeLinear", "f,one,zero", "x")
                .constant("zero", Tensor.allocate(DType.UINT8, 1))
                .constant("w", Tensor.allocate(DType.INT8, 8, 32))
                .number("one", 1)
                .input("x_scale", 1)
                .input("column", 1, 32)
                .constant("row_scale", 32)
                .node("Mul", "x_scale,row_scale", "s")
                .node("QuantizedMatMul", "x,w,,zero", "a")
                .node("Cast", "a", "b", TO_FLOAT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"b,s", "s,b"})
    void aProductIsScaledByBothScales(String factors) {
        PlacedGraph graph = product().node("Mul", factors, "y").output("y").by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("QuantizeLinear", "QuantizedMatMul");
        PlacedNode product = graph.nodes().get(1);
        assertThat(product.inputs()).containsExactly("x", "w", "", "zero", "", "x_scale", "row_scale");
        assertThat(product.outputTypes().get(0).dtype()).isEqualTo(DType.FLOAT32);
        assertThat(product.written().name()).isEqualTo("a");
        assertThat(Rewritten.parts(product)).containsExactlyInAnyOrder("s", "b", "y");
    }

    @Test
    void aScaleThatOthersReadStays() {
        PlacedGraph graph = product()
                .node("Mul", "b,s", "y")
                .node("Neg", "s", "z")
                .output("y")
                .output("z")
                .by(RULE);

        PlacedNode product = only("QuantizedMatMul", graph);
        assertThat(product.inputs().get(6)).isEqualTo("s");
        assertThat(Objects.requireNonNull(graph.constants().get(product.inputs().get(5)))
                        .toFloatArray())
                .containsExactly(1);
        assertThat(Rewritten.operators(graph)).contains("Mul", "Neg").doesNotContain("Cast");
    }

    @Test
    void sumsThatOthersReadStay() {
        PlacedGraph graph =
                product().node("Mul", "b,s", "y").output("y").output("a").by(RULE);

        assertThat(Rewritten.operators(graph)).contains("Cast");
    }

    @Test
    void aScaleThatMakesThemLargerStays() {
        PlacedGraph graph = product()
                .input("planes", 2, 1, 1)
                .node("Mul", "b,planes", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).contains("Cast");
    }

    @Test
    void scalesOfRowsStay() {
        PlacedGraph graph = product()
                .input("rows", 5, 1)
                .node("Mul", "b,rows", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).contains("Cast");
    }

    /** Sums {@code a} of 1 x 16 x 7 x {@code width}, and {@code c} in int32, for which a run gives the numbers. */
    private static Rewritten convolution(long width) {
        return new Rewritten(DType.FLOAT32)
                .onProcessor()
                .input("f", 1, 8, 9, width + 2)
                .number("one", 1)
                .constant("zero", Tensor.allocate(DType.UINT8, 1))
                .constant("w", Tensor.allocate(DType.INT8, 16, 8, 3, 3))
                .constant("columns", 16)
                .input("x_scale", 1)
                .input("bias", 16)
                .node("Cast", "bias", "c", Map.of("to", Attribute.of("int32")))
                .node("QuantizeLinear", "f,one,zero", "x")
                .node("QuantizedConv", "x,w,,zero", "a");
    }

    private static PlacedNode only(String op, PlacedGraph graph) {
        return graph.nodes().stream()
                .filter(node -> node.op().equals(op))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aConvolutionIsScaledByOneScale() {
        PlacedGraph graph = convolution(7)
                .node("Cast", "a", "b", TO_FLOAT)
                .node("Mul", "b,x_scale", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).doesNotContain("Mul");
        assertThat(only("QuantizedConv", graph).inputs().get(5)).isEqualTo("x_scale");
    }

    @Test
    void whatIsAddedToSumsIsTheirBias() {
        PlacedGraph graph = convolution(7)
                .node("Unsqueeze", "c", "d", Map.of("axis", Attribute.ofInts(0, 2, 3)))
                .node("Add", "a,d", "e")
                .node("Cast", "e", "b", TO_FLOAT)
                .node("Mul", "b,x_scale", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).doesNotContain("Add", "Mul", "Unsqueeze");
        PlacedNode convolution = only("QuantizedConv", graph);
        assertThat(convolution.inputs().get(2)).isEqualTo("c");
        assertThat(convolution.written().name()).isEqualTo("a");
    }

    /** The sums of rows with a vector have rows alone, a bias of the operator is of rows and columns. */
    @Test
    void addendsOfProductsWithVectorsStay() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .onProcessor()
                .input("f", 3, 3, 8)
                .number("one", 1)
                .constant("zero", Tensor.allocate(DType.UINT8, 1))
                .node("QuantizeLinear", "f,one,zero", "x")
                .constant("w", Tensor.allocate(DType.INT8, 8))
                .constant("d", Tensor.of(new int[] {0, 1000, 2000}, 3, 1))
                .constant("s", Tensor.of(new float[] {0.5f}, 1))
                .node("QuantizedMatMul", "x,w", "a")
                .node("Add", "a,d", "e")
                .node("Cast", "e", "b", TO_FLOAT)
                .node("Mul", "b,s", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).contains("Add", "Mul");
    }

    @Test
    void scalesOfColumnsOfAPictureStay() {
        PlacedGraph graph = convolution(16)
                .node("Cast", "a", "b", TO_FLOAT)
                .node("Mul", "x_scale,columns", "s")
                .node("Mul", "b,s", "y")
                .output("y")
                .by(RULE);

        assertThat(only("QuantizedConv", graph).inputs()).doesNotContain("x_scale");
    }
}
