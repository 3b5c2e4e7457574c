package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FuseHardSwishTest {

    private static final FuseHardSwish RULE = new FuseHardSwish();

    private static Rewritten product(double alpha, String terms) {
        return product(DType.FLOAT32, alpha, terms);
    }

    private static Rewritten product(DType type, double alpha, String terms) {
        return Rewritten.convolution(type)
                .node("HardSigmoid", "a", "s", Map.of("alpha", Attribute.of(alpha), "beta", Attribute.of(0.5)))
                .node("Mul", terms, "y")
                .output("y");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,s", "s,a"})
    void writesTheProductAsOneOperator(String terms) {
        PlacedGraph graph = product(1 / 6f, terms).by(RULE);
        assertThat(graph.nodes()).extracting(node -> node.op()).containsExactly("FusedConv", "HardSwish");
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
        assertThat(graph.nodes().get(1).written().op()).isEqualTo("Mul");
        assertThat(Rewritten.parts(graph.nodes().get(1))).containsExactly("s");
    }

    /** As near to 1/6 as a number of the type is. */
    @ParameterizedTest
    @CsvSource({
        "FLOAT64, 0.16666667, 3",
        "FLOAT64, 0.16666666666666666, 2",
        "FLOAT32, 0.1666675, 3",
        "FLOAT16, 0.16662598, 2"
    })
    void theNumbersAreThoseOfTheType(DType type, double alpha, int nodes) {
        assertThat(product(type, alpha, "a,s").by(RULE).nodes()).hasSize(nodes);
    }

    @Test
    void aConvolutionTakesItThen() {
        PlacedGraph graph = product(1.0 / 6, "a,s").by(RULE, new FuseActivationIntoConv());
        assertThat(Rewritten.names(graph)).containsExactly("a");
        assertThat(Rewritten.text(graph.nodes().get(0), "activation")).isEqualTo("HARD_SWISH");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("y", "s");
    }

    @Test
    void leavesOtherLinesAndOtherProducts() {
        assertThat(Rewritten.names(product(0.2, "a,s").by(RULE))).containsExactly("a", "s", "y");
        assertThat(Rewritten.names(product(1.0 / 6, "s,s").by(RULE))).containsExactly("a", "s", "y");
        assertThat(Rewritten.names(product(1.0 / 6, "a,s").output("s").by(RULE)))
                .containsExactly("a", "s", "y");
        assertThat(Rewritten.names(product(1.0 / 6, "a,s").onCpu("s").by(RULE))).containsExactly("a", "s", "y");
    }

    private static Rewritten clipped(String summand, double most) {
        return Rewritten.convolution(DType.FLOAT32)
                .number("three", 3)
                .number("six", 6)
                .number("sixth", 1 / 6f)
                .node("Add", summand, "t")
                .node("Clip", "t", "c", Map.of("min", Attribute.of(0), "max", Attribute.of(most)));
    }

    @ParameterizedTest
    @CsvSource({"Div,'c,six',Mul,'a,q'", "Mul,'sixth,c',Mul,'q,a'", "Mul,'a,c',Div,'q,six'", "Mul,'c,a',Mul,'q,sixth'"})
    void writesThePartsOfBothAsOneOperator(String first, String terms, String last, String rest) {
        PlacedGraph graph = clipped("a,three", 6)
                .node(first, terms, "q")
                .node(last, rest, "y")
                .output("y")
                .by(RULE);
        assertThat(graph.nodes()).extracting(node -> node.op()).containsExactly("FusedConv", "HardSwish");
        assertThat(graph.nodes().get(1).inputs()).containsExactly("a");
        assertThat(Rewritten.parts(graph.nodes().get(1))).containsExactlyInAnyOrder("t", "c", "q");
    }

    @Test
    void otherClipsAndOtherDivisorsStay() {
        Rewritten seven = clipped("a,three", 7).node("Mul", "a,c", "q").node("Div", "q,six", "y");
        assertThat(seven.output("y").by(RULE).nodes()).hasSize(5);
        Rewritten shifted = clipped("a,six", 6).node("Mul", "a,c", "q").node("Div", "q,six", "y");
        assertThat(shifted.output("y").by(RULE).nodes()).hasSize(5);
        Rewritten thirds = clipped("a,three", 6).node("Mul", "a,c", "q").node("Div", "q,three", "y");
        assertThat(thirds.output("y").by(RULE).nodes()).hasSize(5);
        Rewritten ofAnother = clipped("a,three", 6).node("Mul", "t,c", "q").node("Div", "q,six", "y");
        assertThat(ofAnother.output("y").by(RULE).nodes()).hasSize(5);
    }
}
