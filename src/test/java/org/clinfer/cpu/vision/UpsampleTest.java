package org.clinfer.cpu.vision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.random;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.cpu.Described;
import org.clinfer.cpu.TestRuns;
import org.clinfer.describe.Violation;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** OpLib's Upsample and DeePhiDownsample. */
class UpsampleTest {

    private static final int[] FACTORS = {1, 2, 3, 5, 7};

    private static Map<String, ExpressionValue> params(String mode, int rows, int columns) {
        return Map.of("mode", ExpressionValue.of(mode), "scale", ExpressionValue.ints(rows, columns));
    }

    private static double at(Tensor x, long plane, long row, long column) {
        return x.getDouble((plane * x.shape().size(2) + row) * x.shape().size(3) + column);
    }

    /** Between the centres of the pixels around (row, column), the edge repeated. */
    private static double bilinear(Tensor x, long plane, double row, double column) {
        double total = 0;
        for (long i = 0; i < 2; i++) {
            for (long j = 0; j < 2; j++) {
                double down = Math.abs(row - Math.floor(row) - (1 - i));
                double across = Math.abs(column - Math.floor(column) - (1 - j));
                long y = Math.max(0, Math.min(x.shape().size(2) - 1, (long) Math.floor(row) + i));
                long z = Math.max(0, Math.min(x.shape().size(3) - 1, (long) Math.floor(column) + j));
                total += down * across * at(x, plane, y, z);
            }
        }
        return total;
    }

    private interface Pixel {
        double of(long plane, long row, long column);
    }

    private static void assertPixels(Tensor y, Pixel expected, String what) {
        long rows = y.shape().size(2);
        long columns = y.shape().size(3);
        for (long i = 0; i < y.elements(); i++) {
            double exact = expected.of(i / columns / rows, i / columns % rows, i % columns);
            if (y.dtype().isInteger()) {
                assertThat(Math.abs(y.getDouble(i) - exact)).as(what).isLessThan(0.5 + 1e-9);
            } else {
                TestRuns.assertClose(y, i, exact, what);
            }
        }
    }

    @Test
    void nearestRepeatsAndTakesWholeSteps() {
        Random random = new Random(61);
        for (DType dtype : List.of(DType.INT8, DType.INT64, DType.BFLOAT16, DType.FLOAT64)) {
            for (int rows : FACTORS) {
                for (int columns : FACTORS) {
                    Tensor x = random(random, dtype, 2, 3, 4, 5);
                    Tensor up = Described.run("Upsample", params("NEAREST", rows, columns), x);
                    assertThat(up.shape().sizes()).containsExactly(2, 3, 4L * rows, 5L * columns);
                    assertPixels(up, (plane, row, column) -> at(x, plane, row / rows, column / columns), "up");
                    Tensor wide = random(random, dtype, 1, 2, 4L * rows + rows - 1, 5L * columns);
                    Tensor down = Described.run("DeePhiDownsample", params("NEAREST", rows, columns), wide);
                    assertThat(down.shape().sizes()).containsExactly(1, 2, 4, 5);
                    assertPixels(down, (plane, row, column) -> at(wide, plane, row * rows, column * columns), "down");
                }
            }
        }
    }

    @Test
    void bilinearInterpolatesBetweenCentres() {
        Random random = new Random(62);
        for (DType dtype : List.of(DType.INT16, DType.FLOAT16, DType.FLOAT32, DType.FLOAT64)) {
            for (int rows : FACTORS) {
                for (int columns : FACTORS) {
                    Tensor x = random(random, dtype, 1, 2, 4, 3);
                    Pixel larger = (plane, row, column) ->
                            bilinear(x, plane, (row + 0.5) / rows - 0.5, (column + 0.5) / columns - 0.5);
                    assertPixels(Described.run("Upsample", params("BILINEAR", rows, columns), x), larger, "up");
                    Tensor wide = random(random, dtype, 1, 2, 3L * rows, 2L * columns + columns - 1);
                    Pixel smaller = (plane, row, column) ->
                            bilinear(wide, plane, (row + 0.5) * rows - 0.5, (column + 0.5) * columns - 0.5);
                    Tensor down = Described.run("DeePhiDownsample", params("BILINEAR", rows, columns), wide);
                    assertPixels(down, smaller, "down");
                }
            }
        }
    }

    @Test
    void defaultsAreBilinearAndOne() {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 1, 1, 2, 2);
        assertThat(Described.run("Upsample", Map.of(), x).toFloatArray()).containsExactly(1, 2, 3, 4);
        assertThat(Described.run("DeePhiDownsample", Map.of("scale", ExpressionValue.ints(2, 2)), x)
                        .toFloatArray())
                .containsExactly(2.5f);
        assertThat(Described.run("Upsample", Map.of("scale", ExpressionValue.ints(1, 2)), x)
                        .toFloatArray())
                .containsExactly(1, 1.25f, 1.75f, 2, 3, 3.25f, 3.75f, 4);
    }

    @Test
    void otherInputsAndFactorsAreRefused() {
        Tensor x = Tensor.allocate(DType.BOOL, 1, 1, 2, 2);
        assertThat(Described.bind("Upsample", params("CUBIC", 0, 1), x).violations())
                .extracting(Violation::message)
                .hasSize(3);
    }
}
