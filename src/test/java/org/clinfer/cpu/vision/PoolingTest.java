package org.clinfer.cpu.vision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.OperatorRun;
import org.clinfer.cpu.window.Window;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class PoolingTest {

    private static final int[] ONE = {1, 1, 1};
    private static final int[] NONE = {0, 0, 0};

    @Test
    void agreesWithTheDefinition() {
        Random random = new Random(31);
        DType[] types = {
            DType.FLOAT32,
            DType.FLOAT16,
            DType.BFLOAT16,
            DType.FLOAT64,
            DType.INT8,
            DType.INT16,
            DType.INT32,
            DType.INT64
        };
        for (int i = 0; i < 300; i++) {
            boolean mean = random.nextBoolean();
            DType dtype = types[random.nextInt(8)];
            boolean includePad = random.nextBoolean();
            int[][] axes = new int[7][3];
            int spatial = 1 + random.nextInt(3);
            for (int axis = 3 - spatial; axis < 3; axis++) {
                int kernel = OperatorRun.pick(random, 1, 2, 3, 3, 5);
                int dilation = OperatorRun.pick(random, 1, 1, 2, 3);
                int begin = random.nextInt(kernel);
                int end = random.nextInt(kernel);
                int size = dilation * (kernel - 1) + 1 + random.nextInt(13);
                int stride = OperatorRun.pick(random, 1, 2, 3, 6);
                int room = size + begin + end - dilation * (kernel - 1) - 1;
                int result = random.nextBoolean() ? room / stride + 1 : (room + stride - 1) / stride + 1;
                if ((result - 1) * stride >= size + begin) {
                    result--;
                }
                int[] values = {size, kernel, stride, dilation, begin, end, result};
                for (int v = 0; v < 7; v++) {
                    axes[v][axis] = values[v];
                }
            }
            for (int axis = 0; axis < 3 - spatial; axis++) {
                for (int v : new int[] {0, 1, 2, 3, 6}) {
                    axes[v][axis] = 1;
                }
            }
            int batch = 1 + random.nextInt(2);
            int channels = OperatorRun.pick(random, 1, 3, 13);
            Tensor x = OperatorRun.random(random, dtype, (long) batch * channels, axes[0][0], axes[0][1], axes[0][2]);
            double[] expected = new double[batch * channels * Window.product(axes[6])];
            for (int at = 0; at < expected.length; at++) {
                expected[at] = expected(x, axes, at, mean, includePad);
            }
            run(mean, includePad, axes, batch, channels, x)
                    .expect(expected, dtype + " mean " + mean + " pad " + includePad + Arrays.deepToString(axes));
        }
    }

    private static OperatorRun run(boolean mean, boolean includePad, int[][] axes, int batch, int channels, Tensor x) {
        MapParameters parameters = new MapParameters()
                .with("batch", batch)
                .with("channels", channels)
                .with("in3", axes[0])
                .with("kernel3", axes[1])
                .with("stride3", axes[2])
                .with("dilation3", axes[3])
                .with("pad_begin3", axes[4])
                .with("pad_end3", axes[5])
                .with("out3", axes[6]);
        if (mean) {
            parameters.with("count_include_pad", (Object) includePad);
        }
        return new OperatorRun(
                mean ? "AvgPool" : "MaxPool",
                parameters,
                List.of(x),
                OperatorRun.type(x.dtype(), batch * channels, axes[6][0], axes[6][1], axes[6][2]));
    }

    private static double expected(Tensor x, int[][] axes, int at, boolean mean, boolean includePad) {
        int[] size = axes[0];
        int[] kernel = axes[1];
        int[] out = axes[6];
        int[] o = {at / out[2] / out[1] % out[0], at / out[2] % out[1], at % out[2]};
        int plane = at / Window.product(out);
        double max = Double.NEGATIVE_INFINITY;
        double sum = 0;
        int cells = 0;
        for (int t = 0; t < Window.product(kernel); t++) {
            int[] k = {t / kernel[2] / kernel[1], t / kernel[2] % kernel[1], t % kernel[2]};
            boolean real = true;
            boolean padded = true;
            int flat = plane;
            for (int axis = 0; axis < 3; axis++) {
                int i = o[axis] * axes[2][axis] + k[axis] * axes[3][axis] - axes[4][axis];
                real &= i >= 0 && i < size[axis];
                padded &= i < size[axis] + axes[5][axis];
                flat = flat * size[axis] + i;
            }
            if (real) {
                max = Math.max(max, x.getDouble(flat));
                sum += x.getDouble(flat);
            }
            cells += real || (includePad && padded) ? 1 : 0;
        }
        if (mean) {
            return sum / Math.max(1, cells);
        }
        return Double.isInfinite(max) ? least(x.dtype()) : max;
    }

    private static double least(DType dtype) {
        return switch (dtype) {
            case INT8 -> Byte.MIN_VALUE;
            case INT16 -> Short.MIN_VALUE;
            case INT32 -> Integer.MIN_VALUE;
            case INT64 -> Long.MIN_VALUE;
            default -> Double.NEGATIVE_INFINITY;
        };
    }

    @Test
    void theMaximumOfNaNIsNaN() {
        Tensor x = Tensor.of(new float[] {1, Float.NaN, 3, 4, 5}, 1, 1, 1, 5);
        int[][] axes = {{1, 1, 5}, {1, 1, 2}, ONE, ONE, NONE, NONE, {1, 1, 4}};
        assertThat(run(false, false, axes, 1, 1, x).compute(1).toFloatArray())
                .containsExactly(Float.NaN, Float.NaN, 4, 5);
    }

    @Test
    void meansOfIntegersRoundHalfToEven() {
        Tensor x = Tensor.of(new long[] {1, 2, 3, 4, -1, -2, -3, Long.MIN_VALUE + 7, 0}, 1, 1, 1, 9);
        int[][] axes = {{1, 1, 9}, {1, 1, 2}, ONE, ONE, NONE, NONE, {1, 1, 8}};
        assertThat(run(true, false, axes, 1, 1, x).compute(1).toLongArray())
                .containsExactly(2, 2, 4, 2, -2, -2, Long.MIN_VALUE / 2 + 2, Long.MIN_VALUE / 2 + 4);
    }

    @Test
    void keepsLargeIntegers() {
        long large = (1L << 60) + 1;
        Tensor x = Tensor.of(new long[] {large, large - 1, 3}, 1, 1, 1, 3);
        int[][] axes = {{1, 1, 3}, {1, 1, 2}, ONE, ONE, NONE, NONE, {1, 1, 2}};
        assertThat(run(false, false, axes, 1, 1, x).compute(1).toLongArray()).containsExactly(large, large - 1);
    }
}
