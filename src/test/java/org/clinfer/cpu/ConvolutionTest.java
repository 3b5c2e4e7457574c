package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConvolutionTest {

    private static final DType[] TYPES = {DType.FLOAT32, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64};

    /** One random convolution. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Case(
            int spatial,
            int batch,
            int in,
            int out,
            int groups,
            int[] size,
            int[] kernel,
            int[] stride,
            int[] dilation,
            int[] pad,
            int[] result) {

        static Case forward(Random random) {
            int spatial = OperatorRun.pick(random, 1, 2, 2, 2, 3);
            int groups = OperatorRun.pick(random, 1, 1, 1, 2, 3, 4, 13);
            int in = groups * OperatorRun.pick(random, 1, 1, 2, 3, 6);
            int out = groups * OperatorRun.pick(random, 1, 1, 2, 3, 5);
            int[][] axes = new int[6][3];
            for (int axis = 0; axis < 3; axis++) {
                boolean used = axis >= 3 - spatial;
                boolean drawn = false;
                while (!drawn) {
                    int size = used ? 1 + random.nextInt(spatial == 3 ? 7 : 17) : 1;
                    int kernel = used ? OperatorRun.pick(random, 1, 1, 2, 3, 3, 5) : 1;
                    int stride = used ? OperatorRun.pick(random, 1, 1, 2, 3, 6) : 1;
                    int dilation = used ? OperatorRun.pick(random, 1, 1, 2, 3) : 1;
                    int begin = used ? random.nextInt(4) : 0;
                    int end = used ? random.nextInt(3) : 0;
                    int room = size + begin + end - dilation * (kernel - 1) - 1;
                    drawn = room >= 0;
                    int[] values = {size, kernel, stride, dilation, begin, Math.floorDiv(room, stride) + 1};
                    for (int i = 0; i < 6; i++) {
                        axes[i][axis] = values[i];
                    }
                }
            }
            int batch = 1 + random.nextInt(3);
            return new Case(spatial, batch, in, out, groups, axes[0], axes[1], axes[2], axes[3], axes[4], axes[5]);
        }

        static Case transposed(Random random) {
            Case forward = forward(random);
            int[] pad = new int[3];
            int[] result = new int[3];
            for (int axis = 0; axis < 3; axis++) {
                if (axis < 3 - forward.spatial) {
                    result[axis] = 1;
                    continue;
                }
                int full = (forward.size[axis] - 1) * forward.stride[axis]
                        + forward.dilation[axis] * (forward.kernel[axis] - 1)
                        + 1;
                pad[axis] = random.nextInt(4) - 1;
                result[axis] = Math.max(1, full - pad[axis] - random.nextInt(4) + 1);
            }
            return new Case(
                    forward.spatial,
                    forward.batch,
                    forward.in,
                    forward.out,
                    forward.groups,
                    forward.size,
                    forward.kernel,
                    forward.stride,
                    forward.dilation,
                    pad,
                    result);
        }

        MapParameters parameters() {
            return new MapParameters()
                    .with("batch", batch)
                    .with("in_channels", in)
                    .with("out_channels", out)
                    .with("groups", groups)
                    .with("in3", size)
                    .with("out3", result)
                    .with("kernel3", kernel)
                    .with("stride3", stride)
                    .with("dilation3", dilation)
                    .with("pad_begin3", pad);
        }

        @Override
        public String toString() {
            return "batch " + batch + " in " + in + " out " + out + " groups " + groups + " size "
                    + Arrays.toString(size) + " kernel " + Arrays.toString(kernel) + " stride "
                    + Arrays.toString(stride) + " dilation " + Arrays.toString(dilation) + " pad "
                    + Arrays.toString(pad) + " result " + Arrays.toString(result);
        }

        int[] shape(int first, int second, int[] spatialSizes) {
            int[] shape = new int[2 + spatial];
            shape[0] = first;
            shape[1] = second;
            System.arraycopy(spatialSizes, 3 - spatial, shape, 2, spatial);
            return shape;
        }

        /** The definition: every pair of input element and kernel element that meet at an output element. */
        double[] expected(double[] x, double[] w, double[] bias, boolean transposed) {
            int[] o = result;
            double[] y = new double[batch * out * o[0] * o[1] * o[2]];
            int inGroup = in / groups;
            int outGroup = out / groups;
            int taps = kernel[0] * kernel[1] * kernel[2];
            int places = size[0] * size[1] * size[2];
            for (int at = 0; at < y.length; at++) {
                int[] p = {at / o[2] / o[1] % o[0], at / o[2] % o[1], at % o[2]};
                int channel = at / o[2] / o[1] / o[0] % out;
                int image = at / o[2] / o[1] / o[0] / out;
                double sum = bias.length == 0 ? 0 : bias[channel];
                for (int c = 0; c < inGroup; c++) {
                    int inChannel = channel / outGroup * inGroup + c;
                    for (int t = 0; t < taps; t++) {
                        int place = place(p, t, transposed);
                        if (place >= 0) {
                            double weight = transposed
                                    ? w[(inChannel * outGroup + channel % outGroup) * taps + t]
                                    : w[(channel * inGroup + c) * taps + t];
                            sum += x[(image * in + inChannel) * places + place] * weight;
                        }
                    }
                }
                y[at] = sum;
            }
            return y;
        }

        private int place(int[] p, int t, boolean transposed) {
            int[] k = {t / kernel[2] / kernel[1], t / kernel[2] % kernel[1], t % kernel[2]};
            int flat = 0;
            for (int axis = 0; axis < 3; axis++) {
                int i = p[axis] * stride[axis] + k[axis] * dilation[axis] - pad[axis];
                if (transposed) {
                    int distance = p[axis] + pad[axis] - k[axis] * dilation[axis];
                    if (distance < 0 || distance % stride[axis] != 0) {
                        return -1;
                    }
                    i = distance / stride[axis];
                }
                if (i < 0 || i >= size[axis]) {
                    return -1;
                }
                flat = flat * size[axis] + i;
            }
            return flat;
        }
    }

    private static Tensor random(Random random, DType dtype, int[] shape) {
        return OperatorRun.random(
                random, dtype, Arrays.stream(shape).asLongStream().toArray());
    }

    @Test
    void agreesWithTheDefinition() {
        Random random = new Random(11);
        for (int i = 0; i < 150; i++) {
            Case c = Case.forward(random);
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            check(c, c.spatial == 2 ? "Conv2d" : "Convolution", dtype, random);
        }
    }

    @Test
    void agreesWithTheDefinitionWhereSeveralBlocksAreNeeded() {
        Random random = new Random(12);
        int[] one = {1, 1, 1};
        check(
                new Case(
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
                new Case(2, 1, 130, 1050, 1, new int[] {1, 5, 7}, one, one, one, new int[3], new int[] {1, 5, 7}),
                "Conv2d",
                DType.FLOAT32,
                random);
        check(
                new Case(2, 3, 13, 70, 1, new int[] {1, 7, 11}, new int[] {1, 7, 11}, one, one, new int[3], one),
                "Conv2d",
                DType.FLOAT32,
                random);
    }

    private static void check(Case c, String optype, DType dtype, Random random) {
        Tensor x = random(random, dtype, c.shape(c.batch, c.in, c.size));
        Tensor w = random(random, dtype, c.shape(c.out, c.in / c.groups, c.kernel));
        Tensor bias = random.nextBoolean() ? OperatorRun.random(random, dtype, c.out) : null;
        double[] added = bias == null ? new double[0] : OperatorRun.values(bias);
        double[] expected = c.expected(OperatorRun.values(x), OperatorRun.values(w), added, false);
        MapParameters parameters = c.parameters();
        if (optype.equals("Convolution")) {
            parameters.with("data_format", "NCX").with("weights_format", "OIX");
        }
        new OperatorRun(
                        optype,
                        parameters,
                        Arrays.asList(x, w, bias),
                        OperatorRun.type(dtype, c.shape(c.batch, c.out, c.result)))
                .expect(expected, dtype + " " + c);
    }

    @Test
    void transposedAgreesWithTheDefinition() {
        Random random = new Random(13);
        for (int i = 0; i < 150; i++) {
            Case c = Case.transposed(random);
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            Tensor x = random(random, dtype, c.shape(c.batch, c.in, c.size));
            Tensor w = random(random, dtype, c.shape(c.in, c.out / c.groups, c.kernel));
            Tensor bias = random.nextBoolean() ? OperatorRun.random(random, dtype, c.out) : null;
            double[] added = bias == null ? new double[0] : OperatorRun.values(bias);
            double[] expected = c.expected(OperatorRun.values(x), OperatorRun.values(w), added, true);
            new OperatorRun(
                            c.spatial == 2 ? "Conv2dTranspose" : "ConvTranspose",
                            c.parameters(),
                            Arrays.asList(x, w, bias),
                            OperatorRun.type(dtype, c.shape(c.batch, c.out, c.result)))
                    .expect(expected, "transposed " + dtype + " " + c);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT64"})
    void takesChannelsLast(DType dtype) {
        Random random = new Random(14);
        for (int i = 0; i < 40; i++) {
            Case c = Case.forward(random);
            boolean dataLast = random.nextBoolean();
            boolean weightsLast = random.nextBoolean() || !dataLast;
            Tensor x = random(random, dtype, c.shape(c.batch, c.in, c.size));
            Tensor w = random(random, dtype, c.shape(c.out, c.in / c.groups, c.kernel));
            double[] y = c.expected(OperatorRun.values(x), OperatorRun.values(w), new double[0], false);
            int taps = Window.product(c.kernel);
            Tensor wGiven = weightsLast ? weightsLast(w, c.out, c.in / c.groups, taps) : w;
            Tensor xGiven = dataLast ? channelsLast(x, c.batch, c.in) : x;
            Tensor expected = Tensor.allocate(OperatorRun.type(dtype, c.shape(c.batch, c.out, c.result)));
            for (int j = 0; j < y.length; j++) {
                expected.setDouble(j, y[j]);
            }
            MapParameters parameters = c.parameters()
                    .with("data_format", dataLast ? "NXC" : "NCX")
                    .with("weights_format", weightsLast ? "XIO" : "OIX");
            Tensor wanted = dataLast ? channelsLast(expected, c.batch, c.out) : expected;
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
        java.util.List<org.clinfer.tensor.TensorType> types =
                java.util.List.of(OperatorRun.type(DType.INT32, 1, 1, 1, 1));
        assertThat(operator.refusal(types, types))
                .contains("the CPU implementation of Conv2d takes float16, bfloat16, float32, float64, not int32");
    }
}
