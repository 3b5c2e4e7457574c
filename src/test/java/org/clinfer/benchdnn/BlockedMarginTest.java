package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.ConformanceEngine;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Convolutions of blocked channels that leave out what meets a margin of zeros: the same results as with it. */
class BlockedMarginTest {

    private static final int LANES = 16;

    @RequiresOpenCl
    @ParameterizedTest
    @CsvSource({
        // channels in and out, rows, columns, kernel, stride, dilation, margin at the beginning and the end
        "32, 64, 32, 32, 3, 1, 12, 12, 12",
        "16, 32, 9, 29, 3, 1, 6, 6, 6",
        "48, 48, 14, 14, 3, 1, 2, 2, 2",
        "31, 33, 7, 7, 5, 1, 1, 2, 2",
        "16, 64, 30, 30, 3, 2, 3, 5, 2",
        "16, 17, 8, 21, 4, 2, 5, 9, 11",
        "16, 32, 6, 15, 3, 1, 20, 20, 20",
        "16, 32, 11, 5, 3, 3, 2, 4, 3"
    })
    void givesTheSame(
            int in, int out, int rows, int columns, int kernel, int stride, int dilation, int begin, int end) {
        try (ConformanceEngine engine = ConformanceEngine.device(ClBinding.LWJGL)) {
            assumeTrue(engine.isProcessor());
            Random random = new Random(in + 31L * dilation);
            Tensor weights = Tensor.allocate(DType.FLOAT32, out, in, kernel, kernel);
            for (long i = 0; i < weights.elements(); i++) {
                weights.setDouble(i, random.nextGaussian());
            }
            Tensor x = framed((in + LANES - 1) / LANES, rows, columns, begin, end, random);
            Map<String, Attribute> plain = Map.of(
                    "strides", Attribute.ofInts(stride, stride), "dilations", Attribute.ofInts(dilation, dilation));
            Map<String, Attribute> margined = new HashMap<>(plain);
            margined.put("zeros", Attribute.ofInts(begin, begin, end, end));
            Map<String, float[]> expected = results(engine, x, weights, plain);
            Map<String, float[]> actual = results(engine, x, weights, margined);
            assertThat(actual).containsKeys("tile", "ref");
            float[] reference = Objects.requireNonNull(expected.get("ref"));
            actual.forEach((variant, values) -> {
                assertThat(values).isEqualTo(expected.get(variant));
                for (int i = 0; i < values.length; i++) {
                    assertThat((double) values[i]).isCloseTo(reference[i], within(1e-3));
                }
            });
        }
    }

    /** Random numbers in a margin of zeros, which is as wide on the left as at the top, on the right as at the bottom. */
    private static Tensor framed(int blocks, int rows, int columns, int begin, int end, Random random) {
        Tensor x = Tensor.allocate(DType.FLOAT32, 1, blocks, begin + rows + end, begin + columns + end, LANES);
        for (int block = 0; block < blocks; block++) {
            for (int row = 0; row < rows; row++) {
                long line = (block * (begin + rows + end) + begin + row) * (long) (begin + columns + end) + begin;
                for (int i = 0; i < columns * LANES; i++) {
                    x.setDouble(line * LANES + i, random.nextGaussian());
                }
            }
        }
        return x;
    }

    private static Map<String, float[]> results(
            ConformanceEngine engine, Tensor x, Tensor weights, Map<String, Attribute> params) {
        Graph graph = new GraphBuilder("margins", new SourceRef("test", "BlockedConv"))
                .input("x", x.type())
                .constant("weights", weights)
                .node("BlockedConv", List.of("x", "weights"), List.of("y"), params)
                .output("y")
                .build();
        Map<String, float[]> results = new HashMap<>();
        engine.runVariants(
                "BlockedConv",
                graph,
                Map.of("x", x),
                (variant, outputs) -> results.put(
                        variant, Objects.requireNonNull(outputs.get("y")).toFloatArray()));
        return results;
    }
}
