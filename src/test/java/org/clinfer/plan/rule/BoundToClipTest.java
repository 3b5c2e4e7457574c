package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundToClipTest {

    private static final BoundToClip RULE = new BoundToClip();

    private static Rewritten network() {
        return Rewritten.convolution(DType.FLOAT32)
                .constant("one", Tensor.of(new float[] {-0.5f}, 1, 1, 1, 1))
                .number("six", 6)
                .number("nine", 9)
                .number("nan", Double.NaN)
                .constant("many", 4, 1, 1);
    }

    private static double real(PlacedGraph graph, String name) {
        return graph.nodes().get(graph.nodes().size() - 1).binding().real(name);
    }

    @ParameterizedTest
    @CsvSource({
        "Max, 'a,one', -0.5, Infinity",
        "Max, 'one,a', -0.5, Infinity",
        "Min, 'a,one', -Infinity, -0.5",
    })
    void aNumberIsABound(String op, String inputs, double low, double high) {
        PlacedGraph graph = network().node(op, inputs, "y").output("y").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("FusedConv", "Clip");
        assertThat(graph.nodes().get(1).inputs()).containsExactly("a");
        assertThat(real(graph, "low")).isEqualTo(low);
        assertThat(real(graph, "high")).isEqualTo(high);
    }

    @ParameterizedTest
    @CsvSource({
        "Relu, Min, six, 0, 6",
        "Relu6, Min, nine, 0, 6",
        "Relu6, Max, six, 6, 6",
        "Relu6, Max, nine, 9, 9",
        "Relu6, Min, one, -0.5, -0.5"
    })
    void theBoundsBeforeItAreKept(String before, String op, String number, double low, double high) {
        PlacedGraph graph = network()
                .node(before, "a", "r")
                .node(op, "r," + number, "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("FusedConv", "Clip");
        assertThat(Rewritten.parts(graph.nodes().get(1))).containsExactly("r");
        assertThat(real(graph, "low")).isEqualTo(low);
        assertThat(real(graph, "high")).isEqualTo(high);
    }

    @Test
    void whatOthersUseIsKept() {
        PlacedGraph graph = network()
                .node("Relu", "a", "r")
                .node("Min", "r,six", "y")
                .output("y")
                .output("r")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("FusedConv", "Relu", "Clip");
    }

    @ParameterizedTest
    @CsvSource({"'a,many'", "'a,nan'", "'a,a'", "'a,six,one'"})
    void leavesOtherOperands(String inputs) {
        PlacedGraph graph = network().node("Max", inputs, "y").output("y").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("FusedConv", "Max");
    }

    @Test
    void leavesANumberThatIsSpreadAndIntegers() {
        PlacedGraph spread = new Rewritten(DType.FLOAT32)
                .input("x", 1)
                .constant("z", Tensor.of(new float[] {1}, 1, 1))
                .node("Max", "x,z", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(spread)).containsExactly("Max");
        PlacedGraph integers = new Rewritten(DType.INT32)
                .input("x", 3)
                .number("z", 2)
                .node("Max", "x,z", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(integers)).containsExactly("Max");
    }

    @Test
    void aConvolutionTakesIt() {
        PlacedGraph graph = network().node("Max", "a,one", "y").output("y").by(RULE, new FuseActivationIntoConv());
        assertThat(Rewritten.names(graph)).containsExactly("a");
        assertThat(Rewritten.text(graph.nodes().get(0), "activation")).isEqualTo("CLIP");
    }
}
