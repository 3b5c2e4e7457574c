package org.clinfer.cpu.matrix;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class MatrixProductsTest {

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
    private static final int[] SIZES = {1, 2, 3, 4, 5, 13, 17, 64, 129, 140, 207};

    @Test
    void gemmAgreesWithTheDefinition() {
        Random random = new Random(21);
        for (int i = 0; i < 120; i++) {
            int m = OperatorRun.pick(random, SIZES);
            int k = i % 20 == 0 ? 1100 : i % 20 == 2 ? 4099 : OperatorRun.pick(random, SIZES);
            int n = i % 20 == 1 ? 1100 : OperatorRun.pick(random, SIZES);
            boolean transposeA = random.nextBoolean();
            boolean transposeB = random.nextBoolean();
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            Tensor a = transposeA ? OperatorRun.random(random, dtype, k, m) : OperatorRun.random(random, dtype, m, k);
            Tensor b = transposeB ? OperatorRun.random(random, dtype, n, k) : OperatorRun.random(random, dtype, k, n);
            int kind = random.nextInt(4);
            int[] strides = {kind == 1 || kind == 2 ? kind == 1 ? n : 1 : 0, kind == 1 || kind == 3 ? 1 : 0};
            Tensor c = switch (kind) {
                case 1 -> OperatorRun.random(random, dtype, m, n);
                case 2 -> OperatorRun.random(random, dtype, m, 1);
                case 3 -> OperatorRun.random(random, dtype, n);
                default -> null;
            };
            double alpha = random.nextBoolean() ? 1 : 0.5;
            double beta = random.nextBoolean() ? 1 : -1.5;
            double[] expected = new double[m * n];
            for (int row = 0; row < m; row++) {
                for (int column = 0; column < n; column++) {
                    double sum = 0;
                    for (int d = 0; d < k; d++) {
                        sum += a.getDouble(transposeA ? d * m + row : row * k + d)
                                * b.getDouble(transposeB ? column * k + d : d * n + column);
                    }
                    double added = c == null ? 0 : c.getDouble(row * strides[0] + column * strides[1]);
                    expected[row * n + column] = alpha * sum + beta * added;
                }
            }
            MapParameters parameters = new MapParameters()
                    .with("m", m)
                    .with("k", k)
                    .with("n", n)
                    .with("alpha", (Object) alpha)
                    .with("beta", (Object) beta)
                    .with("transpose_a", transposeA)
                    .with("transpose_b", transposeB)
                    .with("c_strides", strides)
                    .with("scaled", alpha != 1 || (c != null && beta != 1));
            String label = dtype + " " + m + "x" + k + "x" + n + " " + transposeA + " " + transposeB + " " + kind;
            new OperatorRun("Gemm", parameters, Arrays.asList(a, b, c), OperatorRun.type(dtype, m, n))
                    .expect(expected, label);
        }
    }

    @Test
    void matMulBroadcastsTheBatch() {
        Random random = new Random(22);
        for (int i = 0; i < 150; i++) {
            DType dtype = TYPES[random.nextInt(TYPES.length)];
            int m = OperatorRun.pick(random, 1, 3, 13, 34);
            int k = OperatorRun.pick(random, 1, 4, 6, 131);
            int n = OperatorRun.pick(random, 1, 2, 13, 40);
            int rank = random.nextInt(4);
            int[] dims = new int[rank];
            int[] aStrides = new int[rank];
            int[] bStrides = new int[rank];
            boolean flatRight = random.nextBoolean();
            int aCount = 1;
            int bCount = 1;
            for (int axis = rank - 1; axis >= 0; axis--) {
                dims[axis] = OperatorRun.pick(random, 1, 2, 3);
                boolean inA = random.nextInt(3) > 0;
                boolean inB = !flatRight && random.nextInt(3) > 0;
                aStrides[axis] = inA ? aCount * m * k : 0;
                bStrides[axis] = inB ? bCount * k * n : 0;
                aCount *= inA ? dims[axis] : 1;
                bCount *= inB ? dims[axis] : 1;
            }
            Tensor a = OperatorRun.random(random, dtype, aCount, m, k);
            Tensor b = OperatorRun.random(random, dtype, bCount, k, n);
            int count = Arrays.stream(dims).reduce(1, (p, q) -> p * q);
            double[] expected = new double[count * m * n];
            for (int at = 0; at < expected.length; at++) {
                int rest = at / n / m;
                int aOffset = 0;
                int bOffset = 0;
                for (int axis = rank - 1; axis >= 0; axis--) {
                    aOffset += rest % dims[axis] * aStrides[axis];
                    bOffset += rest % dims[axis] * bStrides[axis];
                    rest /= dims[axis];
                }
                double sum = 0;
                for (int d = 0; d < k; d++) {
                    sum += a.getDouble(aOffset + at / n % m * k + d) * b.getDouble(bOffset + d * n + at % n);
                }
                expected[at] = wrapped(dtype, sum);
            }
            MapParameters parameters = new MapParameters()
                    .with("m", m)
                    .with("k", k)
                    .with("n", n)
                    .with("batch_dims", dims)
                    .with("a_batch_strides", aStrides)
                    .with("b_batch_strides", bStrides);
            new OperatorRun("MatMul", parameters, Arrays.asList(a, b), OperatorRun.type(dtype, count, m, n))
                    .expect(expected, dtype + " " + Arrays.toString(dims) + " " + m + "x" + k + "x" + n);
        }
    }

    /** An exact result as an integer type keeps it; other types keep it as it is. */
    private static double wrapped(DType dtype, double exact) {
        return dtype.isInteger() ? TestRuns.wrapped(dtype, BigInteger.valueOf((long) exact)) : exact;
    }
}
