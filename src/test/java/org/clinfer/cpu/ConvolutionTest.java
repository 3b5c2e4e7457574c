package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
            check(c, c.spatial() == 2 ? "Conv2d" : "Convolution", dtype, random);
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
                "Conv2d",
                DType.FLOAT32,
                random);
        check(
                new ConvolutionCase(
                        2, 1, 130, 1050, 1, new int[] {1, 5, 7}, one, one, one, new int[3], new int[] {1, 5, 7}),
                "Conv2d",
                DType.FLOAT32,
                random);
        check(
                new ConvolutionCase(
                        2, 3, 13, 70, 1, new int[] {1, 7, 11}, new int[] {1, 7, 11}, one, one, new int[3], one),
                "Conv2d",
                DType.FLOAT32,
                random);
    }

    private static void check(ConvolutionCase c, String optype, DType dtype, Random random) {
        Tensor x = random(random, dtype, c.shape(c.batch(), c.in(), c.size()));
        boolean transposed = optype.endsWith("Transpose");
        int[] weights = transposed
                ? c.shape(c.in(), c.out() / c.groups(), c.kernel())
                : c.shape(c.out(), c.in() / c.groups(), c.kernel());
        Tensor w = random(random, dtype, weights);
        Tensor bias = random.nextBoolean() ? OperatorRun.random(random, dtype, c.out()) : null;
        double[] added = bias == null ? new double[0] : OperatorRun.values(bias);
        double[] expected = c.expected(OperatorRun.values(x), OperatorRun.values(w), added, transposed);
        MapParameters parameters = c.parameters();
        if (optype.equals("Convolution")) {
            parameters.with("data_format", "NCX").with("weights_format", "OIX");
        }
        new OperatorRun(
                        optype,
                        parameters,
                        Arrays.asList(x, w, bias),
                        OperatorRun.type(dtype, c.shape(c.batch(), c.out(), c.result())))
                .expect(expected, optype + " " + dtype + " " + c);
    }

    @Test
    void transposedAgreesWithTheDefinition() {
        Random random = new Random(13);
        for (int i = 0; i < 150; i++) {
            ConvolutionCase c = ConvolutionCase.transposed(random);
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            check(c, c.spatial() == 2 ? "Conv2dTranspose" : "ConvTranspose", dtype, random);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT64", "INT16"})
    void takesChannelsLast(DType dtype) {
        Random random = new Random(14);
        for (int i = 0; i < 40; i++) {
            ConvolutionCase c = ConvolutionCase.forward(random);
            boolean dataLast = random.nextBoolean();
            boolean weightsLast = random.nextBoolean() || !dataLast;
            Tensor x = random(random, dtype, c.shape(c.batch(), c.in(), c.size()));
            Tensor w = random(random, dtype, c.shape(c.out(), c.in() / c.groups(), c.kernel()));
            double[] y = c.expected(OperatorRun.values(x), OperatorRun.values(w), new double[0], false);
            int taps = Window.product(c.kernel());
            Tensor wGiven = weightsLast ? weightsLast(w, c.out(), c.in() / c.groups(), taps) : w;
            Tensor xGiven = dataLast ? channelsLast(x, c.batch(), c.in()) : x;
            Tensor expected = Tensor.allocate(OperatorRun.type(dtype, c.shape(c.batch(), c.out(), c.result())));
            for (int j = 0; j < y.length; j++) {
                expected.setDouble(j, OperatorRun.stored(dtype, y[j]));
            }
            MapParameters parameters = c.parameters()
                    .with("data_format", dataLast ? "NXC" : "NCX")
                    .with("weights_format", weightsLast ? "XIO" : "OIX");
            Tensor wanted = dataLast ? channelsLast(expected, c.batch(), c.out()) : expected;
            new OperatorRun("Convolution", parameters, Arrays.asList(xGiven, wGiven, null), expected.type())
                    .expect(OperatorRun.values(wanted), "channels last " + c);
        }
    }

    /** The elements in the order [batch, positions, channels]; the shape is of no interest here. */
    private static Tensor channelsLast(Tensor tensor, int batch, int channels) {
        Tensor moved = Tensor.allocate(tensor.type());
        int positions = Math.toIntExact(tensor.elements()) / batch / channels;
        for (int i = 0; i < tensor.elements(); i++) {
            int image = i / positions / channels;
            int channel = i / positions % channels;
            moved.setDouble((image * positions + i % positions) * channels + channel, tensor.getDouble(i));
        }
        return moved;
    }

    private static Tensor weightsLast(Tensor tensor, int out, int in, int taps) {
        Tensor moved = Tensor.allocate(tensor.type());
        for (int i = 0; i < tensor.elements(); i++) {
            moved.setDouble((i % taps * in + i / taps % in) * out + i / taps / in, tensor.getDouble(i));
        }
        return moved;
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
            new OperatorRun(
                            "DepthwiseConv2d",
                            c.parameters().with("channel_multiplier", multiplier),
                            Arrays.asList(x, w, bias),
                            OperatorRun.type(dtype, c.shape(c.batch(), c.out(), c.result())))
                    .expect(expected, dtype + " multiplier " + multiplier + " " + c);
        }
    }

    @Test
    void strideFarBeyondTheInput() {
        int[] far = {1, 1 << 29, 1 << 29};
        int[] one = {1, 1, 1};
        ConvolutionCase c =
                new ConvolutionCase(2, 1, 3, 3, 3, new int[] {1, 5, 4}, new int[] {1, 2, 2}, far, one, new int[3], one);
        check(c, "Conv2d", DType.FLOAT32, new Random(16));
        check(c, "Conv2d", DType.INT8, new Random(16));
    }

    @Test
    void largeIntegersAreExact() {
        long large = (1L << 53) + 1;
        int[] one = {1, 1, 1};
        ConvolutionCase c = new ConvolutionCase(2, 1, 1, 1, 1, one, one, one, one, new int[3], one);
        Tensor x = Tensor.of(new long[] {large}, 1, 1, 1, 1);
        Tensor w = Tensor.of(new long[] {3}, 1, 1, 1, 1);
        OperatorRun run = new OperatorRun(
                "Conv2d", c.parameters(), Arrays.asList(x, w, null), OperatorRun.type(DType.INT64, 1, 1, 1, 1));
        assertThat(run.compute(1).toLongArray()).containsExactly(3 * large);
    }
}
