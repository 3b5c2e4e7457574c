package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CancelTransposesTest {

    private static final CancelTransposes RULE = new CancelTransposes();

    private static Map<String, Attribute> perm(long... axes) {
        return Map.of("perm", Attribute.ofInts(axes));
    }

    private static Rewritten between(String by, long... undoing) {
        return new Rewritten(DType.FLOAT32)
                .input("x", 2, 3, 4, 5)
                .number("two", 2)
                .constant("each", 3)
                .node("Transpose", "x", "t", perm(0, 2, 3, 1))
                .node("Relu", "t", "r")
                .node("Mul", by, "s")
                .node("Transpose", "s", "y", perm(undoing))
                .output("y");
    }

    @Test
    void keepsTheOrderOfAxes() {
        PlacedGraph graph = between("two,r", 0, 3, 1, 2).by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("r", "s");
        assertThat(graph.nodes().get(0).node().node().inputs()).containsExactly("x");
        assertThat(graph.nodes().get(1).node().node().outputs()).containsExactly("y");
        assertThat(graph.nodes().get(0).node().outputTypes().get(0).shape().sizes())
                .containsExactly(2, 3, 4, 5);
        assertThat(graph.nodes().get(1).written().op()).isEqualTo("Mul");
        assertThat(Rewritten.parts(graph.nodes().get(1))).containsExactlyInAnyOrder("t", "y");
    }

    /** Around one operator; {@code two} is a number, and {@code yes} true. */
    private static PlacedGraph around(String op, String inputs) {
        Tensor yes = Tensor.allocate(DType.BOOL);
        yes.setLong(0, 1);
        return new Rewritten(DType.FLOAT32)
                .input("x", 2, 3, 4, 5)
                .number("two", 2)
                .constant("yes", yes)
                .node("Transpose", "x", "t", perm(0, 2, 3, 1))
                .node(op, inputs, "m")
                .node("Transpose", "m", "y", perm(0, 3, 1, 2))
                .output("y")
                .by(RULE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Celu", "Sin", "Round", "ThresholdedRelu", "Sign", "Shrink", "Atanh"})
    void movesThroughEveryFunction(String op) {
        assertThat(Rewritten.operators(around(op, "t"))).containsExactly(op);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sum | two,t,two",
                "Mod | t,two",
                "Where | yes,t,two",
                "Less | two,t",
                "Clip | t,two",
                "Clip | t,,two",
            })
    void movesThroughOperatorsWithNumbers(String op, String inputs) {
        PlacedGraph graph = around(op, inputs);
        assertThat(Rewritten.operators(graph)).containsExactly(op);
        assertThat(graph.nodes().get(0).node().node().inputs())
                .contains("x")
                .hasSameSizeAs(inputs.split(",", -1))
                .doesNotContain("t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Softmax", "Flatten"})
    void leavesWhatKnowsAxes(String op) {
        assertThat(Rewritten.operators(new Rewritten(DType.FLOAT32)
                        .input("x", 2, 2, 2, 2)
                        .node("Transpose", "x", "t", perm(0, 1, 3, 2))
                        .node(op, "t", "m")
                        .node("Transpose", "m", "y", op.equals("Flatten") ? perm(1, 0) : perm(0, 1, 3, 2))
                        .output("y")
                        .by(RULE)))
                .containsExactly("Transpose", op, "Transpose");
    }

    /** A slope's elements may be one for each channel, whatever their number. */
    @Test
    void leavesSlopesOfChannels() {
        assertThat(Rewritten.operators(around("PRelu", "t,two"))).containsExactly("Transpose", "PRelu", "Transpose");
    }

    @Test
    void leavesOtherOrdersConstantsAndUses() {
        assertThat(Rewritten.names(between("two,r", 0, 2, 3, 1).by(RULE))).containsExactly("t", "r", "s", "y");
        assertThat(Rewritten.names(between("r,each", 0, 3, 1, 2).by(RULE))).containsExactly("t", "r", "s", "y");
        assertThat(Rewritten.names(between("r,two", 0, 3, 1, 2).output("r").by(RULE)))
                .containsExactly("t", "r", "s", "y");
        assertThat(Rewritten.names(between("r,two", 0, 3, 1, 2).onCpu("s").by(RULE)))
                .containsExactly("t", "r", "s", "y");
    }
}
