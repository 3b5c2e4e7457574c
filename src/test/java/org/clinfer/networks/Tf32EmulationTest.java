package org.clinfer.networks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Nodes that round factors to TF32 do so. */
class Tf32EmulationTest {

    private static final int DROPPED = 0x1fff;

    @Test
    void roundsToTheNearestOfTenBits() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            float value = (float) (random.nextGaussian() * Math.pow(2, random.nextInt(40) - 20));
            float rounded = Tf32Emulation.rounded(value);
            assertThat(Float.floatToIntBits(rounded) & DROPPED)
                    .as("bits of %s", value)
                    .isZero();
            assertThat(Math.abs((double) rounded - value)).isLessThanOrEqualTo(Math.ulp(value) * (DROPPED + 1) / 2);
        }
        assertThat(Tf32Emulation.rounded(1 + 0x1p-10f)).isEqualTo(1 + 0x1p-10f);
        assertThat(Tf32Emulation.rounded(1 + 0x1p-12f)).isEqualTo(1);
    }

    @Test
    void networksMultiplyRoundedFactors() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 2));
        Edge y = ops.matMul(x, ops.constant("w", Tensor.of(new float[] {3 + 0x1p-12f, 5}, 2, 1)));
        Graph graph = ops.output("y", y).build();
        String product = graph.nodes().get(0).name();
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.Cpu())
                .withFusion(false)
                .withExact(true);
        try (Engine engine = Engine.open(options);
                Model model = engine.load(Tf32Emulation.of(graph, Set.of(product), Set.of("x")));
                Session session = model.session();
                Result result = session.run(Map.of("x", Tensor.of(new float[] {7, 1 + 0x1p-12f}, 1, 2)))) {
            assertThat(result.get("y").getDouble(0)).isEqualTo(26);
        }
    }
}
