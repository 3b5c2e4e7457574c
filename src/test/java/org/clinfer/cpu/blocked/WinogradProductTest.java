package org.clinfer.cpu.blocked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.cpu.Described;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.cpu.TestRuns;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.cpu.call.Kept;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.cpu.vector.WinogradTile;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.run.BindingParameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Transformed convolutions of blocked channels: against the definition, on different numbers of threads, and when they are. */
class WinogradProductTest {

    private static final int LANES = 16;
    private static final int[] CHANNELS = {1, 16, 17, 20, 24, 31, 33, 48, 70, 208};

    /** HARD_SWISH, the steepest of the activations. */
    private static final double STEEPEST = 1.5;

    /** Parameters and inputs of BlockedConv. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Use(
            Map<String, ExpressionValue> params, @Nullable Tensor[] inputs) {

        Binding binding() {
            Binding binding = Described.bind("BlockedConv", params, inputs);
            assertThat(binding.violations()).isEmpty();
            return binding;
        }

        /** @param packed where forms of the weights are kept, as those of a constant */
        CpuCall call(Tensor y, Parallel pool, PackedWeights packed) {
            CpuCall.Constants known = new CpuCall.Constants(packed, Arrays.asList(null, inputs[1]), Kept.ofNode());
            return new CpuCall(
                    new BindingParameters(binding()), Arrays.asList(inputs), List.of(y), pool, known, FloatArrays.NONE);
        }

        Tensor onThreads(int threads, WinogradTile tile) {
            return run(threads, (call, kernels) -> new WinogradProduct(call, kernels, tile));
        }

        Tensor run(int threads, Maker maker) {
            Tensor y = TestRuns.poisoned(binding().outputs().get(0), (byte) (0x50 + threads));
            PackedWeights packed = new PackedWeights(1L << 30, 0);
            try (Parallel pool = TestRuns.poisonedPool(threads)) {
                CpuCall call = call(y, pool, packed);
                CpuOperator operator = maker.of(call, kernels());
                operator.run(call);
                operator.run(call);
            }
            return y;
        }

        /** The sums of absolute terms. */
        Tensor magnitudes() {
            Map<String, ExpressionValue> bare = new HashMap<>();
            params.forEach((name, value) -> {
                if (name.equals("crop")) {
                    bare.put(name, value);
                }
            });
            Tensor[] both = {absolute(Objects.requireNonNull(inputs[0])), absolute(Objects.requireNonNull(inputs[1]))};
            return plain(new Use(bare, both));
        }
    }

    @FunctionalInterface
    private interface Maker {
        CpuOperator of(CpuCall call, BlockedKernels kernels);
    }

    private static BlockedKernels kernels() {
        VectorKernels kernels = CpuPath.current().kernels();
        assumeTrue(kernels != null);
        return Objects.requireNonNull(kernels).blocked();
    }

    private static Tensor absolute(Tensor tensor) {
        Tensor result = Tensor.allocate(tensor.type());
        for (long i = 0; i < tensor.elements(); i++) {
            double value = Math.abs(tensor.getDouble(i));
            result.setDouble(i, Double.isNaN(value) ? 0 : value);
        }
        return result;
    }

    private static Tensor plain(Use use) {
        return computed(CpuPath.plain("asked for"), use, PackedWeights.none());
    }

    private static Tensor computed(CpuPath path, Use use, PackedWeights packed) {
        Tensor y = TestRuns.poisoned(use.binding().outputs().get(0), (byte) 0x33);
        try (Parallel pool = TestRuns.poisonedPool(2)) {
            CpuOperators.builtIn(path).find("BlockedConv").orElseThrow().run(use.call(y, pool, packed));
        }
        return y;
    }

    @ParameterizedTest
    @EnumSource
    void agreesWithTheDefinition(WinogradTile tile) {
        Random random = new Random(51);
        for (int i = 0; i < 60; i++) {
            Use use = convolution(random, 1 + random.nextInt(i < 30 ? 9 : 40), 1 + random.nextInt(i < 30 ? 9 : 70));
            String label = tile + " " + use.params + " of " + use.inputs[0] + " and " + use.inputs[1];
            Tensor actual = use.onThreads(2, tile);
            verify(actual, plain(use), largest(use.magnitudes()) * units(tile) * 0x1p-24, label);
        }
    }

    /** Units of rounding, as parts of the largest sum of absolute terms. */
    private static double units(WinogradTile tile) {
        return tile == WinogradTile.FOUR ? 32 : 8;
    }

    private static double largest(Tensor tensor) {
        double largest = 0;
        for (long i = 0; i < tensor.elements(); i++) {
            largest = Math.max(largest, Math.abs(tensor.getDouble(i)));
        }
        return largest;
    }

    private static void verify(Tensor actual, Tensor expected, double allowed, String label) {
        for (long i = 0; i < expected.elements(); i++) {
            double wanted = expected.getDouble(i);
            double error = Math.abs(actual.getDouble(i) - wanted);
            if (!(error <= STEEPEST * allowed + 0x1p-21 * (1 + Math.abs(wanted)))) {
                fail("%s: element %d is %s instead of %s", label, i, actual.getDouble(i), wanted);
            }
        }
    }

    /** How work is divided must not show in a single bit. */
    @ParameterizedTest
    @EnumSource
    void resultsAreTheSameOnAnyNumberOfThreads(WinogradTile tile) {
        Random random = new Random(52);
        for (int i = 0; i < 12; i++) {
            Use use = convolution(random, 1 + random.nextInt(60), 1 + random.nextInt(60));
            Tensor alone = use.onThreads(1, tile);
            for (int threads : new int[] {2, 3, 7}) {
                assertThat(use.onThreads(threads, tile).bytes())
                        .as("%s %s on %d threads", tile, use.params, threads)
                        .isEqualTo(alone.bytes());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void lanesBeyondTheChannelsHaveNoEffect(WinogradTile tile) {
        double[] specials = {Double.POSITIVE_INFINITY, Double.NaN, Double.NEGATIVE_INFINITY};
        Random random = new Random(53);
        for (int channels : new int[] {1, 6, 16, 20, 24, 31}) {
            int blocks = (channels + LANES - 1) / LANES;
            int plane = 7 * 9 * LANES;
            Tensor special = TestRuns.random(random, DType.FLOAT32, 1, blocks, 7, 9, LANES);
            Tensor zero = TestRuns.random(random, DType.FLOAT32, 1, blocks, 7, 9, LANES);
            for (int i = 0; i < blocks * plane; i++) {
                boolean isBeyond = i / plane * LANES + i % LANES >= channels;
                zero.setDouble(i, isBeyond ? 0 : special.getDouble(i));
                special.setDouble(i, isBeyond ? specials[i % 3] : special.getDouble(i));
            }
            Tensor weights = weights(random, 21, channels);
            Tensor expected = new Use(Map.of(), new @Nullable Tensor[] {zero, weights}).onThreads(1, tile);

            assertThat(new Use(Map.of(), new @Nullable Tensor[] {special, weights})
                            .onThreads(1, tile)
                            .bytes())
                    .as("%d channels", channels)
                    .isEqualTo(expected.bytes());
        }
    }

    /** Blocks of input and output channels, rows and columns. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 64, 64, FOUR",
        "4, 4, 56, 56, FOUR",
        "8, 2, 28, 28, FOUR",
        "32, 32, 28, 28, FOUR",
        "16, 16, 14, 14, TWO",
        "32, 32, 14, 14, TWO",
        "8, 2, 7, 7,",
        "32, 32, 7, 7,",
        "4, 4, 1, 1,",
        "4, 4, 2, 90, TWO",
    })
    void tilesAreChosenByTheirCost(int in, int out, int rows, int columns, @Nullable WinogradTile tile) {
        assertThat(new WinogradWork(1, in, out, rows, columns).best(7)).isEqualTo(Optional.ofNullable(tile));
    }

    @Test
    void exactSumsAndWeightsThatAreNotKeptAreNotTransformed() {
        Random random = new Random(54);
        Tensor x = TestRuns.random(random, DType.FLOAT32, 1, 2, 30, 30, LANES);
        Use use = new Use(Map.of(), new @Nullable Tensor[] {x, weights(random, 32, 32)});
        PackedWeights room = new PackedWeights(1 << 20, 0);
        Tensor direct = use.run(1, BlockedProduct::new);

        assertThat(computed(CpuPath.current(), use, room).bytes())
                .isEqualTo(use.onThreads(1, WinogradTile.FOUR).bytes())
                .isNotEqualTo(direct.bytes());
        assertThat(computed(CpuPath.current().withExact(true), use, room).bytes())
                .isEqualTo(direct.bytes());
        assertThat(computed(CpuPath.current(), use, PackedWeights.none()).bytes())
                .isEqualTo(direct.bytes());
    }

    @ParameterizedTest
    @CsvSource({
        "32, 15, 3, 1, 1, 1",
        "15, 32, 3, 1, 1, 1",
        "32, 32, 3, 2, 1, 1",
        "32, 32, 3, 1, 2, 1",
        "32, 32, 5, 1, 1, 1",
        "64, 64, 3, 1, 1, 2",
    })
    void otherConvolutionsAreNotTransformed(int in, int out, int kernel, int stride, int dilation, int groups) {
        Random random = new Random(55);
        Map<String, ExpressionValue> params = Map.of(
                "strides", ExpressionValue.ints(new long[] {stride, stride}),
                "dilations", ExpressionValue.ints(new long[] {dilation, dilation}),
                "groups", ExpressionValue.of(groups));
        Tensor x = TestRuns.random(random, DType.FLOAT32, 1, (in + LANES - 1) / LANES, 40, 40, LANES);
        Tensor weights = TestRuns.random(random, DType.FLOAT32, out, in / groups, kernel, kernel);
        Use use = new Use(params, new @Nullable Tensor[] {x, weights});
        Tensor y = Tensor.allocate(use.binding().outputs().get(0));
        try (Parallel pool = Parallel.of(1)) {
            assertThat(WinogradProduct.of(use.call(y, pool, new PackedWeights(1 << 24, 0)), kernels()))
                    .isEmpty();
        }
    }

    /** With rows and columns of x that are left out, and hold what must not be met. */
    private static Use convolution(Random random, int rows, int columns) {
        int in = OperatorRun.pick(random, CHANNELS);
        int out = OperatorRun.pick(random, CHANNELS);
        int batch = OperatorRun.pick(random, 1, 1, 3);
        int[] crop = {random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3)};
        Map<String, ExpressionValue> params = new HashMap<>();
        params.put(
                "crop", ExpressionValue.ints(Arrays.stream(crop).asLongStream().toArray()));
        params.put("y_halo", margin(random));
        params.put(
                "activation",
                ExpressionValue.of(List.of("NONE", "RELU", "RELU6", "SIGMOID", "HARD_SWISH")
                        .get(random.nextInt(5))));
        int height = rows + 2 + crop[0] + crop[2];
        int width = columns + 2 + crop[1] + crop[3];
        Tensor x = TestRuns.random(random, DType.FLOAT32, batch, (in + LANES - 1) / LANES, height, width, LANES);
        for (long i = 0; i < x.elements(); i++) {
            long column = i / LANES % width;
            long row = i / LANES / width % height;
            boolean isLeftOut =
                    row < crop[0] || row >= height - crop[2] || column < crop[1] || column >= width - crop[3];
            x.setDouble(i, isLeftOut ? Double.NaN : x.getDouble(i));
        }
        Tensor bias = random.nextBoolean() ? TestRuns.random(random, DType.FLOAT32, out) : null;
        @Nullable Tensor[] inputs = {x, weights(random, out, in), bias, null};
        if (random.nextBoolean()) {
            params.put("residual_crop", ExpressionValue.ints(new long[] {1, 0, 0, 2}));
            params.put("residual_add", ExpressionValue.of(random.nextBoolean() ? "BEFORE" : "AFTER"));
            inputs[3] = TestRuns.random(
                    random, DType.FLOAT32, batch, (out + LANES - 1) / LANES, rows + 1, columns + 2, LANES);
        }
        return new Use(params, inputs);
    }

    /** Such that sums of any length are of the same size. */
    private static Tensor weights(Random random, int out, int in) {
        Tensor weights = TestRuns.random(random, DType.FLOAT32, out, in, 3, 3);
        double root = Math.sqrt(9.0 * in);
        for (int i = 0; i < weights.elements(); i++) {
            weights.setDouble(i, weights.getDouble(i) / root);
        }
        return weights;
    }

    private static ExpressionValue margin(Random random) {
        return random.nextBoolean()
                ? ExpressionValue.ints(new long[] {0, 0, 0, 0})
                : ExpressionValue.ints(
                        new long[] {random.nextInt(3), random.nextInt(3), random.nextInt(2), random.nextInt(3)});
    }
}
