package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuseSwishTest {

    private static final FuseSwish RULE = new FuseSwish();

    private static Rewritten product(String terms) {
        return Rewritten.convolution(DType.FLOAT32)
                .node("Sigmoid", "a", "s")
                .node("Mul", terms, "y")
                .output("y");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,s", "s,a"})
    void writesTheProductAsOneOperator(String terms) {
        PlacedGraph graph = product(terms).by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
        assertThat(Rewritten.operators(graph)).endsWith("Swish");
        assertThat(graph.nodes().get(1).inputs()).containsExactly("a");
        assertThat(Rewritten.parts(graph.nodes().get(1))).containsExactly("s");
    }

    @Test
    void leavesOtherProductsUsesAndSides() {
        assertThat(Rewritten.names(product("s,s").by(RULE))).containsExactly("a", "s", "y");
        assertThat(Rewritten.names(product("a,s").output("s").by(RULE))).containsExactly("a", "s", "y");
        assertThat(Rewritten.names(product("a,s").onCpu("s").by(RULE))).containsExactly("a", "s", "y");
    }
}
