package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Tiles of a product of rows with rows, as {@link VectorKernels#addRows} adds them. */
final class RowTiles {

    /*
     * Written out, because the sums have to be local variables to stay in registers: 8 x 2 sums, two vectors of the right
     * matrix and one of the left are 19 registers. Processors with 16 take such a tile as two of 4 x 2.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private RowTiles() {}

    static void add(
            float[] a,
            int left,
            int pitch,
            float[][] panel,
            int depth,
            int column,
            float[][] sums,
            int row,
            int rows,
            int vectors) {
        int done = 0;
        if (rows == 8 && !PanamaKernels.HAS_FEW_REGISTERS) {
            if (vectors == 2) {
                rows82(a, left, pitch, panel, depth, column, sums, row);
            } else {
                rows81(a, left, pitch, panel, depth, column, sums, row);
            }
            return;
        }
        for (; done + 4 <= rows; done += 4) {
            if (vectors == 2) {
                rows42(a, left + done * pitch, pitch, panel, depth, column, sums, row + done);
            } else {
                rows41(a, left + done * pitch, pitch, panel, depth, column, sums, row + done);
            }
        }
        for (; done < rows; done++) {
            if (vectors == 2) {
                rows12(a, left + done * pitch, panel, depth, column, sums[row + done]);
            } else {
                rows11(a, left + done * pitch, panel, depth, column, sums[row + done]);
            }
        }
    }

    private static void rows82(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row], column));
        FloatVector s01 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row], column + LANES));
        FloatVector s10 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 1], column));
        FloatVector s11 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 1], column + LANES));
        FloatVector s20 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 2], column));
        FloatVector s21 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 2], column + LANES));
        FloatVector s30 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 3], column));
        FloatVector s31 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 3], column + LANES));
        FloatVector s40 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 4], column));
        FloatVector s41 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 4], column + LANES));
        FloatVector s50 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 5], column));
        FloatVector s51 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 5], column + LANES));
        FloatVector s60 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 6], column));
        FloatVector s61 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 6], column + LANES));
        FloatVector s70 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 7], column));
        FloatVector s71 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 7], column + LANES));
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, right, column));
            FloatVector x1 = KIND.cast(FloatVector.fromArray(SPECIES, right, column + LANES));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + pitch]));
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * pitch]));
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * pitch]));
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4 * pitch]));
            s40 = a4.fma(x0, s40);
            s41 = a4.fma(x1, s41);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5 * pitch]));
            s50 = a5.fma(x0, s50);
            s51 = a5.fma(x1, s51);
            FloatVector a6 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 6 * pitch]));
            s60 = a6.fma(x0, s60);
            s61 = a6.fma(x1, s61);
            FloatVector a7 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 7 * pitch]));
            s70 = a7.fma(x0, s70);
            s71 = a7.fma(x1, s71);
        }
        KIND.cast(s00).intoArray(sums[row], column);
        KIND.cast(s01).intoArray(sums[row], column + LANES);
        KIND.cast(s10).intoArray(sums[row + 1], column);
        KIND.cast(s11).intoArray(sums[row + 1], column + LANES);
        KIND.cast(s20).intoArray(sums[row + 2], column);
        KIND.cast(s21).intoArray(sums[row + 2], column + LANES);
        KIND.cast(s30).intoArray(sums[row + 3], column);
        KIND.cast(s31).intoArray(sums[row + 3], column + LANES);
        KIND.cast(s40).intoArray(sums[row + 4], column);
        KIND.cast(s41).intoArray(sums[row + 4], column + LANES);
        KIND.cast(s50).intoArray(sums[row + 5], column);
        KIND.cast(s51).intoArray(sums[row + 5], column + LANES);
        KIND.cast(s60).intoArray(sums[row + 6], column);
        KIND.cast(s61).intoArray(sums[row + 6], column + LANES);
        KIND.cast(s70).intoArray(sums[row + 7], column);
        KIND.cast(s71).intoArray(sums[row + 7], column + LANES);
    }

    private static void rows81(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row], column));
        FloatVector s10 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 1], column));
        FloatVector s20 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 2], column));
        FloatVector s30 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 3], column));
        FloatVector s40 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 4], column));
        FloatVector s50 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 5], column));
        FloatVector s60 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 6], column));
        FloatVector s70 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 7], column));
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, right, column));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + pitch]));
            s10 = a1.fma(x0, s10);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * pitch]));
            s20 = a2.fma(x0, s20);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * pitch]));
            s30 = a3.fma(x0, s30);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4 * pitch]));
            s40 = a4.fma(x0, s40);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5 * pitch]));
            s50 = a5.fma(x0, s50);
            FloatVector a6 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 6 * pitch]));
            s60 = a6.fma(x0, s60);
            FloatVector a7 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 7 * pitch]));
            s70 = a7.fma(x0, s70);
        }
        KIND.cast(s00).intoArray(sums[row], column);
        KIND.cast(s10).intoArray(sums[row + 1], column);
        KIND.cast(s20).intoArray(sums[row + 2], column);
        KIND.cast(s30).intoArray(sums[row + 3], column);
        KIND.cast(s40).intoArray(sums[row + 4], column);
        KIND.cast(s50).intoArray(sums[row + 5], column);
        KIND.cast(s60).intoArray(sums[row + 6], column);
        KIND.cast(s70).intoArray(sums[row + 7], column);
    }

    private static void rows42(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row], column));
        FloatVector s01 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row], column + LANES));
        FloatVector s10 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 1], column));
        FloatVector s11 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 1], column + LANES));
        FloatVector s20 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 2], column));
        FloatVector s21 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 2], column + LANES));
        FloatVector s30 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 3], column));
        FloatVector s31 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 3], column + LANES));
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, right, column));
            FloatVector x1 = KIND.cast(FloatVector.fromArray(SPECIES, right, column + LANES));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + pitch]));
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * pitch]));
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * pitch]));
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
        }
        KIND.cast(s00).intoArray(sums[row], column);
        KIND.cast(s01).intoArray(sums[row], column + LANES);
        KIND.cast(s10).intoArray(sums[row + 1], column);
        KIND.cast(s11).intoArray(sums[row + 1], column + LANES);
        KIND.cast(s20).intoArray(sums[row + 2], column);
        KIND.cast(s21).intoArray(sums[row + 2], column + LANES);
        KIND.cast(s30).intoArray(sums[row + 3], column);
        KIND.cast(s31).intoArray(sums[row + 3], column + LANES);
    }

    private static void rows41(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row], column));
        FloatVector s10 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 1], column));
        FloatVector s20 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 2], column));
        FloatVector s30 = KIND.cast(FloatVector.fromArray(SPECIES, sums[row + 3], column));
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, right, column));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + pitch]));
            s10 = a1.fma(x0, s10);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * pitch]));
            s20 = a2.fma(x0, s20);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * pitch]));
            s30 = a3.fma(x0, s30);
        }
        KIND.cast(s00).intoArray(sums[row], column);
        KIND.cast(s10).intoArray(sums[row + 1], column);
        KIND.cast(s20).intoArray(sums[row + 2], column);
        KIND.cast(s30).intoArray(sums[row + 3], column);
    }

    private static void rows12(float[] a, int left, float[][] panel, int depth, int column, float[] sums) {
        FloatVector s0 = KIND.cast(FloatVector.fromArray(SPECIES, sums, column));
        FloatVector s1 = KIND.cast(FloatVector.fromArray(SPECIES, sums, column + LANES));
        for (int k = 0; k < depth; k++) {
            FloatVector factor = KIND.cast(FloatVector.broadcast(SPECIES, a[left + k]));
            s0 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, panel[k], column)), s0);
            s1 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, panel[k], column + LANES)), s1);
        }
        KIND.cast(s0).intoArray(sums, column);
        KIND.cast(s1).intoArray(sums, column + LANES);
    }

    private static void rows11(float[] a, int left, float[][] panel, int depth, int column, float[] sums) {
        FloatVector sum = KIND.cast(FloatVector.fromArray(SPECIES, sums, column));
        for (int k = 0; k < depth; k++) {
            FloatVector factor = KIND.cast(FloatVector.broadcast(SPECIES, a[left + k]));
            sum = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, panel[k], column)), sum);
        }
        KIND.cast(sum).intoArray(sums, column);
    }
}
