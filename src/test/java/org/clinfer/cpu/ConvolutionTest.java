package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Convolutions and transposed convolutions of one to three dimensions against their definition. */
class ConvolutionTest {

    private static final DType[] TYPES = {DType.FLOAT32, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64};

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
            names = {"FLOAT32", "FLOAT64"})
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
                expected.setDouble(j, y[j]);
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
    void refusesIntegers() {
        CpuOperator operator = CpuOperators.builtIn().find("Conv2d").orElseThrow();
        List<TensorType> types = List.of(OperatorRun.type(DType.INT32, 1, 1, 1, 1));
        assertThat(operator.refusal(types, types))
                .contains("the CPU implementation of Conv2d takes float16, bfloat16, float32, float64, not int32");
    }
}
