package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class TransposedConvToConvTest {

    private static final TransposedConvToConv RULE = new TransposedConvToConv();

    private static PlacedGraph rewritten(long stride, long cut, long out, boolean isConstant) {
        Rewritten before = new Rewritten(DType.FLOAT32).input("x", 1, 2, 1, 5);
        Tensor weights = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 1, 2);
        before = isConstant ? before.constant("w", weights) : before.input("w", 2, 2, 1, 2);
        return before.node(
                        "FusedConvTranspose",
                        "x,w",
                        "y",
                        Map.of(
                                "strides", Attribute.ofInts(1, stride),
                                "pads_begin", Attribute.ofInts(0, cut),
                                "out_size", Attribute.ofInts(1, out)))
                .output("y")
                .by(RULE);
    }

    @Test
    void exchangesChannelsAndTurnsTaps() {
        PlacedGraph graph = rewritten(1, 0, 6, true);
        assertThat(Rewritten.operators(graph)).containsExactly("FusedConv");
        PlacedNode node = graph.nodes().get(0);
        Tensor weights =
                Objects.requireNonNull(graph.constants().get(node.inputs().get(1)));
        float[] values = new float[8];
        weights.floats().get(values);
        assertThat(values).containsExactly(2, 1, 6, 5, 4, 3, 8, 7);
        assertThat(node.binding().integers("pads_begin")).containsExactly(0, 1);
        assertThat(node.binding().integers("pads_end")).containsExactly(0, 1);
    }

    @Test
    void leavesStridesWhatIsCutFurtherAndComputedWeights() {
        assertThat(Rewritten.operators(rewritten(2, 0, 10, true))).containsExactly("FusedConvTranspose");
        assertThat(Rewritten.operators(rewritten(1, 2, 4, true))).containsExactly("FusedConvTranspose");
        assertThat(Rewritten.operators(rewritten(1, 0, 6, false))).containsExactly("FusedConvTranspose");
        assertThat(Rewritten.operators(rewritten(1, 1, 4, true))).containsExactly("FusedConv");
    }
}
