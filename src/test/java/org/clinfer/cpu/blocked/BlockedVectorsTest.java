package org.clinfer.cpu.blocked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.cpu.Described;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.cpu.TestRuns;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.run.BindingParameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Blocked channels in vectors: against the definition in doubles, and on different numbers of threads. */
class BlockedVectorsTest {

    private static final int[] CHANNELS = {1, 6, 16, 17, 20, 24, 40, 48, 70};

    /** An operator with its parameters and inputs. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Use(
            String optype,
            Map<String, ExpressionValue> params,
            @Nullable Tensor[] inputs) {}

    @Test
    void convolutionsAgreeWithTheDefinition() {
        Random random = new Random(41);
        for (int i = 0; i < 60; i++) {
            Use use = convolution(random, 1 + random.nextInt(20), random.nextBoolean());
            assertThat(Described.run(use.optype, use.params, use.inputs).elements())
                    .isPositive();
        }
    }

    @Test
    void poolsAgreeWithTheDefinition() {
        Random random = new Random(42);
        for (int i = 0; i < 30; i++) {
            Use use = pool(random);
            assertThat(Described.run(use.optype, use.params, use.inputs).elements())
                    .isPositive();
        }
    }

    @Test
    void meansOfPlanesAgreeWithTheDefinition() {
        Random random = new Random(43);
        for (int i = 0; i < 40; i++) {
            int[] crop = new int[4];
            if (i % 2 == 0) {
                Arrays.setAll(crop, side -> random.nextInt(3));
            }
            int rows = 1 + random.nextInt(30);
            int columns = 1 + random.nextInt(40);
            int blocks = 1 + random.nextInt(3);
            int channels = 16 * blocks - random.nextInt(16);
            Tensor x = TestRuns.random(
                    random,
                    DType.FLOAT32,
                    1 + random.nextInt(2),
                    blocks,
                    rows + crop[0] + crop[2],
                    columns + crop[1] + crop[3],
                    16);
            Map<String, ExpressionValue> params = new HashMap<>();
            params.put("channels", ExpressionValue.of(channels));
            params.put(
                    "crop",
                    ExpressionValue.ints(Arrays.stream(crop).asLongStream().toArray()));
            Tensor y = onThreads(new Use("BlockedGlobalAveragePool", params, new @Nullable Tensor[] {x}), 2);
            for (int at = 0; at < y.elements(); at++) {
                int channel = at % channels;
                int plane = at / channels * blocks + channel / 16;
                double sum = 0;
                for (int row = 0; row < rows; row++) {
                    for (int column = 0; column < columns; column++) {
                        int line = plane * (rows + crop[0] + crop[2]) + crop[0] + row;
                        int pixel = line * (columns + crop[1] + crop[3]) + crop[1] + column;
                        sum += x.getDouble(16L * pixel + channel % 16);
                    }
                }
                assertThat(y.getDouble(at)).isCloseTo(sum / (rows * columns), within(1e-5));
            }
        }
    }

    @Test
    void changesOfLayoutMoveEveryElement() {
        Random random = new Random(45);
        for (int i = 0; i < 40; i++) {
            int channels = OperatorRun.pick(random, CHANNELS);
            int rows = 1 + random.nextInt(40);
            int columns = 1 + random.nextInt(40);
            Tensor x = TestRuns.random(random, DType.FLOAT32, 1 + random.nextInt(2), channels, rows, columns);
            long[] halo = {random.nextInt(3), random.nextInt(2), random.nextInt(3), random.nextInt(2)};
            ExpressionValue margin = ExpressionValue.ints(halo);
            Tensor blocks = Described.run("BlockChannels", Map.of("y_halo", margin), x);
            long[] sizes = blocks.shape().sizes();
            for (int at = 0; at < blocks.elements(); at++) {
                int[] place = place(sizes, at);
                int row = place[2] - (int) halo[0];
                int column = place[3] - (int) halo[1];
                int channel = place[1] * 16 + place[4];
                boolean isInside = row >= 0 && row < rows && column >= 0 && column < columns && channel < channels;
                double expected = isInside
                        ? x.getDouble(((long) (place[0] * channels + channel) * rows + row) * columns + column)
                        : 0;
                if (blocks.getDouble(at) != expected) {
                    assertThat(blocks.getDouble(at)).as("element %d", at).isEqualTo(expected);
                }
            }
            Map<String, ExpressionValue> crop = Map.of("crop", margin, "channels", ExpressionValue.of(channels));
            assertThat(Described.run("UnblockChannels", crop, blocks).bytes()).isEqualTo(x.bytes());
        }
    }

    private static int[] place(long[] sizes, int at) {
        int[] place = new int[sizes.length];
        int rest = at;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            place[axis] = (int) (rest % sizes[axis]);
            rest /= (int) sizes[axis];
        }
        return place;
    }

    /** How work is divided must not show in a single bit. */
    @Test
    void resultsAreTheSameOnAnyNumberOfThreads() {
        Random random = new Random(43);
        List<Use> uses = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            uses.add(convolution(random, 20 + random.nextInt(20), i % 3 == 0));
            uses.add(pool(random));
        }
        for (Use use : uses) {
            Tensor alone = onThreads(use, 1);
            for (int threads : new int[] {2, 3, 7}) {
                assertThat(onThreads(use, threads).bytes())
                        .as("%s %s on %d threads", use.optype, use.params, threads)
                        .isEqualTo(alone.bytes());
            }
        }
    }

    @Test
    void lanesBeyondTheChannelsHaveNoEffect() {
        double[] specials = {Double.POSITIVE_INFINITY, Double.NaN, Double.NEGATIVE_INFINITY};
        Random random = new Random(44);
        for (int channels : new int[] {1, 6, 16, 20, 24, 31}) {
            int blocks = (channels + 15) / 16;
            int plane = 7 * 9 * 16;
            Tensor special = TestRuns.random(random, DType.FLOAT32, 1, blocks, 7, 9, 16);
            Tensor zero = TestRuns.random(random, DType.FLOAT32, 1, blocks, 7, 9, 16);
            for (int i = 0; i < blocks * plane; i++) {
                boolean isBeyond = i / plane * 16 + i % 16 >= channels;
                zero.setDouble(i, isBeyond ? 0 : special.getDouble(i));
                special.setDouble(i, isBeyond ? specials[i % 3] : special.getDouble(i));
            }
            Tensor weights = weights(random, 21, channels, 3);
            assertThat(Described.run("BlockedConv", Map.of(), special, weights).bytes())
                    .as("%d channels", channels)
                    .isEqualTo(Described.run("BlockedConv", Map.of(), zero, weights)
                            .bytes());
        }
    }

    private static Tensor onThreads(Use use, int threads) {
        Binding binding = Described.bind(use.optype, use.params, use.inputs);
        assertThat(binding.violations()).isEmpty();
        Tensor y = TestRuns.poisoned(binding.outputs().get(0), (byte) (0x50 + threads));
        CpuOperator operator = CpuOperators.builtIn().find(use.optype).orElseThrow();
        try (Parallel pool = TestRuns.poisonedPool(threads)) {
            operator.run(new CpuCall(new BindingParameters(binding), Arrays.asList(use.inputs), List.of(y), pool));
        }
        return y;
    }

    private static Use convolution(Random random, int side, boolean isPlanar) {
        int kernel = OperatorRun.pick(random, 1, 1, 2, 3, 3, 5);
        int stride = OperatorRun.pick(random, 1, 1, 2, 3);
        int dilation = OperatorRun.pick(random, 1, 1, 2);
        int reach = dilation * (kernel - 1) + 1;
        int rows = Math.max(side, reach);
        int columns = rows + random.nextInt(5);
        int in = OperatorRun.pick(random, CHANNELS);
        int out = OperatorRun.pick(random, CHANNELS);
        int groups = isPlanar ? 1 : OperatorRun.pick(random, 1, 1, 2, in);
        if (groups == 2) {
            in = 32 * OperatorRun.pick(random, 1, 2);
            out = 32 * OperatorRun.pick(random, 1, 3);
        } else if (groups == in) {
            out = in;
        }
        int batch = OperatorRun.pick(random, 1, 1, 2);
        Map<String, ExpressionValue> params = new HashMap<>();
        params.put("strides", ExpressionValue.ints(new long[] {stride, stride}));
        params.put("dilations", ExpressionValue.ints(new long[] {dilation, dilation}));
        params.put("y_halo", margin(random));
        params.put(
                "activation",
                ExpressionValue.of(List.of("NONE", "RELU", "RELU6", "SIGMOID", "HARD_SWISH")
                        .get(random.nextInt(5))));
        Tensor x = isPlanar
                ? TestRuns.random(random, DType.FLOAT32, batch, in, rows, columns)
                : TestRuns.random(random, DType.FLOAT32, batch, (in + 15) / 16, rows, columns, 16);
        if (!isPlanar) {
            params.put("groups", ExpressionValue.of(groups));
        } else {
            long pad = random.nextInt(reach);
            params.put(
                    "pads", ExpressionValue.ints(new long[] {pad, random.nextInt(reach), random.nextInt(reach), pad}));
        }
        Tensor weights = weights(random, out, in / groups, kernel);
        Tensor bias = random.nextBoolean() ? TestRuns.random(random, DType.FLOAT32, out) : null;
        String optype = isPlanar ? "ConvToBlocks" : "BlockedConv";
        Use without = new Use(optype, params, new @Nullable Tensor[] {x, weights, bias});
        return random.nextBoolean() ? without : withResidual(random, without);
    }

    /** Such that sums of any length are of the same size. */
    private static Tensor weights(Random random, int out, int in, int kernel) {
        Tensor weights = TestRuns.random(random, DType.FLOAT32, out, in, kernel, kernel);
        double root = Math.sqrt(in * kernel * kernel);
        for (int i = 0; i < weights.elements(); i++) {
            weights.setDouble(i, weights.getDouble(i) / root);
        }
        return weights;
    }

    /** The same with a residual of the size of the result without margins. */
    private static Use withResidual(Random random, Use use) {
        Map<String, ExpressionValue> bare = new HashMap<>(use.params);
        bare.remove("y_halo");
        long[] sizes = Described.bind(use.optype, bare, use.inputs)
                .outputs()
                .get(0)
                .shape()
                .sizes();
        sizes[2] += 1;
        sizes[3] += 2;
        use.params.put("residual_crop", ExpressionValue.ints(new long[] {1, 0, 0, 2}));
        use.params.put("residual_add", ExpressionValue.of(random.nextBoolean() ? "BEFORE" : "AFTER"));
        @Nullable Tensor[] inputs = Arrays.copyOf(use.inputs, 4);
        inputs[3] = TestRuns.random(random, DType.FLOAT32, sizes);
        return new Use(use.optype, use.params, inputs);
    }

    private static Use pool(Random random) {
        int kernel = OperatorRun.pick(random, 1, 2, 3, 5);
        int stride = OperatorRun.pick(random, 1, 2, 3);
        int rows = kernel + random.nextInt(20);
        int columns = kernel + random.nextInt(20);
        int pad = random.nextInt(kernel);
        Map<String, ExpressionValue> params = new HashMap<>();
        params.put("kind", ExpressionValue.of(random.nextBoolean() ? "MAX" : "AVERAGE"));
        params.put("kernel", ExpressionValue.ints(new long[] {kernel, kernel}));
        params.put("strides", ExpressionValue.ints(new long[] {stride, stride}));
        params.put("pads", ExpressionValue.ints(new long[] {pad, pad, pad, pad}));
        params.put("pool_size", ExpressionValue.ints(new long[] {
            (rows + 2 * pad - kernel) / stride + 1, (columns + 2 * pad - kernel) / stride + 1
        }));
        params.put("count_include_pad", ExpressionValue.of(random.nextBoolean()));
        params.put("y_halo", margin(random));
        Tensor x =
                TestRuns.random(random, DType.FLOAT32, 1 + random.nextInt(2), 1 + random.nextInt(3), rows, columns, 16);
        return new Use("BlockedPool", params, new @Nullable Tensor[] {x});
    }

    private static ExpressionValue margin(Random random) {
        return random.nextBoolean()
                ? ExpressionValue.ints(new long[] {0, 0, 0, 0})
                : ExpressionValue.ints(
                        new long[] {random.nextInt(3), random.nextInt(3), random.nextInt(2), random.nextInt(3)});
    }
}
