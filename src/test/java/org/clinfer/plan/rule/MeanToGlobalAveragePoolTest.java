package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;

class MeanToGlobalAveragePoolTest {

    private static final MeanToGlobalAveragePool RULE = new MeanToGlobalAveragePool();

    private static Rewritten mean(DType dtype, boolean kept, long... axes) {
        return new Rewritten(dtype)
                .input("x", 2, 3, 5, 7)
                .node("Mean", "x", "y", Map.of("axis", Attribute.ofInts(axes), "keep_dims", Attribute.of(kept)))
                .output("y");
    }

    @Test
    void isAGlobalPool() {
        PlacedGraph graph = mean(DType.FLOAT32, true, -1, 2).by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("AvgPool");
        assertThat(graph.nodes().get(0).binding().flag("is_global")).isTrue();
    }

    @Test
    void leavesOtherMeans() {
        assertThat(Rewritten.operators(mean(DType.FLOAT32, false, 2, 3).by(RULE)))
                .containsExactly("Mean");
        assertThat(Rewritten.operators(mean(DType.FLOAT32, true, 1, 2).by(RULE)))
                .containsExactly("Mean");
        assertThat(Rewritten.operators(mean(DType.FLOAT32, true, 3).by(RULE))).containsExactly("Mean");
        assertThat(Rewritten.operators(mean(DType.INT8, true, 2, 3).by(RULE))).containsExactly("Mean");
    }
}
