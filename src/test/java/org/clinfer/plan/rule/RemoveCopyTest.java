package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoveCopyTest {

    private static final RemoveCopy RULE = new RemoveCopy();

    @Test
    void takesCopiesOfComputedValuesAway() {
        PlacedGraph graph = Rewritten.convolution(DType.FLOAT32)
                .node("Identity", "a", "i")
                .node("Dropout", "i", "d")
                .node("Add", "d,i", "y")
                .node("Sub", "y,d", "z")
                .output("z")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y", "z");
        assertThat(graph.nodes().get(1).inputs()).containsExactly("a", "a");
        assertThat(graph.nodes().get(2).inputs()).containsExactly("y", "a");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("i", "d");
    }

    @Test
    void takesChangesOfShapeAwayThatChangeNothing() {
        Map<String, Attribute> shape = Map.of("shape", Attribute.ofInts(3));
        assertThat(Rewritten.names(new Rewritten(DType.FLOAT32)
                        .input("x", 3)
                        .node("Neg", "x", "a")
                        .node("Reshape", "a", "r", shape)
                        .node("Exp", "r", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("a", "y");
    }

    @ParameterizedTest
    @CsvSource({"3,a y", "2,a r y"})
    void takesAnExpandAwayThatWidensNothing(long outer, String left) {
        Map<String, Attribute> shape = Map.of("shape", Attribute.ofInts(outer, 4));
        assertThat(Rewritten.names(new Rewritten(DType.FLOAT32)
                        .input("x", outer == 3 ? 3 : 1, 4)
                        .node("Neg", "x", "a")
                        .node("Expand", "a", "r", shape)
                        .node("Exp", "r", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly(left.split(" ", -1));
    }

    @Test
    void workThatWasBetweenThemIsFused() {
        PlacedGraph graph = Rewritten.convolution(DType.FLOAT32)
                .node("Identity", "a", "i")
                .node("Relu", "i", "y")
                .output("y")
                .by(RULE, new FuseActivationIntoConv());
        assertThat(Rewritten.names(graph)).containsExactly("a");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("i", "y");
    }

    @Test
    void leavesOutputsAndCopiesOfInputs() {
        assertThat(Rewritten.names(Rewritten.convolution(DType.FLOAT32)
                        .node("Identity", "a", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("a", "y");
        assertThat(Rewritten.names(new Rewritten(DType.FLOAT32)
                        .input("x", 3)
                        .node("Identity", "x", "i")
                        .node("Neg", "i", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("i", "y");
    }

    @Test
    void leavesACopyOnTheOtherSide() {
        assertThat(Rewritten.names(Rewritten.convolution(DType.FLOAT32)
                        .node("Identity", "a", "i")
                        .node("Neg", "i", "y")
                        .output("y")
                        .onCpu("i")
                        .by(RULE)))
                .containsExactly("a", "i", "y");
    }
}
