package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class MatMulToConvTest {

    private static final MatMulToConv RULE = new MatMulToConv();

    private static Rewritten product(DType dtype) {
        return new Rewritten(dtype)
                .onProcessor()
                .input("x", 2, 5, 8)
                .constant("w", 8, 32)
                .constant("b", 32)
                .node("MatMul", "x,w", "a");
    }

    @Test
    void takesWhatFollows() {
        PlacedGraph graph = product(DType.FLOAT32)
                .input("r", 2, 5, 32)
                .node("Add", "b,a", "s")
                .node("Relu", "s", "t")
                .node("Add", "r,t", "y")
                .output("y")
                .by(RULE, new FoldScaleIntoConv(), new FuseActivationIntoConv(), new FuseResidualIntoConv());
        assertThat(Rewritten.names(graph)).containsExactly("a");
        PlacedNode convolution = graph.nodes().get(0);
        assertThat(convolution.outputTypes().get(0).shape().sizes()).containsExactly(2, 5, 32);
        assertThat(convolution.written().op()).isEqualTo("MatMul");
        assertThat(Rewritten.text(convolution, "activation")).isEqualTo("RELU");
        assertThat(Rewritten.text(convolution, "residual_add")).isEqualTo("AFTER");
        assertThat(Rewritten.parts(convolution)).containsExactly("s", "t", "y");
    }

    @Test
    void takesWhatFollowsOnTheCpu() {
        PlacedGraph graph = product(DType.FLOAT32)
                .input("r", 2, 5, 32)
                .node("Add", "b,a", "s")
                .node("Add", "r,s", "y")
                .output("y")
                .onCpu("a")
                .onCpu("s")
                .onCpu("y")
                .by(RULE, new FoldScaleIntoConv(), new FuseResidualIntoConv());
        assertThat(Rewritten.operators(graph)).containsExactly("FusedConv");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("s", "y");
    }

    @Test
    void leavesIntegersAndMatricesThatAreComputed() {
        assertThat(Rewritten.operators(product(DType.INT8).output("a").by(RULE)))
                .containsExactly("MatMul");
        assertThat(Rewritten.operators(new Rewritten(DType.FLOAT32)
                        .onProcessor()
                        .input("x", 2, 5, 8)
                        .input("w", 8, 32)
                        .node("MatMul", "x,w", "a")
                        .output("a")
                        .by(RULE)))
                .containsExactly("MatMul");
    }

    @Test
    void takesManyRowsOnGpus() {
        PlacedGraph graph = onGpu(9).by(RULE, new FoldScaleIntoConv());
        assertThat(Rewritten.names(graph)).containsExactly("a");
        assertThat(graph.nodes().get(0).variant().orElseThrow().name()).isEqualTo("groups");
        assertThat(Rewritten.operators(onGpu(8).by(RULE))).containsExactly("MatMul", "Add");
    }

    private static Rewritten onGpu(int rows) {
        return new Rewritten(DType.FLOAT32)
                .input("x", 1, rows, 8)
                .constant("w", 8, 32)
                .constant("b", 32)
                .node("MatMul", "x,w", "a")
                .node("Add", "a,b", "y")
                .output("y");
    }

    @Test
    void leavesOneMatrixAndSeveral() {
        assertThat(Rewritten.operators(new Rewritten(DType.FLOAT32)
                        .onProcessor()
                        .input("x", 5, 8)
                        .constant("w", 8, 32)
                        .node("MatMul", "x,w", "a")
                        .output("a")
                        .by(RULE)))
                .containsExactly("MatMul");
        assertThat(Rewritten.operators(new Rewritten(DType.FLOAT32)
                        .onProcessor()
                        .input("x", 2, 5, 8)
                        .constant("w", 2, 8, 32)
                        .node("MatMul", "x,w", "a")
                        .output("a")
                        .by(RULE)))
                .containsExactly("MatMul");
    }
}
