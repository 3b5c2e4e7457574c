package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class BatchNormToConvTest {

    private static final BatchNormToConv RULE = new BatchNormToConv();

    private static Rewritten norm() {
        return new Rewritten(DType.FLOAT32)
                .input("x", 2, 3, 5, 7)
                .constant("scale", 3)
                .constant("bias", 3)
                .constant("mean", 3)
                .constant("variance", 3)
                .node("BatchNorm", "x,scale,bias,mean,variance", "a");
    }

    @Test
    void takesTheActivation() {
        PlacedGraph graph = norm().node("Relu", "a", "y")
                .output("y")
                .by(new FoldScaleIntoConv(), RULE, new FuseActivationIntoConv());
        assertThat(Rewritten.names(graph)).containsExactly("a");
        PlacedNode convolution = graph.nodes().get(0);
        assertThat(convolution.variant().orElseThrow().name()).isEqualTo("depthwise_groups");
        assertThat(convolution.written().op()).isEqualTo("BatchNorm");
        assertThat(Rewritten.text(convolution, "activation")).isEqualTo("RELU");
        assertThat(Rewritten.parts(convolution)).containsExactly("y");
    }

    @Test
    void leavesProcessorsAndTheCpu() {
        assertThat(Rewritten.operators(
                        norm().onProcessor().node("Relu", "a", "y").output("y").by(RULE)))
                .containsExactly("BatchNorm", "Relu");
        assertThat(Rewritten.operators(
                        norm().onCpu("a").node("Relu", "a", "y").output("y").by(RULE)))
                .containsExactly("BatchNorm", "Relu");
    }

    @Test
    void leavesOneWithoutAnActivationOfItsOwn() {
        assertThat(Rewritten.operators(norm().output("a").by(RULE))).containsExactly("BatchNorm");
        assertThat(Rewritten.operators(
                        norm().node("Relu", "a", "y").output("y").output("a").by(RULE)))
                .containsExactly("BatchNorm", "Relu");
        assertThat(Rewritten.operators(
                        norm().node("Softsign", "a", "y").output("y").by(RULE)))
                .containsExactly("BatchNorm", "Softsign");
    }

    @Test
    void leavesTermsThatAreComputed() {
        assertThat(Rewritten.operators(new Rewritten(DType.FLOAT32)
                        .input("x", 2, 3, 5, 7)
                        .input("scale", 3)
                        .constant("bias", 3)
                        .constant("mean", 3)
                        .constant("variance", 3)
                        .node("BatchNorm", "x,scale,bias,mean,variance", "a")
                        .node("Relu", "a", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("BatchNorm", "Relu");
    }
}
