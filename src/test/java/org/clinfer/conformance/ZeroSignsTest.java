package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.ConformanceEngine;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The signs of zeros, which comparisons with a tolerance do not see: a remainder has that of its divisor. */
class ZeroSignsTest {

    private static final float[] DIVIDENDS = {-4, 4, 4, -4, 0f, -0f, 3.5f};
    private static final float[] DIVISORS = {2, -2, 4, -1, -3, 3, -3.5f};

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void remaindersOnTheCpu(boolean ofLeft) {
        try (ConformanceEngine cpu = ConformanceEngine.cpu()) {
            cpu.run(remainder(ofLeft), inputs(), (outputs, nodes) -> expect(ofLeft, "cpu", outputs));
        }
    }

    @RequiresOpenCl
    @ParameterizedTest
    @EnumSource
    void remaindersOnDevices(ClBinding binding) {
        try (ConformanceEngine device = ConformanceEngine.device(binding)) {
            for (boolean ofLeft : new boolean[] {false, true}) {
                device.runVariants(
                        "Mod", remainder(ofLeft), inputs(), (where, outputs) -> expect(ofLeft, where, outputs));
            }
        }
    }

    private static void expect(boolean ofLeft, String where, Map<String, Tensor> outputs) {
        float[] signs = ofLeft ? DIVIDENDS : DIVISORS;
        float[] found = outputs.values().iterator().next().toFloatArray();
        for (int i = 0; i < found.length; i++) {
            assertThat(Float.floatToIntBits(found[i]))
                    .as("%s: %s mod %s", where, DIVIDENDS[i], DIVISORS[i])
                    .isEqualTo(Float.floatToIntBits(Math.copySign(0f, signs[i])));
        }
    }

    private static Graph remainder(boolean ofLeft) {
        GraphBuilder builder = new GraphBuilder("remainder", new SourceRef("test", "Mod"));
        inputs().forEach((name, tensor) -> builder.input(name, tensor.type()));
        builder.output("out");
        builder.node("Mod", List.of("a", "b"), List.of("out"), Map.of("fmod", Attribute.of(ofLeft)));
        return builder.build();
    }

    private static Map<String, Tensor> inputs() {
        return Map.of("a", Tensor.of(DIVIDENDS, DIVIDENDS.length), "b", Tensor.of(DIVISORS, DIVISORS.length));
    }
}
