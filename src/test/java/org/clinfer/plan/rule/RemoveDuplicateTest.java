package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class RemoveDuplicateTest {

    private static final RemoveDuplicate RULE = new RemoveDuplicate();

    private static Rewritten twice(String op, Map<String, Attribute> first, Map<String, Attribute> second) {
        return new Rewritten(DType.FLOAT32)
                .input("x", 2, 3)
                .node(op, "x", "a", first)
                .node(op, "x", "b", second)
                .node("Sub", "a,b", "y")
                .output("y");
    }

    @Test
    void computesOnce() {
        PlacedGraph graph = twice("Neg", Map.of(), Map.of()).by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "y");
        assertThat(graph.nodes().get(1).inputs()).containsExactly("a", "a");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactly("b");
    }

    @Test
    void findsWhatBecomesTheSame() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("x", 2, 3)
                .node("Neg", "x", "a")
                .node("Exp", "a", "b")
                .node("Neg", "x", "c")
                .node("Exp", "c", "d")
                .node("Add", "b,d", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("a", "b", "y");
    }

    @Test
    void leavesOtherParametersInputsAndOrders() {
        assertThat(Rewritten.names(
                        twice("LeakyRelu", Map.of("alpha", Attribute.of(0.1)), Map.of("alpha", Attribute.of(0.2)))
                                .by(RULE)))
                .containsExactly("a", "b", "y");
        assertThat(Rewritten.names(new Rewritten(DType.FLOAT32)
                        .input("x", 2, 3)
                        .input("z", 2, 3)
                        .node("Sub", "x,z", "a")
                        .node("Sub", "z,x", "b")
                        .node("Sub", "a,b", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("a", "b", "y");
    }

    @Test
    void leavesOutputsAndOtherSides() {
        assertThat(Rewritten.names(twice("Neg", Map.of(), Map.of()).output("b").by(RULE)))
                .containsExactly("a", "b", "y");
        assertThat(Rewritten.names(twice("Neg", Map.of(), Map.of()).onCpu("b").by(RULE)))
                .containsExactly("a", "b", "y");
    }

    private static PlacedGraph expanded(Tensor first, Tensor second) {
        return new Rewritten(DType.FLOAT32)
                .input("x", 1, 3)
                .constant("a_shape", first)
                .constant("b_shape", second)
                .node("Expand", "x,a_shape", "a")
                .node("Expand", "x,b_shape", "b")
                .node("Sub", "a,b", "y")
                .output("y")
                .by(RULE);
    }

    @Test
    void smallConstantsOfTheSameElementsAreTheSame() {
        Tensor shape = Tensor.of(new long[] {2, 3}, 2);
        assertThat(Rewritten.names(expanded(shape, Tensor.of(new long[] {2, 3}, 2))))
                .containsExactly("a", "y");
        assertThat(Rewritten.names(expanded(shape, Tensor.of(new long[] {2, 1}, 2))))
                .containsExactly("a", "b", "y");
        assertThat(Rewritten.names(expanded(shape, Tensor.of(new int[] {2, 3}, 2))))
                .containsExactly("a", "b", "y");
    }
}
