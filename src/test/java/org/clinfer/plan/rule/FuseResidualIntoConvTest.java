package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FuseResidualIntoConvTest {

    private static final FuseResidualIntoConv RULE = new FuseResidualIntoConv();

    private static Rewritten withResidual() {
        return Rewritten.convolution(DType.FLOAT32).input("r", 1, 4, 5, 7);
    }

    @ParameterizedTest
    @CsvSource({"Add,a,r", "Add,r,a", "Sum,a,r", "Sum,r,a"})
    void addsBeforeAnActivation(String op, String first, String second) {
        PlacedGraph graph = withResidual()
                .node(op, first + "," + second, "s")
                .node("Relu", "s", "y")
                .output("y")
                .by(RULE, new FuseActivationIntoConv());
        assertThat(Rewritten.names(graph)).containsExactly("a");
        PlacedNode convolution = graph.nodes().get(0);
        assertThat(convolution.inputs().get(FusableConvolution.RESIDUAL)).isEqualTo("r");
        assertThat(Rewritten.text(convolution, "residual_add")).isEqualTo("BEFORE");
        assertThat(Rewritten.text(convolution, "activation")).isEqualTo("RELU");
        assertThat(Rewritten.parts(convolution)).containsExactly("s", "y");
    }

    @Test
    void addsAfterAnActivationAndTakesNoOther() {
        PlacedGraph graph = withResidual()
                .node("Relu", "a", "t")
                .node("Add", "r,t", "s")
                .node("Relu", "s", "y")
                .output("y")
                .by(new FuseActivationIntoConv(), RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
        assertThat(Rewritten.text(graph.nodes().get(0), "residual_add")).isEqualTo("AFTER");
    }

    @Test
    void ofTwoConvolutionsTheLaterOneAdds() {
        PlacedGraph graph = Rewritten.convolution(DType.FLOAT32)
                .node("Conv2d", "x,w,b", "c")
                .node("Add", "c,a", "y")
                .output("y")
                .by(RULE);
        PlacedNode last = graph.nodes().get(1);
        assertThat(graph.nodes()).hasSize(2);
        assertThat(last.inputs().get(FusableConvolution.RESIDUAL))
                .isEqualTo(graph.nodes().get(0).form().name());
        assertThat(Rewritten.parts(last)).containsExactly("y");
    }

    @Test
    void whatIsMadeBetweenThemComesFirst() {
        PlacedGraph graph = withResidual()
                .node("Neg", "r", "n")
                .node("Add", "a,n", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("n", "a");
    }

    /** These nodes are left. */
    private static void assertLeft(Rewritten net, String... nodes) {
        assertThat(Rewritten.names(net.by(RULE))).containsExactly(nodes);
    }

    @Test
    void leavesASecondResidual() {
        assertLeft(
                withResidual().node("Add", "a,r", "s").node("Add", "s,r", "y").output("y"), "a", "y");
    }

    @Test
    void leavesOtherShapes() {
        assertLeft(
                Rewritten.convolution(DType.FLOAT32)
                        .input("r", 1, 4, 1, 7)
                        .node("Add", "a,r", "y")
                        .output("y"),
                "a",
                "y");
        assertLeft(
                Rewritten.convolution(DType.FLOAT32)
                        .input("r", 2, 4, 5, 7)
                        .node("Add", "a,r", "y")
                        .output("y"),
                "a",
                "y");
    }

    @Test
    void leavesWhatOthersUse() {
        assertLeft(Rewritten.convolution(DType.FLOAT32).node("Add", "a,a", "y").output("y"), "a", "y");
        assertLeft(withResidual().node("Add", "a,r", "y").output("y").output("a"), "a", "y");
        // the sum needs the convolution by another way as well
        assertLeft(
                Rewritten.convolution(DType.FLOAT32)
                        .node("Neg", "a", "n")
                        .node("Add", "a,n", "y")
                        .output("y"),
                "a",
                "n",
                "y");
    }

    @Test
    void leavesIntegersAndOtherSides() {
        assertLeft(
                Rewritten.convolution(DType.INT8)
                        .input("r", 1, 4, 5, 7)
                        .node("Add", "a,r", "y")
                        .output("y"),
                "a",
                "y");
        assertLeft(withResidual().node("Add", "a,r", "y").output("y").onCpu("y"), "a", "y");
    }
}
