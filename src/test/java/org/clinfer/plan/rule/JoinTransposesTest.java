package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class JoinTransposesTest {

    private static final JoinTransposes RULE = new JoinTransposes();

    private static Map<String, Attribute> perm(long... axes) {
        return Map.of("perm", Attribute.ofInts(axes));
    }

    private static Rewritten negated() {
        return new Rewritten(DType.FLOAT32).input("x", 2, 3, 4, 5).node("Neg", "x", "a");
    }

    @Test
    void writesTwoAsOne() {
        PlacedGraph graph = negated()
                .node("Transpose", "a", "t", perm(0, 2, 3, 1))
                .node("Transpose", "t", "y", perm(0, 2, 1, 3))
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
        assertThat(graph.nodes().get(1).binding().integers("perm")).containsExactly(0, 3, 2, 1);
        assertThat(Rewritten.parts(graph.nodes().get(1))).containsExactly("t");
    }

    @Test
    void takesAwayThoseThatUndoEachOther() {
        PlacedGraph graph = negated()
                .node("Transpose", "a", "t", perm(0, 2, 3, 1))
                .node("Transpose", "t", "u", perm(0, 3, 1, 2))
                .node("Exp", "u", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactlyInAnyOrder("t", "u");
    }

    @Test
    void takesAwayWhatChangesNothing() {
        PlacedGraph graph = negated()
                .node("Transpose", "a", "t", perm(0, 1, 2, 3))
                .node("Exp", "t", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
    }

    @Test
    void leavesWhatOthersUseAndOtherSides() {
        assertThat(Rewritten.names(negated()
                        .node("Transpose", "a", "t", perm(0, 2, 3, 1))
                        .node("Transpose", "t", "y", perm(0, 2, 1, 3))
                        .output("y")
                        .output("t")
                        .by(RULE)))
                .containsExactly("a", "t", "y");
        assertThat(Rewritten.names(negated()
                        .node("Transpose", "a", "t", perm(0, 2, 3, 1))
                        .node("Transpose", "t", "y", perm(0, 2, 1, 3))
                        .output("y")
                        .onCpu("t")
                        .by(RULE)))
                .containsExactly("a", "t", "y");
    }
}
