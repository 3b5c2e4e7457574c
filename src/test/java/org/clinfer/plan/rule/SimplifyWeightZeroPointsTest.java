package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class SimplifyWeightZeroPointsTest {

    private static final SimplifyWeightZeroPoints RULE = new SimplifyWeightZeroPoints();

    private static List<String> inputs(DType type, double... zeros) {
        Coded coded = new Coded(2, 3, 4, 4).constant("v", type, new long[] {8, 3, 1, 1}, 1, 2, 3);
        coded.codes("vz", type, zeros);
        PlacedGraph graph =
                coded.node("QuantizedConv", "x,v,,xz,vz", "y").net().output("y").by(RULE);
        return graph.nodes().stream()
                .filter(node -> node.op().equals("QuantizedConv"))
                .findAny()
                .orElseThrow()
                .inputs();
    }

    @Test
    void leavesOutZeros() {
        assertThat(inputs(DType.INT8, 0, 0, 0, 0, 0, 0, 0, 0).get(4)).isEmpty();
        assertThat(inputs(DType.INT8, 0).get(4)).isEmpty();
    }

    @Test
    void takesOneForAll() {
        assertThat(inputs(DType.UINT8, 128, 128, 128, 128, 128, 128, 128, 128).get(4))
                .isNotEqualTo("vz")
                .isNotEmpty();
    }

    @Test
    void leavesOthers() {
        assertThat(inputs(DType.UINT8, 128, 128, 128, 128, 128, 128, 128, 127).get(4))
                .isEqualTo("vz");
        assertThat(inputs(DType.UINT8, 128).get(4)).isEqualTo("vz");
    }
}
