package org.clinfer.cpu.quantized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Random;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QuantizedValuesTest {

    private static final byte POISON = 77;

    private static final float[] SPECIAL = {
        Float.NaN,
        Float.intBitsToFloat(0x7fc00155),
        Float.NEGATIVE_INFINITY,
        Float.POSITIVE_INFINITY,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        0f,
        -0f,
        0.5f,
        1.5f,
        -0.5f,
        -1.5f,
        2.5f,
        0.49999997f,
        -0.50000006f,
        126.5f,
        127.5f,
        -128.5f,
        254.5f,
        255.5f,
        3e9f,
        -3e9f,
        8388609f,
        Float.MIN_VALUE
    };

    private static byte[] rounded(
            float[] values, int at, int count, int zero, DType dtype, @Nullable VectorKernels by) {
        byte[] to = new byte[values.length];
        Arrays.fill(to, POISON);
        QuantizedValues.round(values, at, count, zero, dtype, to, at, by);
        return to;
    }

    private static byte defined(float value, int zero, DType dtype) {
        long whole = Float.isNaN(value) ? zero : (long) Math.rint(Math.max(-1e9, Math.min(1e9, value))) + zero;
        return (byte) Math.max(dtype.lowest(), Math.min(dtype.highest(), whole));
    }

    private static void check(DType dtype, int zero, int count, @Nullable VectorKernels by) {
        Random random = new Random(count);
        float[] values = new float[count + 7];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 3 == 0
                    ? SPECIAL[random.nextInt(SPECIAL.length)]
                    : i % 3 == 1 ? random.nextInt(1200) / 2f - 300 : (float) random.nextGaussian() * 150;
        }
        byte[] found = rounded(values, 3, count, zero, dtype, by);
        for (int i = 0; i < values.length; i++) {
            byte wanted = i < 3 || i >= 3 + count ? POISON : defined(values[i], zero, dtype);
            assertThat(found[i])
                    .as("%s %d of %d: %s", dtype, i, count, values[i])
                    .isEqualTo(wanted);
        }
    }

    private static void checkAll(@Nullable VectorKernels by) {
        for (int count : new int[] {0, 1, 3, 4, 8, 15, 16, 17, 33, 100, 1024}) {
            for (int zero : new int[] {-128, -1, 0, 5, 127}) {
                check(DType.INT8, zero, count, by);
                check(DType.UINT8, zero + 128, count, by);
            }
        }
    }

    @Test
    void roundsAsDefined() {
        checkAll(null);
    }

    @Test
    void roundsAsDefinedInVectors() {
        VectorKernels kernels = CpuPath.current().kernels();
        assumeTrue(kernels != null);
        checkAll(kernels);
    }
}
