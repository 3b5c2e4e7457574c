package org.clinfer.cpu.normalization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class NormalizationTest {

    private static final DType[] TYPES = {DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64};
    private static final int[] CHANNELS = {1, 3, 4, 6, 13};
    private static final int[] INNER = {1, 5, 17, 207, 5000};

    private static MapParameters sizes(int batch, int channels, int inner) {
        return new MapParameters()
                .with("batch", batch)
                .with("channels", channels)
                .with("inner", inner)
                .with("epsilon", (Object) 1e-3);
    }

    @Test
    void batchAndInstanceNormAgreeWithTheDefinition() {
        Random random = new Random(41);
        for (int i = 0; i < 60; i++) {
            boolean instance = random.nextBoolean();
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            int batch = 1 + random.nextInt(3);
            int channels = OperatorRun.pick(random, CHANNELS);
            int inner = OperatorRun.pick(random, INNER);
            Tensor x = OperatorRun.random(random, dtype, batch, channels, inner);
            Tensor scale = OperatorRun.random(random, DType.FLOAT32, channels);
            Tensor bias = OperatorRun.random(random, DType.FLOAT32, channels);
            Tensor mean = OperatorRun.random(random, DType.FLOAT32, channels);
            Tensor variance = OperatorRun.random(random, DType.FLOAT32, channels);
            for (int c = 0; c < channels; c++) {
                variance.setDouble(c, Math.abs(variance.getDouble(c)) + 0.1);
            }
            double[] expected = new double[batch * channels * inner];
            for (int at = 0; at < expected.length; at++) {
                int c = at / inner % channels;
                int origin = at / inner * inner;
                double mu = mean.getDouble(c);
                double sigma = variance.getDouble(c);
                if (instance) {
                    if (at != origin) {
                        continue;
                    }
                    double sum = 0;
                    double squares = 0;
                    for (int j = 0; j < inner; j++) {
                        sum += x.getDouble(origin + j);
                        squares += x.getDouble(origin + j) * x.getDouble(origin + j);
                    }
                    mu = sum / inner;
                    sigma = squares / inner - mu * mu;
                }
                for (int j = at; j < (instance ? at + inner : at + 1); j++) {
                    expected[j] =
                            scale.getDouble(c) * (x.getDouble(j) - mu) / Math.sqrt(sigma + 1e-3) + bias.getDouble(c);
                }
            }
            List<Tensor> inputs = instance ? List.of(x, scale, bias) : List.of(x, scale, bias, mean, variance);
            new OperatorRun(
                            instance ? "InstanceNorm" : "BatchNorm",
                            sizes(batch, channels, inner),
                            List.copyOf(inputs),
                            x.type())
                    .expect(expected, dtype + " " + batch + "x" + channels + "x" + inner + " " + instance);
        }
    }

    @Test
    void rowNormsAgreeWithTheDefinition() {
        Random random = new Random(44);
        for (int size : new int[] {1, 2, 7, 8, 15, 16, 17, 31, 33, 48, 100, 2047, 2049, 5000}) {
            for (DType dtype : TYPES) {
                boolean isCentred = random.nextBoolean();
                int rows = size < 100 ? 1 + random.nextInt(700) : 3;
                Tensor x = OperatorRun.random(random, dtype, rows, size);
                double far = dtype == DType.FLOAT32 ? 100 : 0;
                for (int i = 0; i < rows * size; i++) {
                    x.setDouble(i, x.getDouble(i) + i / size % 3 * far);
                }
                Tensor scale = OperatorRun.random(random, DType.FLOAT32, size);
                Tensor bias = OperatorRun.random(random, DType.FLOAT32, size);
                double[] expected = new double[rows * size];
                for (int row = 0; row < rows; row++) {
                    double mean = 0;
                    for (int i = 0; isCentred && i < size; i++) {
                        mean += x.getDouble(row * size + i) / size;
                    }
                    double square = 0;
                    for (int i = 0; i < size; i++) {
                        square += Math.pow(x.getDouble(row * size + i) - mean, 2) / size;
                    }
                    for (int i = 0; i < size; i++) {
                        double value = (x.getDouble(row * size + i) - mean) / Math.sqrt(square + 1e-2);
                        expected[row * size + i] = value * scale.getDouble(i) + (isCentred ? bias.getDouble(i) : 0);
                    }
                }
                MapParameters parameters = new MapParameters()
                        .with("outer", rows)
                        .with("size", size)
                        .with("epsilon", (Object) 1e-2);
                List<Tensor> inputs = isCentred ? List.of(x, scale, bias) : List.of(x, scale);
                new OperatorRun(isCentred ? "LayerNorm" : "RmsNorm", parameters, List.copyOf(inputs), x.type())
                        .expect(expected, dtype + " " + rows + "x" + size + " " + isCentred);
            }
        }
    }

    @Test
    void lrnAgreesWithTheDefinition() {
        Random random = new Random(42);
        for (int i = 0; i < 40; i++) {
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            int batch = 1 + random.nextInt(2);
            int channels = OperatorRun.pick(random, CHANNELS);
            int inner = OperatorRun.pick(random, INNER);
            int size = 1 + random.nextInt(6);
            Tensor x = OperatorRun.random(random, dtype, batch, channels, inner);
            double[] expected = new double[batch * channels * inner];
            for (int at = 0; at < expected.length; at++) {
                int c = at / inner % channels;
                double sum = 0;
                for (int near = 0; near < channels; near++) {
                    boolean inside =
                            near >= c - Math.floor((size - 1) / 2.0) && near <= c + Math.ceil((size - 1) / 2.0);
                    double value = x.getDouble(at + (near - c) * inner);
                    sum += inside ? value * value : 0;
                }
                expected[at] = x.getDouble(at) / Math.pow(1.5 + 0.3 / size * sum, 0.75);
            }
            MapParameters parameters = sizes(batch, channels, inner)
                    .with("size", size)
                    .with("alpha", (Object) 0.3)
                    .with("beta", (Object) 0.75)
                    .with("bias", (Object) 1.5);
            new OperatorRun("Lrn", parameters, List.of(x), x.type()).expect(expected, dtype + " size " + size);
        }
    }

    @Test
    void softmaxAgreesWithTheDefinition() {
        Random random = new Random(43);
        for (int i = 0; i < 60; i++) {
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            boolean logarithm = random.nextBoolean();
            int outer = 1 + random.nextInt(4);
            int size = OperatorRun.pick(random, 1, 2, 13, 207, 1000);
            int inner = OperatorRun.pick(random, 1, 1, 3, 130);
            Tensor x = OperatorRun.random(random, dtype, outer, size, inner);
            double[] expected = new double[outer * size * inner];
            for (int lane = 0; lane < outer * inner; lane++) {
                int origin = lane / inner * size * inner + lane % inner;
                double sum = 0;
                for (int k = 0; k < size; k++) {
                    sum += Math.exp(x.getDouble(origin + k * inner));
                }
                for (int k = 0; k < size; k++) {
                    double share = Math.exp(x.getDouble(origin + k * inner)) / sum;
                    expected[origin + k * inner] = logarithm ? Math.log(share) : share;
                }
            }
            softmax(x, logarithm, outer, size, inner)
                    .expect(expected, dtype + " " + outer + "x" + size + "x" + inner + " " + logarithm);
        }
    }

    private static OperatorRun softmax(Tensor x, boolean logarithm, int outer, int size, int inner) {
        MapParameters parameters =
                new MapParameters().with("outer", outer).with("size", size).with("inner", inner);
        return new OperatorRun(logarithm ? "LogSoftmax" : "Softmax", parameters, List.of(x), x.type());
    }

    @Test
    void softmaxOfLargeValuesDoesNotOverflow() {
        Tensor x = Tensor.of(new float[] {10000, 10000, -10000}, 1, 3, 1);
        assertThat(softmax(x, false, 1, 3, 1).compute(1).toFloatArray()).containsExactly(0.5f, 0.5f, 0f);
    }
}
