package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class DropDenormalWeightsTest {

    private static final float DENORMAL = Float.MIN_NORMAL / 3;

    private static Rewritten product(Tensor weights) {
        return new Rewritten(DType.FLOAT32)
                .onProcessor()
                .input("x", 5, weights.shape().size(0))
                .constant("w", weights)
                .node("MatMul", "x,w", "y")
                .output("y");
    }

    /** The constant that the node reads in the end. */
    private static float[] constant(PlacedGraph graph, int input) {
        String name = graph.nodes().get(0).inputs().get(input);
        return Objects.requireNonNull(graph.ofModel().get(name)).toFloatArray();
    }

    private static float[] weights(PlacedGraph graph) {
        return constant(graph, 1);
    }

    @Test
    void setsThemToZeroAndNoOthers() {
        float[] given = {1, DENORMAL, -DENORMAL, 0, Float.MIN_NORMAL, -Float.MIN_NORMAL, Float.MIN_VALUE, -2e-30f};
        PlacedGraph graph = product(Tensor.of(given, 4, 2)).by(new DropDenormalWeights());
        assertThat(Rewritten.operators(graph)).containsExactly("MatMul");
        assertThat(weights(graph)).containsExactly(1, 0, 0, 0, Float.MIN_NORMAL, -Float.MIN_NORMAL, 0, -2e-30f);
    }

    @Test
    void findsAChannelOfALargeTensor() {
        Random random = new Random(4);
        float[] given = new float[64 * 256];
        float[] wanted = new float[given.length];
        for (int i = 0; i < given.length; i++) {
            given[i] = i % 64 == 17 ? DENORMAL * random.nextFloat() : random.nextFloat();
            wanted[i] = i % 64 == 17 ? 0 : given[i];
        }
        assertThat(weights(product(Tensor.of(given, 256, 64)).by(new DropDenormalWeights())))
                .containsExactly(wanted);
    }

    @Test
    void takesWeightsAndBiasesOfConvolutions() {
        float[] weights = new float[8 * 4 * 3 * 3];
        Arrays.fill(weights, 0.5f);
        weights[7] = DENORMAL;
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .onProcessor()
                .input("x", 1, 4, 9, 9)
                .constant("w", Tensor.of(weights, 8, 4, 3, 3))
                .constant("b", Tensor.of(new float[] {1, DENORMAL, 2, 3, 4, 5, 6, 7}, 8))
                .node("FusedConv", "x,w,b", "y")
                .output("y")
                .by(new DropDenormalWeights());
        assertThat(weights(graph)[7]).isZero();
        assertThat(constant(graph, 2)).containsExactly(1, 0, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void leavesWeightsThatAreAllTinyAndThoseWithoutAny() {
        Tensor tiny = Tensor.of(new float[] {DENORMAL, Float.MIN_NORMAL, 1e-25f, 3e-36f}, 2, 2);
        Tensor usual = Tensor.of(new float[] {1, 0, Float.MIN_NORMAL, 3e-36f}, 2, 2);
        for (Tensor left : new Tensor[] {tiny, usual}) {
            PlacedGraph graph = product(left).by(new DropDenormalWeights());
            assertThat(graph.nodes().get(0).inputs()).containsExactly("x", "w");
        }
    }
}
