package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class JoinReshapesTest {

    private static final JoinReshapes RULE = new JoinReshapes();

    private static Map<String, Attribute> shape(long... sizes) {
        return Map.of("shape", Attribute.ofInts(sizes));
    }

    private static Rewritten negated() {
        return new Rewritten(DType.FLOAT32).input("x", 2, 3, 4).node("Neg", "x", "a");
    }

    @Test
    void writesSeveralAsOne() {
        PlacedGraph graph = negated()
                .node("Unsqueeze", "a", "u", Map.of("axis", Attribute.ofInts(0)))
                .node("Flatten", "u", "f")
                .node("Reshape", "f", "y", shape(0, 4, -1))
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("Neg", "Reshape");
        assertThat(graph.nodes().get(1).inputs()).containsExactly("a");
        assertThat(graph.nodes().get(1).binding().integers("y_dims")).containsExactly(1, 4, 6);
        assertThat(Rewritten.parts(graph.nodes().get(1))).containsExactlyInAnyOrder("u", "f");
    }

    @Test
    void thoseThatUndoOneAnotherGo() {
        PlacedGraph graph = negated()
                .node("Reshape", "a", "r", shape(6, 4))
                .node("Reshape", "r", "s", shape(2, 3, 4))
                .node("Exp", "s", "y")
                .output("y")
                .by(RULE, new RemoveCopy());
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactlyInAnyOrder("r", "s");
    }

    @Test
    void leavesWhatOthersUseAndOutputs() {
        assertThat(Rewritten.names(negated()
                        .node("Reshape", "a", "r", shape(6, 4))
                        .node("Reshape", "r", "y", shape(4, 6))
                        .output("y")
                        .output("r")
                        .by(RULE)))
                .containsExactly("a", "r", "y");
        assertThat(Rewritten.names(negated()
                        .node("Reshape", "a", "y", shape(2, 3, 4))
                        .output("y")
                        .by(RULE)))
                .containsExactly("a", "y");
    }
}
