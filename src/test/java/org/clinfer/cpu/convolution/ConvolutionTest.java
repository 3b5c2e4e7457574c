package org.clinfer.cpu.convolution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.clinfer.cpu.Described;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.cpu.TestRuns;
import org.clinfer.cpu.window.Window;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.run.BindingParameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Convolutions and transposed convolutions of one to three dimensions against their definition. */
class ConvolutionTest {

    private static final DType[] TYPES = {
        DType.FLOAT32,
        DType.FLOAT32,
        DType.FLOAT16,
        DType.BFLOAT16,
        DType.FLOAT64,
        DType.INT8,
        DType.INT16,
        DType.INT32,
        DType.INT64
    };

    private static Tensor random(Random random, DType dtype, int[] shape) {
        return OperatorRun.random(
                random, dtype, Arrays.stream(shape).asLongStream().toArray());
    }

    @Test
    void agreesWithTheDefinition() {
        Random random = new Random(11);
        for (int i = 0; i < 150; i++) {
            ConvolutionCase c = ConvolutionCase.forward(random);
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            check(c, false, dtype, random);
        }
    }

    @Test
    void agreesWithTheDefinitionWhereSeveralBlocksAreNeeded() {
        Random random = new Random(12);
        int[] one = {1, 1, 1};
        check(
                new ConvolutionCase(
                        2,
                        2,
                        67,
                        37,
                        1,
                        new int[] {1, 29, 31},
                        new int[] {1, 3, 3},
                        one,
                        one,
                        new int[] {0, 1, 1},
                        new int[] {1, 29, 31}),
                false,
                DType.FLOAT32,
                random);
        check(
                new ConvolutionCase(
                        2, 1, 130, 1050, 1, new int[] {1, 5, 7}, one, one, one, new int[3], new int[] {1, 5, 7}),
                false,
                DType.FLOAT32,
                random);
        check(
                new ConvolutionCase(
                        2, 3, 13, 70, 1, new int[] {1, 7, 11}, new int[] {1, 7, 11}, one, one, new int[3], one),
                false,
                DType.FLOAT32,
                random);
    }

    /** Sizes beyond one tile of rows and columns, one block of terms and one unit, each with a tail. */
    @Test
    void agreesWithTheDefinitionWhereTilesHaveTails() {
        Random random = new Random(17);
        for (int i = 0; i < 24; i++) {
            int groups = OperatorRun.pick(random, 1, 1, 1, 2);
            int in = groups * OperatorRun.pick(random, 3, 31, 64);
            int out = groups * OperatorRun.pick(random, 1, 5, 8, 9, 23, 70);
            int side = OperatorRun.pick(random, 1, 7, 14, 29, 45);
            int kernel = OperatorRun.pick(random, 1, 1, 3, 3, 5);
            int stride = OperatorRun.pick(random, 1, 1, 2, 3);
            int dilation = OperatorRun.pick(random, 1, 1, 2);
            int pad = kernel == 1 ? 0 : dilation * (kernel / 2);
            int[] size = {1, side, side + random.nextInt(3)};
            int[] result = {1, 1, 1};
            for (int axis = 1; axis < 3; axis++) {
                result[axis] = (size[axis] + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
            }
            int[] strides = {1, stride, stride};
            int[] taps = {1, kernel, kernel};
            int[] dilations = {1, dilation, dilation};
            int[] pads = {0, pad, pad};
            int batch = OperatorRun.pick(random, 1, 1, 2);
            ConvolutionCase c =
                    new ConvolutionCase(2, batch, in, out, groups, size, taps, strides, dilations, pads, result);
            check(c, false, OperatorRun.pick(random, 0, 0, 0, 1) == 0 ? DType.FLOAT32 : DType.FLOAT16, random);
        }
    }

    /** Windows of a signal far longer than their stride, as of spectrograms, and few of them. */
    @Test
    void longWindowsOfASignalAgreeWithTheDefinition() {
        Random random = new Random(20);
        int[] one = {1, 1, 1};
        for (int i = 0; i < 30; i++) {
            int kernel = OperatorRun.pick(random, 31, 64, 257, 400);
            int stride = OperatorRun.pick(random, 1, 10, 64, 160);
            int positions = OperatorRun.pick(random, 1, 3, 4, 5, 17, 33, 65);
            int pad = random.nextInt(3) == 0 ? kernel / 2 : 0;
            int size = (positions - 1) * stride + kernel + random.nextInt(stride) - 2 * pad;
            ConvolutionCase c = new ConvolutionCase(
                    1,
                    OperatorRun.pick(random, 1, 1, 2),
                    OperatorRun.pick(random, 1, 1, 2),
                    OperatorRun.pick(random, 1, 8, 21, 257),
                    1,
                    new int[] {1, 1, Math.max(1, size)},
                    new int[] {1, 1, kernel},
                    new int[] {1, 1, stride},
                    one,
                    new int[] {0, 0, pad},
                    new int[] {1, 1, Math.max(1, size + 2 * pad - kernel) / stride + 1});
            check(c, false, DType.FLOAT32, random);
        }
    }

    /** Lines and planes of all sizes, in one piece and in bands, with and without lines above and below; some infinities. */
    @Test
    void depthwiseThreesAgreeWithTheDefinition() {
        Random random = new Random(19);
        for (int i = 0; i < 120; i++) {
            int stride = 1 + i % 2;
            int height = i % 10 < 2 ? 60 + random.nextInt(40) : 1 + random.nextInt(20);
            int width = i % 10 < 2 ? 90 + random.nextInt(60) : 1 + random.nextInt(40);
            int top = random.nextInt(3);
            int left = random.nextInt(2);
            int down = (height + top + random.nextInt(3) - 3) / stride + 1;
            int along = (width + left - 2) / stride + 1;
            if (height + top < 3 || width + left < 2) {
                continue;
            }
            ConvolutionCase c = new ConvolutionCase(
                    2,
                    OperatorRun.pick(random, 1, 2),
                    5,
                    5,
                    5,
                    new int[] {1, height, width},
                    new int[] {1, 3, 3},
                    new int[] {1, stride, stride},
                    new int[] {1, 1, 1},
                    new int[] {0, top, left},
                    new int[] {1, down, along});
            boolean isBounded = random.nextBoolean();
            Tensor x = random(random, DType.FLOAT32, c.shape(c.batch(), c.in(), c.size()));
            Tensor w = random(random, DType.FLOAT32, c.shape(c.out(), 1, c.kernel()));
            Tensor bias = OperatorRun.random(random, DType.FLOAT32, c.out());
            if (!isBounded) {
                x.setDouble(random.nextInt((int) x.elements()), Double.POSITIVE_INFINITY);
            }
            double[] y = c.expected(OperatorRun.values(x), OperatorRun.values(w), OperatorRun.values(bias), false);
            Map<String, ExpressionValue> parameters = c.parameters(false);
            if (isBounded) {
                parameters.put("activation", ExpressionValue.of("RELU6"));
                Arrays.setAll(y, at -> Math.max(0, Math.min(6, y[at])));
            }
            run("FusedConv", parameters, y, "bounded " + isBounded + " " + c, x, w, bias);
        }
    }

    /** Transposed likewise: each residue of the outputs by the stride is a product of its own. */
    @Test
    void transposedAgreesWithTheDefinitionWhereTilesHaveTails() {
        Random random = new Random(18);
        for (int i = 0; i < 16; i++) {
            int side = OperatorRun.pick(random, 3, 9, 17);
            int stride = OperatorRun.pick(random, 1, 2, 3);
            int kernel = OperatorRun.pick(random, 2, 3, 4);
            int pad = random.nextInt(2);
            int out = (side - 1) * stride + kernel - 2 * pad;
            int in = OperatorRun.pick(random, 3, 31, 64);
            int channels = OperatorRun.pick(random, 1, 9, 21);
            ConvolutionCase c = new ConvolutionCase(
                    2,
                    OperatorRun.pick(random, 1, 2),
                    in,
                    channels,
                    1,
                    new int[] {1, side, side},
                    new int[] {1, kernel, kernel},
                    new int[] {1, stride, stride},
                    new int[] {1, 1, 1},
                    new int[] {0, pad, pad},
                    new int[] {1, out, out});
            check(c, true, DType.FLOAT32, random);
        }
    }

    private static void check(ConvolutionCase c, boolean transposed, DType dtype, Random random) {
        Tensor x = random(random, dtype, c.shape(c.batch(), c.in(), c.size()));
        int[] weights = transposed
                ? c.shape(c.in(), c.out() / c.groups(), c.kernel())
                : c.shape(c.out(), c.in() / c.groups(), c.kernel());
        Tensor w = random(random, dtype, weights);
        Tensor bias = random.nextBoolean() ? OperatorRun.random(random, dtype, c.out()) : null;
        double[] added = bias == null ? new double[0] : OperatorRun.values(bias);
        double[] y = c.expected(OperatorRun.values(x), OperatorRun.values(w), added, transposed);
        boolean dataLast = random.nextBoolean();
        boolean weightsLast = random.nextBoolean();
        Map<String, ExpressionValue> parameters = c.parameters(transposed);
        parameters.put("data_format", ExpressionValue.of(dataLast ? "NXC" : "NCX"));
        if (weightsLast) {
            parameters.put("weights_format", ExpressionValue.of(transposed ? "XOI" : "XIO"));
        }
        Tensor expected = Tensor.allocate(DType.FLOAT64, longs(c.shape(c.batch(), c.out(), c.result())));
        for (int i = 0; i < y.length; i++) {
            expected.setDouble(i, y[i]);
        }
        run(
                transposed ? "FusedConvTranspose" : "FusedConv",
                parameters,
                OperatorRun.values(dataLast ? channelsLast(expected) : expected),
                dtype + " " + parameters + " " + c,
                dataLast ? channelsLast(x) : x,
                weightsLast ? reversed(w) : w,
                bias);
    }

    private static void run(
            String optype,
            Map<String, ExpressionValue> parameters,
            double[] expected,
            String label,
            @Nullable Tensor... inputs) {
        Binding binding = Described.bind(optype, parameters, inputs);
        assertThat(binding.violations()).as(label).isEmpty();
        new OperatorRun(
                        optype,
                        new BindingParameters(binding),
                        Arrays.asList(inputs),
                        binding.outputs().get(0))
                .expect(expected, label);
    }

    private static long[] longs(int[] sizes) {
        return Arrays.stream(sizes).asLongStream().toArray();
    }

    /** [first, second, rest...] as [first, rest..., second]. */
    private static Tensor channelsLast(Tensor tensor) {
        return moved(tensor, 0, tensor.shape().rank() - 1, 1);
    }

    /** [first, second, rest...] as [rest..., second, first]. */
    private static Tensor reversed(Tensor tensor) {
        return moved(tensor, tensor.shape().rank() - 1, tensor.shape().rank() - 2, -1);
    }

    /** Puts the first axis at {@code first}, the second at {@code second}, and the others between or before them. */
    private static Tensor moved(Tensor tensor, int first, int second, int shift) {
        int rank = tensor.shape().rank();
        int[] places = new int[rank];
        places[0] = first;
        places[1] = second;
        for (int axis = 2; axis < rank; axis++) {
            places[axis] = shift < 0 ? axis - 2 : axis - 1;
        }
        long[] sizes = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            sizes[places[axis]] = tensor.shape().size(axis);
        }
        Tensor moved = Tensor.allocate(tensor.dtype(), sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            long[] at = TestRuns.place(tensor.shape(), i);
            long[] to = new long[rank];
            for (int axis = 0; axis < rank; axis++) {
                to[places[axis]] = at[axis];
            }
            moved.setDouble(TestRuns.index(moved.shape(), to), tensor.getDouble(i));
        }
        return moved;
    }

    @Test
    void transposedAgreesWithTheDefinition() {
        Random random = new Random(13);
        for (int i = 0; i < 150; i++) {
            ConvolutionCase c = ConvolutionCase.transposed(random);
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            check(c, true, dtype, random);
        }
    }

    @Test
    void depthwiseWithAMultiplierAgreesWithTheDefinition() {
        Random random = new Random(15);
        for (int i = 0; i < 60; i++) {
            ConvolutionCase drawn = ConvolutionCase.forward(random);
            int multiplier = OperatorRun.pick(random, 1, 2, 3, 6);
            int in = drawn.in();
            ConvolutionCase c = new ConvolutionCase(
                    drawn.spatial(),
                    drawn.batch(),
                    in,
                    in * multiplier,
                    in,
                    drawn.size(),
                    drawn.kernel(),
                    drawn.stride(),
                    drawn.dilation(),
                    drawn.pad(),
                    drawn.result());
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            Tensor x = random(random, dtype, c.shape(c.batch(), in, c.size()));
            boolean dataLast = random.nextBoolean();
            Tensor w = random(random, dtype, c.shape(multiplier, in, c.kernel()));
            Tensor bias = OperatorRun.random(random, dtype, c.out());
            int taps = Window.product(c.kernel());
            double[] byOutput = new double[in * multiplier * taps];
            for (int channel = 0; channel < in; channel++) {
                for (int q = 0; q < multiplier; q++) {
                    for (int tap = 0; tap < taps; tap++) {
                        byOutput[(channel * multiplier + q) * taps + tap] =
                                w.getDouble((q * in + channel) * taps + tap);
                    }
                }
            }
            double[] expected = c.expected(OperatorRun.values(x), byOutput, OperatorRun.values(bias), false);
            Map<String, ExpressionValue> parameters = c.parameters(false);
            parameters.put("weights_format", ExpressionValue.of("MIX"));
            parameters.put("data_format", ExpressionValue.of(dataLast ? "NXC" : "NCX"));
            Tensor y = Tensor.allocate(DType.FLOAT64, longs(c.shape(c.batch(), c.out(), c.result())));
            for (int j = 0; j < expected.length; j++) {
                y.setDouble(j, expected[j]);
            }
            run(
                    "FusedConv",
                    parameters,
                    OperatorRun.values(dataLast ? channelsLast(y) : y),
                    dtype + " multiplier " + multiplier + " " + c,
                    dataLast ? channelsLast(x) : x,
                    w,
                    bias);
        }
    }

    @Test
    void strideFarBeyondTheInput() {
        int[] far = {1, 1 << 29, 1 << 29};
        int[] one = {1, 1, 1};
        ConvolutionCase c =
                new ConvolutionCase(2, 1, 3, 3, 3, new int[] {1, 5, 4}, new int[] {1, 2, 2}, far, one, new int[3], one);
        checkEachLayout(c, false);
    }

    @Test
    void dilationAndPaddingFarBeyondTheInput() {
        int far = 1 << 29;
        int[] dilation = {1, far, far};
        int[] size = {1, 5, 4};
        int[] kernel = {1, 2, 2};
        int[] one = {1, 1, 1};
        for (int groups = 1; groups <= 3; groups += 2) {
            checkEachLayout(
                    new ConvolutionCase(2, 1, 3, 6, groups, size, kernel, one, dilation, new int[] {0, far, far}, size),
                    false);
        }
    }

    @Test
    void transposedStrideFarBeyondTheOutput() {
        int far = 1 << 27;
        int[] stride = {1, far, far};
        int[] out = {1, 5, 4};
        for (int pad : new int[] {0, far - 1, 3 * far + 1}) {
            checkEachLayout(
                    new ConvolutionCase(
                            2,
                            1,
                            3,
                            4,
                            1,
                            out,
                            new int[] {1, 2, 2},
                            stride,
                            new int[] {1, 1, 1},
                            new int[] {0, pad, pad},
                            out),
                    true);
        }
    }

    /** A sum of nothing is 0, and what follows sums comes nevertheless. */
    @Test
    void withoutInputChannelsOutputsAreTheBias() {
        int[] size = {1, 5, 4};
        int[] kernel = {1, 3, 3};
        int[] one = {1, 1, 1};
        int[] pad = {0, 1, 1};
        for (int out : new int[] {1, 3, 16}) {
            ConvolutionCase c = new ConvolutionCase(2, 2, 0, out, 1, size, kernel, one, one, pad, size);
            checkEachLayout(c, false);
            checkEachLayout(c, true);
        }
    }

    private static void checkEachLayout(ConvolutionCase c, boolean transposed) {
        Random random = new Random(16);
        for (int i = 0; i < 8; i++) {
            check(c, transposed, DType.FLOAT32, random);
            check(c, transposed, DType.INT8, random);
        }
    }

    @Test
    void largeIntegersAreExact() {
        long large = (1L << 53) + 1;
        int[] one = {1, 1, 1};
        ConvolutionCase c = new ConvolutionCase(2, 1, 1, 1, 1, one, one, one, one, new int[3], one);
        Tensor x = Tensor.of(new long[] {large}, 1, 1, 1, 1);
        Tensor w = Tensor.of(new long[] {3}, 1, 1, 1, 1);
        Tensor y = Described.run("FusedConv", c.parameters(false), x, w);
        assertThat(y.toLongArray()).containsExactly(3 * large);
    }
}
