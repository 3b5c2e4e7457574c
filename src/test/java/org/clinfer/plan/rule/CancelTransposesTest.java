package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

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
