package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Products of dense matrices: {@link VectorKernels#multiplyRows} and {@link VectorKernels#addRow}. */
final class DenseTiles {

    /*
     * Tiles of rows and two vectors of columns. The last tile of either direction ends with the matrix and computes some of
     * the one before again. Where a row is shorter than a tile, what is stored behind it is overwritten by the rows below.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    /** For sums that begin as values of their own: copies of one register take HotSpot's allocator many more. */
    private static final float[] ZEROS = new float[12 * LANES];

    private DenseTiles() {}

    static void multiply(float[] a, int left, float[] b, int right, float[] y, int rows, int depth, int columns) {
        if (PanamaKernels.HAS_FEW_REGISTERS) {
            multiplyColumns(a, left, b, right, y, rows, depth, columns);
            return;
        }
        int height = rows >= 8 ? 8 : 4;
        int width = 2 * LANES;
        for (int row = 0; row < rows; row += height) {
            int first = Math.min(row, rows - height);
            int strip = left + first * depth;
            int to = first * columns;
            for (int column = 0; column < columns; column += width) {
                int at = Math.max(0, Math.min(column, columns - width));
                if (height == 8) {
                    rows8(a, strip, depth, b, right + at, columns, y, to + at);
                } else {
                    rows4(a, strip, depth, b, right + at, columns, y, to + at);
                }
            }
        }
    }

    /** Column by column of tiles: what they read of b stays in the first cache level. */
    private static void multiplyColumns(
            float[] a, int left, float[] b, int right, float[] y, int rows, int depth, int columns) {
        int height = rows >= 6 ? 6 : 4;
        int width = 2 * LANES;
        for (int column = 0; column < columns; column += width) {
            int at = Math.max(0, Math.min(column, columns - width));
            for (int row = 0; row < rows; row += height) {
                int first = Math.min(row, rows - height);
                int strip = left + first * depth;
                int to = first * columns + at;
                if (height == 6) {
                    rows6(a, strip, depth, b, right + at, columns, y, to);
                } else {
                    rows4(a, strip, depth, b, right + at, columns, y, to);
                }
            }
        }
    }

    private static void rows8(float[] a, int left, int depth, float[] b, int right, int columns, float[] y, int to) {
        FloatVector s00 = FloatVector.zero(SPECIES);
        FloatVector s01 = s00;
        FloatVector s10 = s00;
        FloatVector s11 = s00;
        FloatVector s20 = s00;
        FloatVector s21 = s00;
        FloatVector s30 = s00;
        FloatVector s31 = s00;
        FloatVector s40 = s00;
        FloatVector s41 = s00;
        FloatVector s50 = s00;
        FloatVector s51 = s00;
        FloatVector s60 = s00;
        FloatVector s61 = s00;
        FloatVector s70 = s00;
        FloatVector s71 = s00;
        for (int k = 0; k < depth; k++) {
            int at = right + k * columns;
            FloatVector x0 = FloatVector.fromArray(SPECIES, b, at);
            FloatVector x1 = FloatVector.fromArray(SPECIES, b, at + LANES);
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + depth]));
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * depth]));
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * depth]));
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4 * depth]));
            s40 = a4.fma(x0, s40);
            s41 = a4.fma(x1, s41);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5 * depth]));
            s50 = a5.fma(x0, s50);
            s51 = a5.fma(x1, s51);
            FloatVector a6 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 6 * depth]));
            s60 = a6.fma(x0, s60);
            s61 = a6.fma(x1, s61);
            FloatVector a7 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 7 * depth]));
            s70 = a7.fma(x0, s70);
            s71 = a7.fma(x1, s71);
        }
        KIND.cast(s00).intoArray(y, to);
        KIND.cast(s01).intoArray(y, to + LANES);
        KIND.cast(s10).intoArray(y, to + columns);
        KIND.cast(s11).intoArray(y, to + columns + LANES);
        KIND.cast(s20).intoArray(y, to + 2 * columns);
        KIND.cast(s21).intoArray(y, to + 2 * columns + LANES);
        KIND.cast(s30).intoArray(y, to + 3 * columns);
        KIND.cast(s31).intoArray(y, to + 3 * columns + LANES);
        KIND.cast(s40).intoArray(y, to + 4 * columns);
        KIND.cast(s41).intoArray(y, to + 4 * columns + LANES);
        KIND.cast(s50).intoArray(y, to + 5 * columns);
        KIND.cast(s51).intoArray(y, to + 5 * columns + LANES);
        KIND.cast(s60).intoArray(y, to + 6 * columns);
        KIND.cast(s61).intoArray(y, to + 6 * columns + LANES);
        KIND.cast(s70).intoArray(y, to + 7 * columns);
        KIND.cast(s71).intoArray(y, to + 7 * columns + LANES);
    }

    private static void rows6(float[] a, int left, int depth, float[] b, int right, int columns, float[] y, int to) {
        FloatVector s00 = FloatVector.fromArray(SPECIES, ZEROS, 0);
        FloatVector s01 = FloatVector.fromArray(SPECIES, ZEROS, LANES);
        FloatVector s10 = FloatVector.fromArray(SPECIES, ZEROS, 2 * LANES);
        FloatVector s11 = FloatVector.fromArray(SPECIES, ZEROS, 3 * LANES);
        FloatVector s20 = FloatVector.fromArray(SPECIES, ZEROS, 4 * LANES);
        FloatVector s21 = FloatVector.fromArray(SPECIES, ZEROS, 5 * LANES);
        FloatVector s30 = FloatVector.fromArray(SPECIES, ZEROS, 6 * LANES);
        FloatVector s31 = FloatVector.fromArray(SPECIES, ZEROS, 7 * LANES);
        FloatVector s40 = FloatVector.fromArray(SPECIES, ZEROS, 8 * LANES);
        FloatVector s41 = FloatVector.fromArray(SPECIES, ZEROS, 9 * LANES);
        FloatVector s50 = FloatVector.fromArray(SPECIES, ZEROS, 10 * LANES);
        FloatVector s51 = FloatVector.fromArray(SPECIES, ZEROS, 11 * LANES);
        for (int k = 0; k < depth; k++) {
            int at = right + k * columns;
            FloatVector x0 = FloatVector.fromArray(SPECIES, b, at);
            FloatVector x1 = FloatVector.fromArray(SPECIES, b, at + LANES);
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + depth]));
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * depth]));
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * depth]));
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4 * depth]));
            s40 = a4.fma(x0, s40);
            s41 = a4.fma(x1, s41);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5 * depth]));
            s50 = a5.fma(x0, s50);
            s51 = a5.fma(x1, s51);
        }
        KIND.cast(s00).intoArray(y, to);
        KIND.cast(s01).intoArray(y, to + LANES);
        KIND.cast(s10).intoArray(y, to + columns);
        KIND.cast(s11).intoArray(y, to + columns + LANES);
        KIND.cast(s20).intoArray(y, to + 2 * columns);
        KIND.cast(s21).intoArray(y, to + 2 * columns + LANES);
        KIND.cast(s30).intoArray(y, to + 3 * columns);
        KIND.cast(s31).intoArray(y, to + 3 * columns + LANES);
        KIND.cast(s40).intoArray(y, to + 4 * columns);
        KIND.cast(s41).intoArray(y, to + 4 * columns + LANES);
        KIND.cast(s50).intoArray(y, to + 5 * columns);
        KIND.cast(s51).intoArray(y, to + 5 * columns + LANES);
    }

    private static void rows4(float[] a, int left, int depth, float[] b, int right, int columns, float[] y, int to) {
        FloatVector s00 = FloatVector.zero(SPECIES);
        FloatVector s01 = s00;
        FloatVector s10 = s00;
        FloatVector s11 = s00;
        FloatVector s20 = s00;
        FloatVector s21 = s00;
        FloatVector s30 = s00;
        FloatVector s31 = s00;
        for (int k = 0; k < depth; k++) {
            int at = right + k * columns;
            FloatVector x0 = FloatVector.fromArray(SPECIES, b, at);
            FloatVector x1 = FloatVector.fromArray(SPECIES, b, at + LANES);
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + depth]));
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * depth]));
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * depth]));
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
        }
        KIND.cast(s00).intoArray(y, to);
        KIND.cast(s01).intoArray(y, to + LANES);
        KIND.cast(s10).intoArray(y, to + columns);
        KIND.cast(s11).intoArray(y, to + columns + LANES);
        KIND.cast(s20).intoArray(y, to + 2 * columns);
        KIND.cast(s21).intoArray(y, to + 2 * columns + LANES);
        KIND.cast(s30).intoArray(y, to + 3 * columns);
        KIND.cast(s31).intoArray(y, to + 3 * columns + LANES);
    }

    static void addRow(
            float[] a, int left, int depth, float[] b, int right, int columns, float[] y, int to, boolean isFirst) {
        for (int column = 0; column < columns; column += VectorKernels.ROW_VECTORS * LANES) {
            int at = to + column;
            FloatVector s0 = start(y, at, isFirst);
            FloatVector s1 = start(y, at + LANES, isFirst);
            FloatVector s2 = start(y, at + 2 * LANES, isFirst);
            FloatVector s3 = start(y, at + 3 * LANES, isFirst);
            for (int k = 0; k < depth; k++) {
                int from = right + k * columns + column;
                FloatVector factor = KIND.cast(FloatVector.broadcast(SPECIES, a[left + k]));
                s0 = factor.fma(FloatVector.fromArray(SPECIES, b, from), s0);
                s1 = factor.fma(FloatVector.fromArray(SPECIES, b, from + LANES), s1);
                s2 = factor.fma(FloatVector.fromArray(SPECIES, b, from + 2 * LANES), s2);
                s3 = factor.fma(FloatVector.fromArray(SPECIES, b, from + 3 * LANES), s3);
            }
            KIND.cast(s0).intoArray(y, at);
            KIND.cast(s1).intoArray(y, at + LANES);
            KIND.cast(s2).intoArray(y, at + 2 * LANES);
            KIND.cast(s3).intoArray(y, at + 3 * LANES);
        }
    }

    /** A vector of sums to go on with, or zeros. */
    private static FloatVector start(float[] y, int at, boolean isFirst) {
        return isFirst ? FloatVector.zero(SPECIES) : FloatVector.fromArray(SPECIES, y, at);
    }
}
