package org.clinfer.cpu.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Random;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PanelProductTest {

    private static final int[] ROWS = {1, 3, 4, 5, 6, 8, 9, 11, 13, 16, 17, 20, 40, 97, 133, 261};
    private static final int[] DEPTHS = {0, 1, 7, 95, 96, 97, 192, 193, 259, 600, 2049};
    private static final int[] COLUMNS = {0, 1, 8, 31, 32, 33, 150};
    private static final int POISON = 12345;

    private final Random random = new Random(31);

    private float[] random(int length, boolean areIntegers) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = areIntegers ? random.nextInt(2) * 510 - 255 : random.nextFloat() - 0.5f;
        }
        return values;
    }

    /** A matrix [depth, columns] in panels. */
    private static PanelProduct panels(float[] b, int depth, int columns, int width) {
        float[] panels = new float[(columns + width - 1) / width * width * depth];
        for (int i = 0; i < b.length; i++) {
            int column = i % columns;
            panels[column / width * width * depth + i / columns * width + column % width] = b[i];
        }
        return new PanelProduct(panels, depth, columns, width);
    }

    private static double[] product(float[] a, float[] b, int rows, int depth, int columns) {
        double[] y = new double[rows * columns];
        for (int i = 0; i < y.length; i++) {
            for (int k = 0; k < depth; k++) {
                y[i] += (double) a[i / columns * depth + k] * b[k * columns + i % columns];
            }
        }
        return y;
    }

    private void multipliesReals(@Nullable VectorKernels kernels) {
        try (Parallel parallel = Parallel.of(2)) {
            for (int rows : ROWS) {
                for (int depth : DEPTHS) {
                    int columns = COLUMNS[random.nextInt(COLUMNS.length)];
                    float[] a = random(rows * depth, false);
                    float[] b = random(depth * columns, false);
                    float[] y = new float[rows * columns + 2];
                    Arrays.fill(y, POISON);
                    panels(b, depth, columns, PanelProduct.width(rows))
                            .multiply(a, rows, new MatrixOperands.Destination(y, 1), parallel, kernels);
                    double[] expected = product(a, b, rows, depth, columns);
                    for (int i = 0; i < expected.length; i++) {
                        assertThat((double) y[i + 1])
                                .as("%d of %dx%dx%d", i, rows, depth, columns)
                                .isCloseTo(expected[i], within(1e-6 * (depth + 1)));
                    }
                    assertThat(y[0]).isEqualTo(POISON);
                    assertThat(y[y.length - 1]).isEqualTo(POISON);
                }
            }
        }
    }

    @Test
    void multipliesRows() {
        multipliesReals(null);
    }

    @Test
    void multipliesRowsInVectors() {
        VectorKernels kernels = CpuPath.current().kernels();
        assumeTrue(kernels != null);
        multipliesReals(kernels);
    }

    /** The matrix in panels of bytes with a zero point, beyond the last column anything. */
    private byte[] bytes(float[] b, int zero, int depth, int columns) {
        PanelProduct panels = panels(b, depth, columns, VectorKernels.PANEL);
        byte[] bytes = new byte[panels.panels().length];
        random.nextBytes(bytes);
        for (int k = 0; k < depth; k++) {
            for (int column = 0; column < columns; column++) {
                int panel = column / VectorKernels.PANEL;
                int at = (panel * depth + k) * VectorKernels.PANEL + column % VectorKernels.PANEL;
                bytes[at] = (byte) (panels.panels()[at] + zero);
            }
        }
        return bytes;
    }

    /** All factors are as large as they may be: a longer sum of floats would not be exact. */
    @Test
    void multipliesIntegersExactly() {
        VectorKernels kernels = CpuPath.current().kernels();
        if (kernels == null) {
            assumeTrue(false);
            return;
        }
        try (Parallel parallel = Parallel.of(2)) {
            for (int rows : ROWS) {
                for (int depth : DEPTHS) {
                    if (!PanelProduct.takesIntegers(rows)) {
                        continue;
                    }
                    int columns = COLUMNS[random.nextInt(COLUMNS.length)];
                    float[] a = random(rows * depth, true);
                    int zero = random.nextBoolean() ? 0 : 255;
                    float[] b = new float[depth * columns];
                    for (int i = 0; i < b.length; i++) {
                        b[i] = (i % columns == 0 ? 255 - zero : random.nextInt(256)) - zero;
                    }
                    Arrays.fill(a, 0, depth, 255);
                    int[] y = new int[rows * columns];
                    Arrays.fill(y, POISON);
                    PanelProduct.multiplyIntegers(
                            (row, count, into) -> System.arraycopy(a, row * depth, into, 0, count * depth),
                            rows,
                            new Panels.OfBytes(bytes(b, zero, depth, columns), 255, zero, depth, kernels),
                            columns,
                            (row, column, count, sums, at) ->
                                    System.arraycopy(sums, at, y, row * columns + column, count),
                            parallel,
                            kernels);
                    double[] expected = product(a, b, rows, depth, columns);
                    for (int i = 0; i < y.length; i++) {
                        assertThat((double) y[i])
                                .as("%d of %dx%dx%d", i, rows, depth, columns)
                                .isEqualTo(expected[i]);
                    }
                }
            }
        }
    }
}
