package org.clinfer.benchdnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.ConformanceEngine;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How exact transformed convolutions of blocked channels are, and that they are not used where exact sums are asked for. */
class BlockedWinogradTest {

    private static final int LANES = 16;
    private static final int TAPS = 3;
    private static final int SMALLEST = 7;

    /** Images, channels of input and output, rows and columns of the output; F(4x4) takes those that are large. */
    private record Size(int batch, int in, int out, int rows, int columns) {

        int inBlocks() {
            return (in + LANES - 1) / LANES;
        }
    }

    private static final String SIZES = """
            1,  16,  16, 56, 56, true
            1,  64,  64, 28, 28, true
            1, 128,  48, 14, 14, false
            1, 256,  32,  7,  7, false
            3,  31,  33,  9, 23, true
            1, 512,  17, 13, 12, false
            1, 512,  17, 16, 12, true""";

    @RequiresOpenCl
    @ParameterizedTest
    @CsvSource(textBlock = SIZES)
    void isAsExactAsSaid(int batch, int in, int out, int rows, int columns, boolean isLarge) {
        try (ConformanceEngine engine = ConformanceEngine.device(ClBinding.LWJGL)) {
            assumeTrue(engine.isProcessor());
            Set<String> variants = variants(engine, new Size(batch, in, out, rows, columns));
            // 16 tiles of two pixels leave tiles for registers of 8 floats partly empty
            boolean fillsRegisters = engine.registerLanes() == LANES || rows > SMALLEST;
            assertThat(variants).contains("tile");
            assertThat(variants.contains("winograd2")).isEqualTo(fillsRegisters);
            assertThat(variants.contains("winograd4")).isEqualTo(isLarge);
        }
    }

    @RequiresOpenCl
    @ParameterizedTest
    @CsvSource(textBlock = SIZES)
    void isNotUsedWhereExactSumsAreAskedFor(int batch, int in, int out, int rows, int columns) {
        try (ConformanceEngine engine = ConformanceEngine.exactDevice(ClBinding.LWJGL)) {
            assumeTrue(engine.isProcessor());
            assertThat(variants(engine, new Size(batch, in, out, rows, columns)))
                    .contains("tile")
                    .doesNotContain("winograd2", "winograd4");
        }
    }

    /** The variants that take a convolution of this size, each of which has been held against its bound. */
    private static Set<String> variants(ConformanceEngine engine, Size size) {
        Random random = new Random(size.hashCode());
        double deviation = 1 / Math.sqrt(TAPS * TAPS * size.in);
        Tensor weights = Tensor.allocate(DType.FLOAT32, size.out, size.in, TAPS, TAPS);
        for (long i = 0; i < weights.elements(); i++) {
            weights.setDouble(i, deviation * random.nextGaussian());
        }
        Tensor x = Tensor.allocate(
                DType.FLOAT32, size.batch, size.inBlocks(), size.rows + TAPS - 1, size.columns + TAPS - 1, LANES);
        for (long i = 0; i < x.elements(); i++) {
            x.setDouble(i, random.nextGaussian());
        }
        Graph graph = new GraphBuilder("winograd", new SourceRef("test", "BlockedConv"))
                .input("x", x.type())
                .constant("weights", weights)
                .node("BlockedConv", List.of("x", "weights"), List.of("y"), Map.of())
                .output("y")
                .build();
        Sums sums = Sums.of(size, x.toFloatArray(), weights.toFloatArray());
        Set<String> tried = new TreeSet<>();
        engine.runVariants("BlockedConv", graph, Map.of("x", x), (variant, outputs) -> {
            tried.add(variant);
            sums.verify(size, Objects.requireNonNull(outputs.get("y")).toFloatArray(), variant);
        });
        return tried;
    }

    /** Exact results by image, output channel, row and column, and the sums of the absolute values of their terms. */
    private static final class Sums {

        private final double[] results;
        private final double[] magnitudes;
        private double largest;

        private Sums(int outputs) {
            results = new double[outputs];
            magnitudes = new double[outputs];
        }

        static Sums of(Size size, float[] x, float[] weights) {
            int pixels = size.rows * size.columns;
            Sums sums = new Sums(size.batch * size.out * pixels);
            for (int i = 0; i < sums.results.length; i++) {
                int channel = i / pixels % size.out;
                int pixel = i % pixels;
                for (int term = 0; term < size.in * TAPS * TAPS; term++) {
                    double product = (double) weights[channel * size.in * TAPS * TAPS + term]
                            * x[at(size, i / pixels / size.out, term, pixel / size.columns, pixel % size.columns)];
                    sums.results[i] += product;
                    sums.magnitudes[i] += Math.abs(product);
                }
                sums.largest = Math.max(sums.largest, sums.magnitudes[i]);
            }
            return sums;
        }

        /** Where a term of an output is in x. */
        private static int at(Size size, int image, int term, int row, int column) {
            int channel = term / (TAPS * TAPS);
            int tap = term % (TAPS * TAPS);
            int line = (image * size.inBlocks() + channel / LANES) * (size.rows + TAPS - 1) + row + tap / TAPS;
            return (line * (size.columns + TAPS - 1) + column + tap % TAPS) * LANES + channel % LANES;
        }

        void verify(Size size, float[] y, String variant) {
            Rounding rounding = Rounding.of(DType.FLOAT32).by(variant);
            int pixels = size.rows * size.columns;
            int outBlocks = (size.out + LANES - 1) / LANES;
            for (int i = 0; i < results.length; i++) {
                int channel = i / pixels % size.out;
                int block = i / pixels / size.out * outBlocks + channel / LANES;
                double actual = y[(block * pixels + i % pixels) * LANES + channel % LANES];
                double magnitude = rounding.ofTiles() ? largest : magnitudes[i];
                double error = Math.abs(actual - results[i]);
                double allowed = rounding.allowed(results[i], magnitude);
                if (!(error <= allowed)) {
                    fail(
                            "%s, %s: element %d is %s instead of %s, by %s more than %s",
                            variant, size, i, actual, results[i], error, allowed);
                }
            }
        }
    }
}
