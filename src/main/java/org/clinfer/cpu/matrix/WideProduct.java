package org.clinfer.cpu.matrix;

import java.util.Arrays;
import org.clinfer.cpu.call.Parallel;

/** Row-major matrix products in double precision and in 64-bit integers, row by row. */
final class WideProduct {

    private WideProduct() {}

    /** A [rows, depth] times a [depth, columns] matrix, and where they and the result begin. */
    record Sizes(int rows, int depth, int columns, int a, int b, int y) {
        Sizes(int rows, int depth, int columns) {
            this(rows, depth, columns, 0, 0, 0);
        }

        private int grain() {
            return Math.max(1, (1 << 15) / Math.max(1, depth * columns));
        }
    }

    static void doubles(double[] a, double[] b, double[] y, Sizes sizes, Parallel parallel) {
        int columns = sizes.columns;
        parallel.forRange(sizes.rows, sizes.grain(), (from, to) -> {
            for (int row = from; row < to; row++) {
                int origin = sizes.y + row * columns;
                Arrays.fill(y, origin, origin + columns, 0);
                for (int k = 0; k < sizes.depth; k++) {
                    double weight = a[sizes.a + row * sizes.depth + k];
                    int right = sizes.b + k * columns;
                    for (int j = 0; j < columns; j++) {
                        y[origin + j] += weight * b[right + j];
                    }
                }
            }
        });
    }

    static void longs(long[] a, long[] b, long[] y, Sizes sizes, Parallel parallel) {
        int columns = sizes.columns;
        parallel.forRange(sizes.rows, sizes.grain(), (from, to) -> {
            for (int row = from; row < to; row++) {
                int origin = sizes.y + row * columns;
                Arrays.fill(y, origin, origin + columns, 0);
                for (int k = 0; k < sizes.depth; k++) {
                    long weight = a[sizes.a + row * sizes.depth + k];
                    int right = sizes.b + k * columns;
                    for (int j = 0; j < columns; j++) {
                        y[origin + j] += weight * b[right + j];
                    }
                }
            }
        });
    }
}
