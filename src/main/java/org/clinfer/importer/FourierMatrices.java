package org.clinfer.importer;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Matrices by which Fourier transforms are products of rows; real and imaginary parts of complex numbers follow one another.
 * Rows of them may be fewer than the length: those of zeros behind a signal are left out.
 */
public final class FourierMatrices {

    private FourierMatrices() {}

    /** The elements of a matrix by row and column. */
    private interface Element {
        double at(int row, int column);
    }

    private static Tensor matrix(DType type, int rows, int columns, Element element) {
        Tensor matrix = Tensor.allocate(type, rows, columns);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                matrix.setDouble((long) row * columns + column, element.at(row, column));
            }
        }
        return matrix;
    }

    private static double turn(long times, int length) {
        return 2 * Math.PI * (times % length) / length;
    }

    /** The part of a product of a complex number with one of a turn: of part {@code from} for part {@code to}. */
    private static double product(int from, int to, double turn) {
        return from == to ? Math.cos(turn) : to == 0 ? -Math.sin(turn) : Math.sin(turn);
    }

    /**
     * The transform of complex numbers: {@code [2 count, 2 length]}.
     *
     * @param sign 1 forth, -1 back, which divides by the length
     */
    public static Tensor whole(DType type, int count, int length, int sign) {
        double scale = sign < 0 ? 1.0 / length : 1;
        return matrix(
                type,
                2 * count,
                2 * length,
                (row, column) ->
                        scale * product(row % 2, column % 2, -sign * turn((long) (row / 2) * (column / 2), length)));
    }

    /** The frequencies from 0 to that of half the length, of real numbers: {@code [count, 2 (length / 2 + 1)]}. */
    public static Tensor half(DType type, int count, int length) {
        return matrix(
                type,
                count,
                2 * (length / 2 + 1),
                (row, column) -> product(0, column % 2, -turn((long) row * (column / 2), length)));
    }

    /**
     * Real numbers of the frequencies up to half the length: {@code [2 count, length]}. Each but the first one, and that of half
     * the length, stands for its mirror image too.
     */
    public static Tensor fromHalf(DType type, int count, int length) {
        return matrix(type, 2 * count, length, (row, column) -> {
            int times = row / 2 == 0 || row / 2 * 2 == length ? 1 : 2;
            return (double) times / length * product(row % 2, 0, turn((long) (row / 2) * column, length));
        });
    }
}
