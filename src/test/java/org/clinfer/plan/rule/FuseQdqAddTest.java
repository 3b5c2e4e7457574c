package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class FuseQdqAddTest {

    private static final FuseQdqAdd RULE = new FuseQdqAdd();

    private static Coded two(long... sizes) {
        Coded coded = new Coded(2, 3, 4, 4);
        coded.net().input("z", sizes);
        return coded.reals("zs", 0.75)
                .codes("zz", DType.UINT8, 9)
                .node("DequantizeLinear", "z,zs,zz", "b")
                .node("Add", "a,b", "c");
    }

    @Test
    void addsCodes() {
        PlacedGraph graph = two(2, 3, 4, 4).end("c").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("QuantizedAdd");
        assertThat(graph.nodes().get(0).inputs()).containsExactly("x", "z", "xz", "zz", "xs", "zs", "ys", "yz");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactlyInAnyOrder("a", "b", "y");
    }

    @Test
    void takesAnActivationThatCutsWhereTheCodesDo() {
        PlacedGraph graph =
                two(2, 3, 4, 4).node("Relu", "c", "d", Map.of()).end("d").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("QuantizedAdd");
    }

    @Test
    void doublesOneValue() {
        PlacedGraph graph =
                new Coded(2, 3, 4, 4).node("Add", "a,a", "c").end("c").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("QuantizedAdd");
        assertThat(graph.nodes().get(0).inputs()).startsWith("x", "x");
    }

    @Test
    void leavesShapesThatDiffer() {
        assertThat(Rewritten.operators(two(4).end("c").by(RULE))).contains("Add");
    }

    @Test
    void leavesAnActivationThatCutsMore() {
        Map<String, Attribute> range = Map.of("min", Attribute.of(0.0), "max", Attribute.of(1.0));
        assertThat(Rewritten.operators(
                        two(2, 3, 4, 4).node("Clip", "c", "d", range).end("d").by(RULE)))
                .contains("Add", "Clip");
    }

    @Test
    void leavesSumsThatOthersUse() {
        assertThat(Rewritten.operators(two(2, 3, 4, 4).end("c").output("c").by(RULE)))
                .contains("Add", "QuantizeLinear");
    }
}
