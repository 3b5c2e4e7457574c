package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Tiles of a product whose left matrix is packed, as {@link VectorKernels#addPacked} adds them. */
final class PackedTiles {

    /*
     * Written out, because the sums have to be local variables to stay in registers: 8 x 2 sums, two vectors of the right
     * matrix and one of the left are 19 registers. Processors with 16 take such a tile as two of 4 x 2.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private PackedTiles() {}

    static void add(
            float[] a,
            int left,
            float[] x,
            int right,
            int[] offsets,
            int from,
            int depth,
            float[] sums,
            int sum,
            int pitch,
            int rows,
            int vectors,
            boolean isFirst) {
        if (rows > 4 && !PanamaKernels.HAS_FEW_REGISTERS) {
            if (vectors == 2) {
                packed82(a, left, x, right, offsets, from, depth, sums, sum, pitch, isFirst);
            } else {
                packed81(a, left, x, right, offsets, from, depth, sums, sum, pitch, isFirst);
            }
            return;
        }
        for (int row = 0; row < rows; row += 4) {
            if (vectors == 2) {
                packed42(a, left + row, x, right, offsets, from, depth, sums, sum + row * pitch, pitch, isFirst);
            } else {
                packed41(a, left + row, x, right, offsets, from, depth, sums, sum + row * pitch, pitch, isFirst);
            }
        }
    }

    /** A vector of sums to go on with, or zeros. */
    private static FloatVector start(float[] sums, int at, boolean isFirst) {
        return isFirst ? FloatVector.zero(SPECIES) : KIND.cast(FloatVector.fromArray(SPECIES, sums, at));
    }

    private static void packed82(
            float[] a,
            int left,
            float[] x,
            int right,
            int[] offsets,
            int from,
            int depth,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s00 = start(sums, sum, isFirst);
        FloatVector s01 = start(sums, sum + LANES, isFirst);
        FloatVector s10 = start(sums, sum + pitch, isFirst);
        FloatVector s11 = start(sums, sum + pitch + LANES, isFirst);
        FloatVector s20 = start(sums, sum + 2 * pitch, isFirst);
        FloatVector s21 = start(sums, sum + 2 * pitch + LANES, isFirst);
        FloatVector s30 = start(sums, sum + 3 * pitch, isFirst);
        FloatVector s31 = start(sums, sum + 3 * pitch + LANES, isFirst);
        FloatVector s40 = start(sums, sum + 4 * pitch, isFirst);
        FloatVector s41 = start(sums, sum + 4 * pitch + LANES, isFirst);
        FloatVector s50 = start(sums, sum + 5 * pitch, isFirst);
        FloatVector s51 = start(sums, sum + 5 * pitch + LANES, isFirst);
        FloatVector s60 = start(sums, sum + 6 * pitch, isFirst);
        FloatVector s61 = start(sums, sum + 6 * pitch + LANES, isFirst);
        FloatVector s70 = start(sums, sum + 7 * pitch, isFirst);
        FloatVector s71 = start(sums, sum + 7 * pitch + LANES, isFirst);
        for (int k = 0; k < depth; k++) {
            int at = right + offsets[from + k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, x, at));
            FloatVector x1 = KIND.cast(FloatVector.fromArray(SPECIES, x, at + LANES));
            int w = left + 8 * k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 1]));
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2]));
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3]));
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4]));
            s40 = a4.fma(x0, s40);
            s41 = a4.fma(x1, s41);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5]));
            s50 = a5.fma(x0, s50);
            s51 = a5.fma(x1, s51);
            FloatVector a6 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 6]));
            s60 = a6.fma(x0, s60);
            s61 = a6.fma(x1, s61);
            FloatVector a7 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 7]));
            s70 = a7.fma(x0, s70);
            s71 = a7.fma(x1, s71);
        }
        KIND.cast(s00).intoArray(sums, sum);
        KIND.cast(s01).intoArray(sums, sum + LANES);
        KIND.cast(s10).intoArray(sums, sum + pitch);
        KIND.cast(s11).intoArray(sums, sum + pitch + LANES);
        KIND.cast(s20).intoArray(sums, sum + 2 * pitch);
        KIND.cast(s21).intoArray(sums, sum + 2 * pitch + LANES);
        KIND.cast(s30).intoArray(sums, sum + 3 * pitch);
        KIND.cast(s31).intoArray(sums, sum + 3 * pitch + LANES);
        KIND.cast(s40).intoArray(sums, sum + 4 * pitch);
        KIND.cast(s41).intoArray(sums, sum + 4 * pitch + LANES);
        KIND.cast(s50).intoArray(sums, sum + 5 * pitch);
        KIND.cast(s51).intoArray(sums, sum + 5 * pitch + LANES);
        KIND.cast(s60).intoArray(sums, sum + 6 * pitch);
        KIND.cast(s61).intoArray(sums, sum + 6 * pitch + LANES);
        KIND.cast(s70).intoArray(sums, sum + 7 * pitch);
        KIND.cast(s71).intoArray(sums, sum + 7 * pitch + LANES);
    }

    private static void packed81(
            float[] a,
            int left,
            float[] x,
            int right,
            int[] offsets,
            int from,
            int depth,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s00 = start(sums, sum, isFirst);
        FloatVector s10 = start(sums, sum + pitch, isFirst);
        FloatVector s20 = start(sums, sum + 2 * pitch, isFirst);
        FloatVector s30 = start(sums, sum + 3 * pitch, isFirst);
        FloatVector s40 = start(sums, sum + 4 * pitch, isFirst);
        FloatVector s50 = start(sums, sum + 5 * pitch, isFirst);
        FloatVector s60 = start(sums, sum + 6 * pitch, isFirst);
        FloatVector s70 = start(sums, sum + 7 * pitch, isFirst);
        for (int k = 0; k < depth; k++) {
            int at = right + offsets[from + k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, x, at));
            int w = left + 8 * k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 1]));
            s10 = a1.fma(x0, s10);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2]));
            s20 = a2.fma(x0, s20);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3]));
            s30 = a3.fma(x0, s30);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4]));
            s40 = a4.fma(x0, s40);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5]));
            s50 = a5.fma(x0, s50);
            FloatVector a6 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 6]));
            s60 = a6.fma(x0, s60);
            FloatVector a7 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 7]));
            s70 = a7.fma(x0, s70);
        }
        KIND.cast(s00).intoArray(sums, sum);
        KIND.cast(s10).intoArray(sums, sum + pitch);
        KIND.cast(s20).intoArray(sums, sum + 2 * pitch);
        KIND.cast(s30).intoArray(sums, sum + 3 * pitch);
        KIND.cast(s40).intoArray(sums, sum + 4 * pitch);
        KIND.cast(s50).intoArray(sums, sum + 5 * pitch);
        KIND.cast(s60).intoArray(sums, sum + 6 * pitch);
        KIND.cast(s70).intoArray(sums, sum + 7 * pitch);
    }

    private static void packed42(
            float[] a,
            int left,
            float[] x,
            int right,
            int[] offsets,
            int from,
            int depth,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s00 = start(sums, sum, isFirst);
        FloatVector s01 = start(sums, sum + LANES, isFirst);
        FloatVector s10 = start(sums, sum + pitch, isFirst);
        FloatVector s11 = start(sums, sum + pitch + LANES, isFirst);
        FloatVector s20 = start(sums, sum + 2 * pitch, isFirst);
        FloatVector s21 = start(sums, sum + 2 * pitch + LANES, isFirst);
        FloatVector s30 = start(sums, sum + 3 * pitch, isFirst);
        FloatVector s31 = start(sums, sum + 3 * pitch + LANES, isFirst);
        for (int k = 0; k < depth; k++) {
            int at = right + offsets[from + k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, x, at));
            FloatVector x1 = KIND.cast(FloatVector.fromArray(SPECIES, x, at + LANES));
            int w = left + 8 * k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 1]));
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2]));
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3]));
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
        }
        KIND.cast(s00).intoArray(sums, sum);
        KIND.cast(s01).intoArray(sums, sum + LANES);
        KIND.cast(s10).intoArray(sums, sum + pitch);
        KIND.cast(s11).intoArray(sums, sum + pitch + LANES);
        KIND.cast(s20).intoArray(sums, sum + 2 * pitch);
        KIND.cast(s21).intoArray(sums, sum + 2 * pitch + LANES);
        KIND.cast(s30).intoArray(sums, sum + 3 * pitch);
        KIND.cast(s31).intoArray(sums, sum + 3 * pitch + LANES);
    }

    private static void packed41(
            float[] a,
            int left,
            float[] x,
            int right,
            int[] offsets,
            int from,
            int depth,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s00 = start(sums, sum, isFirst);
        FloatVector s10 = start(sums, sum + pitch, isFirst);
        FloatVector s20 = start(sums, sum + 2 * pitch, isFirst);
        FloatVector s30 = start(sums, sum + 3 * pitch, isFirst);
        for (int k = 0; k < depth; k++) {
            int at = right + offsets[from + k];
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, x, at));
            int w = left + 8 * k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s00 = a0.fma(x0, s00);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 1]));
            s10 = a1.fma(x0, s10);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2]));
            s20 = a2.fma(x0, s20);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3]));
            s30 = a3.fma(x0, s30);
        }
        KIND.cast(s00).intoArray(sums, sum);
        KIND.cast(s10).intoArray(sums, sum + pitch);
        KIND.cast(s20).intoArray(sums, sum + 2 * pitch);
        KIND.cast(s30).intoArray(sums, sum + 3 * pitch);
    }
}
