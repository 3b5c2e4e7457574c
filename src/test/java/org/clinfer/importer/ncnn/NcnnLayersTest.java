package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each layer computes, against plain loops, at sizes that no vector divides. */
class NcnnLayersTest {

    @TempDir
    Path folder;

    private static float[] random(long seed, int count) {
        Random random = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat() * 4 - 2;
        }
        return values;
    }

    private static float[] count(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = i;
        }
        return values;
    }

    private static void same(Tensor actual, double... wanted) {
        float[] values = actual.toFloatArray();
        assertThat(values).hasSize(wanted.length);
        for (int i = 0; i < wanted.length; i++) {
            assertThat((double) values[i])
                    .as("element %s", i)
                    .isCloseTo(wanted[i], offset(2e-5 * Math.max(1, Math.abs(wanted[i]))));
        }
    }

    private void unsupported(NcnnNet net, String message) throws IOException {
        Path file = net.write(folder);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    private static Arguments function(String type, String params, DoubleUnaryOperator wanted) {
        return Arguments.of(type, params, wanted);
    }

    static Stream<Arguments> functions() {
        return Stream.of(
                function("AbsVal", "", Math::abs),
                function("BNLL", "", x -> Math.log1p(Math.exp(x))),
                function("Softplus", "", x -> Math.log1p(Math.exp(x))),
                function("Sigmoid", "", NcnnLayersTest::sigmoid),
                function("TanH", "", Math::tanh),
                function("Swish", "", x -> x * sigmoid(x)),
                function("Mish", "", x -> x * Math.tanh(Math.log1p(Math.exp(x)))),
                function("ReLU", "", x -> Math.max(x, 0)),
                function("ReLU", "0=0.25", x -> x < 0 ? x / 4 : x),
                function("ELU", "", x -> x < 0 ? 0.1 * Math.expm1(x) : x),
                function("ELU", "0=2.0", x -> x < 0 ? 2 * Math.expm1(x) : x),
                function("SELU", "0=2.0 1=1.5", x -> 1.5 * (x < 0 ? 2 * Math.expm1(x) : x)),
                function("HardSigmoid", "", x -> Math.min(1, Math.max(0, 0.2 * x + 0.5))),
                function("HardSwish", "0=0.25 1=0.4", x -> x * Math.min(1, Math.max(0, 0.25 * x + 0.4))),
                function("HardSwish", "0=1.666667e-01 1=0.5", x -> x * Math.min(1, Math.max(0, x / 6 + 0.5))),
                function(
                        "GELU",
                        "0=1",
                        x -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)))),
                function("Clip", "0=-1.0 1=0.5", x -> Math.min(0.5, Math.max(-1, x))),
                function("Clip", "0=0.0 1=6.0", x -> Math.min(6, Math.max(0, x))),
                function("Clip", "1=0.5", x -> Math.min(0.5, x)),
                function("Threshold", "0=0.3", x -> x > 0.3 ? 1 : 0),
                function("Power", "0=2.0 1=3.0 2=1.0", x -> (3 * x + 1) * (3 * x + 1)),
                function("Exp", "1=0.5 2=0.1", x -> Math.exp(0.5 * x + 0.1)),
                function("Exp", "0=2.0 1=0.5", x -> Math.pow(2, 0.5 * x)),
                function("Log", "0=10.0 2=5.0", x -> Math.log10(x + 5)),
                function("Dropout", "0=0.5", x -> x / 2),
                function("Noop", "", x -> x),
                function("BinaryOp", "0=7 1=1 2=3.0", x -> 3 - x),
                function("BinaryOp", "0=8 1=1 2=3.0", x -> 3 / x),
                function("BinaryOp", "0=4 1=1 2=0.5", x -> Math.max(x, 0.5)),
                function("UnaryOp", "0=1", x -> -x),
                function("UnaryOp", "0=2", Math::floor),
                function("UnaryOp", "0=3", Math::ceil),
                function("UnaryOp", "0=4", x -> x * x),
                function("UnaryOp", "0=9", Math::sin),
                function("UnaryOp", "0=14", Math::atan),
                function("UnaryOp", "0=15", x -> 1 / x),
                function("UnaryOp", "0=16", Math::tanh));
    }

    @ParameterizedTest
    @MethodSource("functions")
    void functionsOfEachElement(String type, String params, DoubleUnaryOperator wanted) throws IOException {
        float[] x = random(1, 30);
        Tensor y = NcnnNet.of(5, 3, 2).layer(type, params).run(folder, x, 1, 2, 3, 5);
        double[] expected = new double[30];
        for (int i = 0; i < 30; i++) {
            expected[i] = wanted.applyAsDouble(x[i]);
        }
        same(y, expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 9=1",
        "2, 9=2 -23310=1:0.1",
        "3, 9=3 -23310=2:-1.0:1.5",
        "4, 9=4",
        "5, 9=5",
        "6, 9=6 -23310=2:0.2:0.5"
    })
    void convolutionsEndInAFunction(int type, String params) throws IOException {
        float[] x = random(2, 12);
        NcnnNet net = NcnnNet.of(4, 3, 1).layer("Convolution", "0=1 1=1 5=1 6=1 " + params.replace(':', ','));
        double[] expected = new double[12];
        for (int i = 0; i < 12; i++) {
            double sum = 3 * x[i] + 0.5;
            expected[i] = switch (type) {
                case 1 -> Math.max(0, sum);
                case 2 -> sum < 0 ? 0.1 * sum : sum;
                case 3 -> Math.min(1.5, Math.max(-1, sum));
                case 4 -> sigmoid(sum);
                case 5 -> sum * Math.tanh(Math.log1p(Math.exp(sum)));
                default -> sum * Math.min(1, Math.max(0, 0.2 * sum + 0.5));
            };
        }
        same(net.tagged(3).raw(0.5f).run(folder, x, 1, 1, 3, 4), expected);
    }

    /** Sides, strides, dilations and pads that all differ; weights are [group, out, in, rows, columns]. */
    @ParameterizedTest
    @CsvSource({"1, 4, 6", "2, 4, 6", "4, 4, 8"})
    void convolutionsInGroups(int group, int inputs, int outputs) throws IOException {
        int height = 9;
        int width = 11;
        float[] x = random(3, inputs * height * width);
        float[] kernel = random(4, outputs * inputs / group * 6);
        float[] bias = random(5, outputs);
        String type = group == 1 ? "Convolution" : "ConvolutionDepthWise";
        NcnnNet net = NcnnNet.of(width, height, inputs)
                .layer(
                        type,
                        "0=" + outputs + " 1=3 11=2 2=2 12=1 3=2 13=1 4=1 14=2 15=0 16=3 5=1 6=" + kernel.length
                                + (group == 1 ? "" : " 7=" + group));
        Tensor y = net.tagged(kernel).raw(bias).run(folder, x, 1, inputs, height, width);
        int rows = height + 5 - 2 + 1;
        int columns = (width + 1 - 5) / 2 + 1;
        assertThat(y.shape()).isEqualTo(Shape.of(1, outputs, rows, columns));
        double[] expected = new double[outputs * rows * columns];
        int perGroup = inputs / group;
        for (int at = 0; at < expected.length; at++) {
            int out = at / (rows * columns);
            double sum = bias[out];
            for (int tap = 0; tap < perGroup * 6; tap++) {
                int row = at / columns % rows + tap / 3 % 2 - 2;
                int column = at % columns * 2 + tap % 3 * 2 - 1;
                int in = out / (outputs / group) * perGroup + tap / 6;
                if (row >= 0 && row < height && column >= 0 && column < width) {
                    sum += (double) kernel[out * perGroup * 6 + tap] * x[(in * height + row) * width + column];
                }
            }
            expected[at] = sum;
        }
        same(y, expected);
    }

    /** Weights are [group, out, in, rows, columns] here, too. */
    @ParameterizedTest
    @CsvSource({"1, 3, 2", "2, 4, 6", "3, 3, 3"})
    void deconvolutionsInGroups(int group, int inputs, int outputs) throws IOException {
        int height = 3;
        int width = 4;
        float[] x = random(6, inputs * height * width);
        float[] kernel = random(7, outputs * inputs / group * 6);
        String type = group == 1 ? "Deconvolution" : "DeconvolutionDepthWise";
        NcnnNet net = NcnnNet.of(width, height, inputs)
                .layer(
                        type,
                        "0=" + outputs + " 1=3 11=2 3=2 13=3 4=1 14=0 18=1 19=2 6=" + kernel.length
                                + (group == 1 ? "" : " 7=" + group));
        Tensor y = net.tagged(kernel).run(folder, x, 1, inputs, height, width);
        int rows = (height - 1) * 3 + 2 + 2;
        int columns = (width - 1) * 2 + 3 + 1 - 2;
        assertThat(y.shape()).isEqualTo(Shape.of(1, outputs, rows, columns));
        double[] expected = new double[outputs * rows * columns];
        int perGroup = inputs / group;
        for (int at = 0; at < x.length; at++) {
            int in = at / (height * width);
            for (int own = 0; own < outputs / group; own++) {
                int out = in / perGroup * (outputs / group) + own;
                for (int tap = 0; tap < 6; tap++) {
                    int row = at / width % height * 3 + tap / 3;
                    int column = at % width * 2 + tap % 3 - 1;
                    if (column >= 0 && column < columns) {
                        expected[(out * rows + row) * columns + column] +=
                                (double) kernel[(out * perGroup + in % perGroup) * 6 + tap] * x[at];
                    }
                }
            }
        }
        same(y, expected);
    }

    @Test
    void convolutionsOfOneAxisAndOfVectors() throws IOException {
        NcnnNet line =
                NcnnNet.of(4, 2).layer("Convolution1D", "0=1 1=2 4=1 15=0 6=4").tagged(1, 10, 100, 1000);
        Tensor y = line.run(folder, new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 1, 2, 4);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 1, 4));
        same(y, 5010, 6521, 7632, 8743);
        NcnnNet vector = NcnnNet.of(2)
                .layer("Convolution", "0=2 1=1 5=1 6=4 9=1")
                .tagged(1, 10, -1, -10)
                .raw(5, 5);
        Tensor row = vector.run(folder, new float[] {1, 2}, 1, 2);
        assertThat(row.shape()).isEqualTo(Shape.of(1, 2));
        same(row, 26, 0);
    }

    @Test
    void paddingThatKeepsTheSizeAndOtherNumbersAround() throws IOException {
        NcnnNet upper = NcnnNet.of(4, 1, 1)
                .layer("Convolution", "0=1 1=2 11=1 4=-233 6=2")
                .tagged(1, 10);
        same(upper.run(folder, new float[] {1, 2, 3, 4}, 1, 1, 1, 4), 21, 32, 43, 4);
        NcnnNet lower = NcnnNet.of(4, 1, 1)
                .layer("Convolution", "0=1 1=2 11=1 4=-234 6=2")
                .tagged(1, 10);
        same(lower.run(folder, new float[] {1, 2, 3, 4}, 1, 1, 1, 4), 10, 21, 32, 43);
        NcnnNet around = NcnnNet.of(2, 1, 1)
                .layer("Convolution", "0=1 1=2 11=1 4=1 14=0 18=7.0 6=2")
                .tagged(1, 10);
        same(around.run(folder, new float[] {1, 2}, 1, 1, 1, 2), 17, 21, 72);
        unsupported(NcnnNet.of(2, 1, 1).layer("Convolution", "0=1 1=2 4=-5 6=4"), "padding [-5, -5, -5, -5]");
    }

    @Test
    void innerProductsOfPicturesAndOfRows() throws IOException {
        NcnnNet all = NcnnNet.of(2, 1, 2).layer("InnerProduct", "0=2 1=1 2=8 9=1");
        all.tagged(1, 10, 100, 1000, -1, 0, 0, 0).raw(5, 0);
        Tensor y = all.run(folder, new float[] {1, 2, 3, 4}, 1, 2, 1, 2);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2));
        same(y, 4326, 0);
        NcnnNet rows = NcnnNet.of(2, 3)
                .layer("InnerProduct", "0=1 1=1 2=2")
                .tagged(1, 10)
                .raw(5);
        Tensor each = rows.run(folder, new float[] {1, 2, 3, 4, 5, 6}, 1, 3, 2);
        assertThat(each.shape()).isEqualTo(Shape.of(1, 3, 1));
        same(each, 26, 48, 70);
    }

    @Test
    void matrices() throws IOException {
        float[] x = {1, 2, 3, 4, 5, 6};
        NcnnNet product = NcnnNet.of(3, 2).line("Split s 1 2 x a b").line("MatMul m 2 1 a b y 0=1");
        same(product.run(folder, x, 1, 2, 3), 14, 32, 32, 77);
        NcnnNet constant = NcnnNet.of(3, 2).layer("Gemm", "0=2.0 1=0.5 3=1 5=1 6=1 8=2 9=3 10=4");
        Tensor y = constant.tagged(1, 0, 0, 1, 1, 1).tagged(10, 20).run(folder, x, 1, 2, 3);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 2));
        same(y, 2 * (1 + 5), 2 * (6 + 10), 2 * (4 + 5), 2 * (15 + 10));
    }

    /** A picture of one channel. */
    private Tensor pooled(String params, int height, int width, float... x) throws IOException {
        return NcnnNet.of(width, height, 1).layer("Pooling", params).run(folder, x, 1, 1, height, width);
    }

    @Test
    void pools() throws IOException {
        float[] x = {1, 2, 3, 4, 5};
        same(pooled("1=2 11=1 2=2", 1, 5, x), 2, 4, 5);
        same(pooled("1=2 11=1 2=2 5=1", 1, 5, x), 2, 4);
        same(pooled("1=2 11=1 2=2 5=2", 1, 5, x), 2, 4, 5);
        same(pooled("1=2 11=1 2=2 5=3", 1, 5, x), 1, 3, 5);
        same(pooled("0=1 1=2 11=1 2=2", 1, 5, x), 1.5, 3.5, 5);
        same(pooled("0=1 1=2 11=1 2=2 6=1", 1, 5, x), 1.5, 3.5, 2.5);
        same(pooled("0=1 1=3 11=1 3=1 13=0 5=1", 1, 5, x), 1.5, 2, 3, 4, 4.5);
        same(pooled("0=1 1=3 11=1 3=1 13=0 5=1 6=1", 1, 5, x), 1, 2, 3, 4, 3);
        unsupported(NcnnNet.of(5, 1, 1).layer("Pooling", "0=1 1=2 5=2"), "means of windows that keep the size");
    }

    @Test
    void poolsOfEverythingAreVectors() throws IOException {
        float[] x = {1, 2, 3, 4, -1, -2, -3, -4};
        Tensor y = NcnnNet.of(2, 2, 2).layer("Pooling", "0=1 4=1 1=7").run(folder, x, 1, 2, 2, 2);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2));
        same(y, 2.5, -2.5);
        Tensor one = NcnnNet.of(2, 2, 2).layer("Pooling", "4=0 7=1 8=1").run(folder, x, 1, 2, 2, 2);
        assertThat(one.shape()).isEqualTo(Shape.of(1, 2, 1, 1));
        same(one, 4, -1);
    }

    /** Windows of a fixed number of results are found anew for each size. */
    @Test
    void adaptivePools() throws IOException {
        Path file = NcnnNet.of(4, 2, 1).layer("Pooling", "0=1 7=1 8=2 18=-233").write(folder);
        Tensor four = Tensor.of(new float[] {1, 3, 5, 7, 2, 2, 4, 4}, 1, 1, 2, 4);
        same(List.copyOf(NcnnNet.run(file, Map.of("x", four)).values()).get(0), 2, 6, 2, 4);
        Tensor six = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 1, 1, 1, 6);
        same(List.copyOf(NcnnNet.run(file, Map.of("x", six)).values()).get(0), 2, 5);
        unsupported(NcnnNet.of(4, 2, 1).layer("Pooling", "7=1 8=3"), "a result of 3 cells");
    }

    @Test
    void blobsOfFewerAxesLineUpWithTheOuterOnes() throws IOException {
        NcnnNet net = NcnnNet.of(2, 1, 3)
                .line("Split s 1 2 x a b")
                .line("Pooling p 1 1 a v 4=1")
                .line("BinaryOp m 2 1 b v y 0=2");
        same(net.run(folder, count(6), 1, 3, 1, 2), 0, 1, 6, 9, 20, 25);
        NcnnNet turned = NcnnNet.of(2, 1, 3)
                .line("Split s 1 2 x a b")
                .line("Pooling p 1 1 a v 4=1")
                .line("BinaryOp m 2 1 v b y 0=1");
        same(turned.run(folder, count(6), 1, 3, 1, 2), 1, 0, 1, 0, 1, 0);
        NcnnNet inner = NcnnNet.of(2, 3).line("MemoryData c 0 1 v 0=2").line("BinaryOp m 2 1 x v y 0=0");
        same(inner.raw(10, 20).run(folder, count(6), 1, 3, 2), 10, 21, 12, 23, 14, 25);
    }

    @Test
    void sumsProductsAndMaxima() throws IOException {
        NcnnNet net = NcnnNet.of(2).line("Split s 1 4 x a b c d");
        net.line("Eltwise e 2 1 a b p 0=0").line("Eltwise f 2 1 c d q 0=1 -23301=2,2.0,-0.5");
        net.line("Eltwise g 2 1 p q y 0=2");
        same(net.run(folder, new float[] {1, 3}, 1, 2), 1.5, 9);
    }

    @ParameterizedTest
    @CsvSource({
        "0=0, 15",
        "0=3 1=0 5=1 3=0, 1.5:2.5:3.5",
        "0=4 1=0 5=1 3=-1 4=1, 2:5",
        "0=2 1=0 5=1 3=1, 5:50",
        "0=0 2=2.0, 30",
        "0=5 1=1 4=1, 0"
    })
    void reductions(String params, String wanted) throws IOException {
        String given = params.replaceAll(" 3=(-?\\d)", " -23303=1,$1");
        Tensor y = NcnnNet.of(3, 2).layer("Reduction", given).run(folder, count(6), 1, 2, 3);
        double[] numbers = Stream.of(wanted.split(":", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        same(y, numbers);
        assertThat(y.shape().rank()).isEqualTo(params.contains("4=1") ? 3 : 2);
        unsupported(NcnnNet.of(3, 2).layer("Reduction", "1=0 -23303=1,1"), "axes that count the batch");
    }

    @Test
    void softmaxAndItsAxes() throws IOException {
        float[] x = {0, 0, (float) Math.log(3), (float) Math.log(3)};
        same(NcnnNet.of(2, 2).layer("Softmax", "").run(folder, x, 1, 2, 2), 0.25, 0.25, 0.75, 0.75);
        same(NcnnNet.of(2, 2).layer("Softmax", "0=1 1=1").run(folder, x, 1, 2, 2), 0.5, 0.5, 0.5, 0.5);
        unsupported(NcnnNet.of(2, 2).layer("Softmax", "0=1"), "an axis that counts the batch");
    }

    @Test
    void normalizationsOfTraining() throws IOException {
        float[] x = {1, 2, 3, 4};
        NcnnNet batch = NcnnNet.of(2, 1, 2).layer("BatchNorm", "0=2 1=1.0");
        batch.raw(2, 3).raw(1, 2).raw(3, 8).raw(10, 20);
        same(batch.run(folder, x, 1, 2, 1, 2), 10, 11, 21, 22);
        same(
                NcnnNet.of(2, 1, 2)
                        .layer("Scale", "0=2 1=1")
                        .raw(2, 3)
                        .raw(5, 7)
                        .run(folder, x, 1, 2, 1, 2),
                7,
                9,
                16,
                19);
        same(NcnnNet.of(2, 1, 2).layer("Scale", "0=2").raw(2, 3).run(folder, x, 1, 2, 1, 2), 2, 4, 9, 12);
        same(NcnnNet.of(2, 1, 2).layer("Bias", "0=2").raw(2, 3).run(folder, x, 1, 2, 1, 2), 3, 4, 6, 7);
        same(
                NcnnNet.of(2, 1, 2).layer("PReLU", "0=2").raw(2, 3).run(folder, new float[] {-1, 2, -3, 4}, 1, 2, 1, 2),
                -2,
                2,
                -9,
                4);
        NcnnNet second = NcnnNet.of(2, 1, 2).line("Split s 1 2 x a b").line("Pooling p 1 1 a v 4=1");
        same(second.line("Scale m 2 1 b v y 0=-233").run(folder, x, 1, 2, 1, 2), 2, 4, 12, 16);
    }

    /** (x - mean) / deviation of some elements. */
    private static double[] normal(float[] x, int from, int to, double inside, double outside) {
        double mean = 0;
        for (int i = from; i < to; i++) {
            mean += x[i] / (double) (to - from);
        }
        double variance = 0;
        for (int i = from; i < to; i++) {
            variance += (x[i] - mean) * (x[i] - mean) / (to - from);
        }
        double[] result = new double[to - from];
        for (int i = from; i < to; i++) {
            result[i - from] = (x[i] - mean) / (Math.sqrt(variance + inside) + outside);
        }
        return result;
    }

    private static double[] parts(float[] x, int count, double inside, double outside, double[] scale, double shift) {
        List<Double> all = new ArrayList<>();
        int length = x.length / count;
        for (int part = 0; part < count; part++) {
            double factor = scale[part % scale.length];
            for (double value : normal(x, part * length, (part + 1) * length, inside, outside)) {
                all.add(value * factor + shift);
            }
        }
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Test
    void normalizationsOfTheValueItself() throws IOException {
        float[] x = random(8, 24);
        double[] one = {1};
        NcnnNet instance = NcnnNet.of(3, 2, 4).layer("InstanceNorm", "0=4 1=0.01");
        same(
                instance.raw(1, 2, 3, 4).raw(5, 5, 5, 5).run(folder, x, 1, 4, 2, 3),
                parts(x, 4, 0.01, 0, new double[] {1, 2, 3, 4}, 5));
        same(
                NcnnNet.of(3, 2, 4).layer("InstanceNorm", "0=0 2=0").run(folder, x, 1, 4, 2, 3),
                parts(x, 4, 0.001, 0, one, 0));
        NcnnNet group = NcnnNet.of(3, 2, 4).layer("GroupNorm", "0=2 1=4 2=0.01");
        double[] wanted = parts(x, 2, 0.01, 0, one, 0);
        for (int i = 0; i < 24; i++) {
            wanted[i] = wanted[i] * (i / 6 + 1) + 5;
        }
        same(group.raw(1, 2, 3, 4).raw(5, 5, 5, 5).run(folder, x, 1, 4, 2, 3), wanted);
        NcnnNet layer = NcnnNet.of(3, 8).layer("LayerNorm", "0=3 1=0.01");
        double[] rows = parts(x, 8, 0.01, 0, one, 0);
        for (int i = 0; i < 24; i++) {
            rows[i] = rows[i] * (i % 3 + 1) - 1;
        }
        same(layer.raw(1, 2, 3).raw(-1, -1, -1).run(folder, x, 1, 8, 3), rows);
        same(
                NcnnNet.of(3, 2, 4).layer("LayerNorm", "0=6 2=0").run(folder, x, 1, 4, 2, 3),
                parts(x, 4, 0.001, 0, one, 0));
        same(NcnnNet.of(3, 2, 4).layer("MVN", "0=1 2=0.1").run(folder, x, 1, 4, 2, 3), parts(x, 4, 0, 0.1, one, 0));
        same(NcnnNet.of(3, 2, 4).layer("MVN", "0=1 1=1 2=0.1").run(folder, x, 1, 4, 2, 3), parts(x, 1, 0, 0.1, one, 0));
    }

    @Test
    void lengthsAndNeighbours() throws IOException {
        float[] x = {3, 0, 4, 5};
        NcnnNet cells = NcnnNet.of(2, 1, 2).layer("Normalize", "2=0.0 3=2").raw(10, 20);
        same(cells.run(folder, x, 1, 2, 1, 2), 6, 0, 16, 20);
        NcnnNet all = NcnnNet.of(2, 1, 2)
                .layer("Normalize", "0=1 1=1 2=100.0 3=1 9=1")
                .raw(2);
        same(all.run(folder, x, 1, 2, 1, 2), 0.06, 0, 0.08, 0.1);
        NcnnNet across = NcnnNet.of(1, 1, 3).layer("LRN", "1=3 2=3.0 3=1.0 4=2.0");
        same(across.run(folder, new float[] {1, 2, 3}, 1, 3, 1, 1), 1 / 7.0, 2 / 16.0, 3 / 15.0);
        NcnnNet within = NcnnNet.of(3, 1, 1).layer("LRN", "0=1 1=3 2=9.0 3=1.0");
        same(within.run(folder, new float[] {1, 2, 3}, 1, 1, 1, 3), 1 / 6.0, 2 / 15.0, 3 / 14.0);
    }

    @Test
    void slicesAndConcatenations() throws IOException {
        NcnnNet net = NcnnNet.of(1, 1, 5)
                .line("Slice s 1 3 x a b c -23300=3,1,-233,-233")
                .line("Concat k 3 1 c a b y");
        same(net.run(folder, count(5), 1, 5, 1, 1), 3, 4, 0, 1, 2);
        NcnnNet columns = NcnnNet.of(4, 2)
                .line("Slice s 1 2 x a b -23300=2,-233,-233 1=1")
                .line("Concat k 2 1 b a y 0=-1");
        same(columns.run(folder, count(8), 1, 2, 4), 2, 3, 0, 1, 6, 7, 4, 5);
    }

    @ParameterizedTest
    @CsvSource({
        "-23309=1:1 -23310=1:-233 -23311=1:2, 1:2:4:5:7:8:10:11",
        "-23309=2:0:-2 -23310=2:1:-233 -23311=2:0:2, 1:2:4:5",
        "0=1 3=1 4=-233 5=-233 , 1:4:7:10",
        "0=0 3=-233 6=1 1=1 4=1 2=1 5=1, 9:10"
    })
    void crops(String params, String wanted) throws IOException {
        Tensor y = NcnnNet.of(3, 2, 2).layer("Crop", params.replace(':', ',')).run(folder, count(12), 1, 2, 2, 3);
        same(
                y,
                Stream.of(wanted.split(":", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
    }

    @Test
    void cropsToTheSizeOfAnother() throws IOException {
        NcnnNet net = NcnnNet.of(3, 3, 1)
                .line("Split s 1 2 x a b")
                .line("Pooling p 1 1 a r 1=2 2=2 5=1 3=0")
                .line("Crop c 2 1 b r y 0=1 1=2");
        same(net.run(folder, count(9), 1, 1, 3, 3), 7);
    }

    @Test
    void borders() throws IOException {
        float[] x = {1, 2, 3, 4};
        same(
                NcnnNet.of(2, 2, 1).layer("Padding", "0=1 3=1 5=9.0").run(folder, x, 1, 1, 2, 2),
                9,
                9,
                9,
                1,
                2,
                9,
                3,
                4,
                9);
        same(NcnnNet.of(2, 2, 1).layer("Padding", "1=1 2=1 4=1").run(folder, x, 1, 1, 2, 2), 1, 1, 2, 3, 3, 4, 3, 3, 4);
        same(NcnnNet.of(4).layer("Padding", "2=1 3=2 4=2").run(folder, x, 1, 4), 2, 1, 2, 3, 4, 3, 2);
        same(NcnnNet.of(2, 1, 2).layer("Padding", "7=1 8=0 5=7.0").run(folder, x, 1, 2, 1, 2), 7, 7, 1, 2, 3, 4);
    }

    /** Names of orders are those of the axes from the innermost outwards. */
    @ParameterizedTest
    @CsvSource({"0, 012, 2:2:3", "1, 021, 2:3:2", "2, 102, 2:2:3", "3, 120, 2:3:2", "4, 201, 3:2:2", "5, 210, 3:2:2"})
    void permutations(int order, String axes, String shape) throws IOException {
        int[] sizes = {2, 2, 3};
        Tensor y = NcnnNet.of(3, 2, 2).layer("Permute", "0=" + order).run(folder, count(12), 1, 2, 2, 3);
        assertThat(y.shape().toString()).isEqualTo("1x" + shape.replace(':', 'x'));
        int[] to = axes.chars().map(each -> each - '0').toArray();
        int[] strides = {6, 3, 1};
        double[] wanted = new double[12];
        for (int i = 0; i < 12; i++) {
            int inner = i % sizes[to[2]];
            int middle = i / sizes[to[2]] % sizes[to[1]];
            int outer = i / sizes[to[2]] / sizes[to[1]];
            wanted[i] = outer * strides[to[0]] + middle * strides[to[1]] + inner * strides[to[2]];
        }
        same(y, wanted);
    }

    @ParameterizedTest
    @CsvSource({
        "3:2:2, 0=-1, 1x12",
        "3:2:2, 0=4 1=-1, 1x3x4",
        "3:2:2, 0=0 1=-1 2=1, 1x1x4x3",
        "3:2:2, 0=0 1=-1, 1x4x3",
        "3:2, 0=-1 1=0 2=0, 1x1x2x3",
        "3:2:2, 0=-1 1=0 11=1 2=0, 1x2x1x2x3",
        "6, 0=0 1=1 2=1, 1x1x1x6"
    })
    void shapes(String input, String params, String shape) throws IOException {
        int[] sizes =
                Stream.of(input.split(":", -1)).mapToInt(Integer::parseInt).toArray();
        long[] dims = new long[sizes.length + 1];
        dims[0] = 1;
        int elements = 1;
        for (int i = 0; i < sizes.length; i++) {
            dims[sizes.length - i] = sizes[i];
            elements *= sizes[i];
        }
        Tensor y = NcnnNet.of(sizes).layer("Reshape", params).run(folder, count(elements), dims);
        assertThat(y.shape().toString()).isEqualTo(shape);
        assertThat(y.toFloatArray()).isEqualTo(count(elements));
        unsupported(NcnnNet.of(sizes).layer("Reshape", params + " 3=1"), "channels as the innermost axis");
    }

    @Test
    void axesOfOneCell() throws IOException {
        NcnnNet net = NcnnNet.of(3, 1, 2)
                .line("Squeeze a 1 1 x b 1=1")
                .line("ExpandDims c 1 1 b d -23303=1,-1")
                .line("Squeeze e 1 1 d y -23303=1,2");
        Tensor y = net.run(folder, count(6), 1, 2, 1, 3);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 3));
        NcnnNet tiled = NcnnNet.of(2).layer("Tile", "0=0 1=2");
        same(tiled.run(folder, count(2), 1, 2), 0, 1, 0, 1);
        same(NcnnNet.of(3).layer("CumulativeSum", "").run(folder, count(3), 1, 3), 0, 1, 3);
        assertThat(NcnnNet.of(2, 1, 2)
                        .layer("Flatten", "")
                        .run(folder, count(4), 1, 2, 1, 2)
                        .shape())
                .isEqualTo(Shape.of(1, 4));
    }

    @Test
    void channelsAndBlocks() throws IOException {
        same(NcnnNet.of(1, 1, 6).layer("ShuffleChannel", "0=2").run(folder, count(6), 1, 6, 1, 1), 0, 3, 1, 4, 2, 5);
        same(
                NcnnNet.of(1, 1, 6).layer("ShuffleChannel", "0=2 1=1").run(folder, count(6), 1, 6, 1, 1),
                0,
                2,
                4,
                1,
                3,
                5);
        same(
                NcnnNet.of(1, 1, 8).layer("PixelShuffle", "0=2").run(folder, count(8), 1, 8, 1, 1),
                0,
                1,
                2,
                3,
                4,
                5,
                6,
                7);
        same(
                NcnnNet.of(1, 1, 8).layer("PixelShuffle", "0=2 1=1").run(folder, count(8), 1, 8, 1, 1),
                0,
                2,
                4,
                6,
                1,
                3,
                5,
                7);
        same(NcnnNet.of(2, 2, 2).layer("Reorg", "0=2").run(folder, count(8), 1, 2, 2, 2), 0, 1, 2, 3, 4, 5, 6, 7);
        same(NcnnNet.of(2, 2, 2).layer("Reorg", "0=2 1=1").run(folder, count(8), 1, 2, 2, 2), 0, 4, 1, 5, 2, 6, 3, 7);
    }

    @Test
    void resizing() throws IOException {
        float[] x = {0, 4, 8};
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=1 1=1.0 2=2.0").run(folder, x, 1, 1, 1, 3), 0, 0, 4, 4, 8, 8);
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=2 1=1.0 2=2.0").run(folder, x, 1, 1, 1, 3), 0, 1, 3, 5, 7, 8);
        // one and a half times three are four columns, three quarters of a column apart
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=2 1=1.0 2=1.5").run(folder, x, 1, 1, 1, 3), 0, 2.5, 5.5, 8);
        same(NcnnNet.of(3, 1, 1).layer("Interp", "0=2 3=1 4=5 6=1").run(folder, x, 1, 1, 1, 3), 0, 2, 4, 6, 8);
        same(NcnnNet.of(2).layer("Interp", "0=2 3=1 4=2").run(folder, new float[] {1, 2}, 1, 2), 1, 1, 2, 2);
        NcnnNet like = NcnnNet.of(3, 1, 1)
                .line("Split s 1 2 x a b")
                .line("Padding p 1 1 b c 3=3")
                .line("Interp i 2 1 a c y 0=1 5=1");
        same(like.run(folder, x, 1, 1, 1, 3), 0, 0, 4, 4, 8, 8);
    }

    /** One step of each cell, forwards and backwards. */
    @Test
    void recurrentLayers() throws IOException {
        float[] x = {0.5f, -1};
        NcnnNet rnn = NcnnNet.of(1, 2)
                .layer("RNN", "0=1 1=2 2=2")
                .tagged(2, 3)
                .tagged(0.1f, 0.2f)
                .tagged(0.5f, -0.5f);
        Tensor y = rnn.run(folder, x, 1, 2, 1);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 2));
        double first = Math.tanh(2 * 0.5 + 0.1);
        double last = Math.tanh(-3 + 0.2);
        same(y, first, Math.tanh(1.5 + 0.2 - 0.5 * last), Math.tanh(-2 + 0.1 + 0.5 * first), last);

        NcnnNet lstm = NcnnNet.of(1, 2).layer("LSTM", "0=1 1=4").tagged(1, 2, 3, 4);
        lstm.tagged(0.1f, 0.2f, 0.3f, 0.4f).tagged(-1, -2, -3, -4);
        double hidden = 0;
        double cell = 0;
        double[] states = new double[2];
        for (int i = 0; i < 2; i++) {
            double in = sigmoid(x[i] + 0.1 - hidden);
            double forget = sigmoid(2 * x[i] + 0.2 - 2 * hidden);
            double out = sigmoid(3 * x[i] + 0.3 - 3 * hidden);
            cell = forget * cell + in * Math.tanh(4 * x[i] + 0.4 - 4 * hidden);
            hidden = out * Math.tanh(cell);
            states[i] = hidden;
        }
        same(lstm.run(folder, x, 1, 2, 1), states);

        NcnnNet gru = NcnnNet.of(1, 2).layer("GRU", "0=1 1=3 2=1").tagged(1, 2, 3);
        gru.tagged(0.1f, 0.2f, 0.3f, 0.4f).tagged(-1, -2, -3);
        hidden = 0;
        for (int i = 1; i >= 0; i--) {
            double reset = sigmoid(x[i] + 0.1 - hidden);
            double update = sigmoid(2 * x[i] + 0.2 - 2 * hidden);
            double fresh = Math.tanh(3 * x[i] + 0.3 + reset * (-3 * hidden + 0.4));
            hidden = (1 - update) * fresh + update * hidden;
            states[i] = hidden;
        }
        same(gru.run(folder, x, 1, 2, 1), states);
        unsupported(NcnnNet.of(1, 2).line("LSTM l 1 3 x y h c 0=1 1=4"), "states as blobs, or other blobs than (h, w)");
    }

    /** Two cells with two anchors: one box, one that overlaps it with a lower score, one elsewhere, and one below the least score. */
    @Test
    void boxesOfAHead() throws IOException {
        int parts = 7;
        float[] x = new float[2 * parts * 2];
        float[] scores = {3, 2, 1, -5};
        for (int box = 0; box < 2; box++) {
            for (int cell = 0; cell < 2; cell++) {
                int at = box * parts * 2 + cell;
                x[at + 4 * 2] = scores[box == 0 ? cell * 2 : cell * 2 + 1];
                x[at + 5 * 2] = -4;
                x[at + 6 * 2] = 2;
            }
        }
        NcnnNet net = NcnnNet.of(2, 1, 14)
                .layer(
                        "Yolov3DetectionOutput",
                        "0=2 1=2 2=0.2 3=0.4 -23304=6,9.0,9.0,8.0,6.0,8.0,5.0 -23305=2,1065353216,2.0 -23306=1,16.0");
        Tensor y = net.run(folder, x, 1, 14, 1, 2);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 6));
        double half = 8.0 / 32 / 2;
        double tall = 6.0 / 16 / 2;
        double[] confidence = new double[2];
        for (int i = 0; i < 2; i++) {
            confidence[i] = 1 / (1 + Math.exp(-scores[2 * i]) * (1 + Math.exp(-2)));
        }
        same(
                y,
                2,
                confidence[0],
                0.25 - half,
                0.5 - tall,
                0.25 + half,
                0.5 + tall,
                2,
                confidence[1],
                0.75 - half,
                0.5 - tall,
                0.75 + half,
                0.5 + tall);
    }
}
