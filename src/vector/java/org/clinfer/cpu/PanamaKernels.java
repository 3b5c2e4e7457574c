package org.clinfer.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The loops in the Vector API, for vectors of the width that the processor prefers. */
final class PanamaKernels implements VectorKernels {

    /*
     * Tiles are written out, because the sums have to be local variables to stay in registers: 8 x 2 sums, two vectors of
     * the right matrix and one of the left are 19 registers. Processors with 16 take such a tile as two of 4 x 2.
     */
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    private static final int LANES = SPECIES.length();

    /** For blocked channels: 16 of them make whole vectors. */
    static final VectorSpecies<Float> BLOCK_SPECIES = LANES > 16 ? FloatVector.SPECIES_512 : SPECIES;

    /** AVX2 and before have 16 registers, everything else with vectors has 32. */
    static final boolean HAS_FEW_REGISTERS =
            LANES < 16 && System.getProperty("os.arch", "").matches("amd64|x86_64|x86");

    private static final BlockedKernels BLOCKED = new BlockedLoops();

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public BlockedKernels blocked() {
        return BLOCKED;
    }

    @Override
    public void addPacked(
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
        if (rows > 4 && !HAS_FEW_REGISTERS) {
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

    @Override
    public void addRows(
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
        if (rows == 8 && !HAS_FEW_REGISTERS) {
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

    /** A vector of sums to go on with, or zeros. */
    private static FloatVector start(float[] sums, int at, boolean isFirst) {
        return isFirst ? FloatVector.zero(SPECIES) : FloatVector.fromArray(SPECIES, sums, at);
    }

    @Override
    public void sumTaps(float[] x, int at, int[] offsets, float[] weights, int weight, float[] sums, int count) {
        int j = 0;
        for (; j + 4 * LANES <= count; j += 4 * LANES) {
            sumFour(x, at + j, offsets, weights, weight, sums, j);
        }
        for (; j < count; j += LANES) {
            FloatVector sum = FloatVector.zero(SPECIES);
            for (int k = 0; k < offsets.length; k++) {
                FloatVector factor = FloatVector.broadcast(SPECIES, weights[weight + k]);
                sum = factor.fma(FloatVector.fromArray(SPECIES, x, at + j + offsets[k]), sum);
            }
            sum.intoArray(sums, j);
        }
    }

    private static void sumFour(float[] x, int at, int[] offsets, float[] weights, int weight, float[] sums, int sum) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        for (int k = 0; k < offsets.length; k++) {
            FloatVector factor = FloatVector.broadcast(SPECIES, weights[weight + k]);
            int from = at + offsets[k];
            s0 = factor.fma(FloatVector.fromArray(SPECIES, x, from), s0);
            s1 = factor.fma(FloatVector.fromArray(SPECIES, x, from + LANES), s1);
            s2 = factor.fma(FloatVector.fromArray(SPECIES, x, from + 2 * LANES), s2);
            s3 = factor.fma(FloatVector.fromArray(SPECIES, x, from + 3 * LANES), s3);
        }
        s0.intoArray(sums, sum);
        s1.intoArray(sums, sum + LANES);
        s2.intoArray(sums, sum + 2 * LANES);
        s3.intoArray(sums, sum + 3 * LANES);
    }

    @Override
    public void maxTaps(float[] x, int at, int[] offsets, float[] best, int count) {
        for (int j = 0; j < count; j += LANES) {
            FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
            for (int k = 0; k < offsets.length; k++) {
                most = most.max(FloatVector.fromArray(SPECIES, x, at + j + offsets[k]));
            }
            most.intoArray(best, j);
        }
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
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, at);
            FloatVector x1 = FloatVector.fromArray(SPECIES, x, at + LANES);
            int w = left + 8 * k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + 1]);
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2]);
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3]);
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
            FloatVector a4 = FloatVector.broadcast(SPECIES, a[w + 4]);
            s40 = a4.fma(x0, s40);
            s41 = a4.fma(x1, s41);
            FloatVector a5 = FloatVector.broadcast(SPECIES, a[w + 5]);
            s50 = a5.fma(x0, s50);
            s51 = a5.fma(x1, s51);
            FloatVector a6 = FloatVector.broadcast(SPECIES, a[w + 6]);
            s60 = a6.fma(x0, s60);
            s61 = a6.fma(x1, s61);
            FloatVector a7 = FloatVector.broadcast(SPECIES, a[w + 7]);
            s70 = a7.fma(x0, s70);
            s71 = a7.fma(x1, s71);
        }
        s00.intoArray(sums, sum);
        s01.intoArray(sums, sum + LANES);
        s10.intoArray(sums, sum + pitch);
        s11.intoArray(sums, sum + pitch + LANES);
        s20.intoArray(sums, sum + 2 * pitch);
        s21.intoArray(sums, sum + 2 * pitch + LANES);
        s30.intoArray(sums, sum + 3 * pitch);
        s31.intoArray(sums, sum + 3 * pitch + LANES);
        s40.intoArray(sums, sum + 4 * pitch);
        s41.intoArray(sums, sum + 4 * pitch + LANES);
        s50.intoArray(sums, sum + 5 * pitch);
        s51.intoArray(sums, sum + 5 * pitch + LANES);
        s60.intoArray(sums, sum + 6 * pitch);
        s61.intoArray(sums, sum + 6 * pitch + LANES);
        s70.intoArray(sums, sum + 7 * pitch);
        s71.intoArray(sums, sum + 7 * pitch + LANES);
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
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, at);
            int w = left + 8 * k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + 1]);
            s10 = a1.fma(x0, s10);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2]);
            s20 = a2.fma(x0, s20);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3]);
            s30 = a3.fma(x0, s30);
            FloatVector a4 = FloatVector.broadcast(SPECIES, a[w + 4]);
            s40 = a4.fma(x0, s40);
            FloatVector a5 = FloatVector.broadcast(SPECIES, a[w + 5]);
            s50 = a5.fma(x0, s50);
            FloatVector a6 = FloatVector.broadcast(SPECIES, a[w + 6]);
            s60 = a6.fma(x0, s60);
            FloatVector a7 = FloatVector.broadcast(SPECIES, a[w + 7]);
            s70 = a7.fma(x0, s70);
        }
        s00.intoArray(sums, sum);
        s10.intoArray(sums, sum + pitch);
        s20.intoArray(sums, sum + 2 * pitch);
        s30.intoArray(sums, sum + 3 * pitch);
        s40.intoArray(sums, sum + 4 * pitch);
        s50.intoArray(sums, sum + 5 * pitch);
        s60.intoArray(sums, sum + 6 * pitch);
        s70.intoArray(sums, sum + 7 * pitch);
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
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, at);
            FloatVector x1 = FloatVector.fromArray(SPECIES, x, at + LANES);
            int w = left + 8 * k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + 1]);
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2]);
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3]);
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
        }
        s00.intoArray(sums, sum);
        s01.intoArray(sums, sum + LANES);
        s10.intoArray(sums, sum + pitch);
        s11.intoArray(sums, sum + pitch + LANES);
        s20.intoArray(sums, sum + 2 * pitch);
        s21.intoArray(sums, sum + 2 * pitch + LANES);
        s30.intoArray(sums, sum + 3 * pitch);
        s31.intoArray(sums, sum + 3 * pitch + LANES);
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
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, at);
            int w = left + 8 * k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + 1]);
            s10 = a1.fma(x0, s10);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2]);
            s20 = a2.fma(x0, s20);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3]);
            s30 = a3.fma(x0, s30);
        }
        s00.intoArray(sums, sum);
        s10.intoArray(sums, sum + pitch);
        s20.intoArray(sums, sum + 2 * pitch);
        s30.intoArray(sums, sum + 3 * pitch);
    }

    private static void rows82(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = FloatVector.fromArray(SPECIES, sums[row], column);
        FloatVector s01 = FloatVector.fromArray(SPECIES, sums[row], column + LANES);
        FloatVector s10 = FloatVector.fromArray(SPECIES, sums[row + 1], column);
        FloatVector s11 = FloatVector.fromArray(SPECIES, sums[row + 1], column + LANES);
        FloatVector s20 = FloatVector.fromArray(SPECIES, sums[row + 2], column);
        FloatVector s21 = FloatVector.fromArray(SPECIES, sums[row + 2], column + LANES);
        FloatVector s30 = FloatVector.fromArray(SPECIES, sums[row + 3], column);
        FloatVector s31 = FloatVector.fromArray(SPECIES, sums[row + 3], column + LANES);
        FloatVector s40 = FloatVector.fromArray(SPECIES, sums[row + 4], column);
        FloatVector s41 = FloatVector.fromArray(SPECIES, sums[row + 4], column + LANES);
        FloatVector s50 = FloatVector.fromArray(SPECIES, sums[row + 5], column);
        FloatVector s51 = FloatVector.fromArray(SPECIES, sums[row + 5], column + LANES);
        FloatVector s60 = FloatVector.fromArray(SPECIES, sums[row + 6], column);
        FloatVector s61 = FloatVector.fromArray(SPECIES, sums[row + 6], column + LANES);
        FloatVector s70 = FloatVector.fromArray(SPECIES, sums[row + 7], column);
        FloatVector s71 = FloatVector.fromArray(SPECIES, sums[row + 7], column + LANES);
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = FloatVector.fromArray(SPECIES, right, column);
            FloatVector x1 = FloatVector.fromArray(SPECIES, right, column + LANES);
            int w = left + k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + pitch]);
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2 * pitch]);
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3 * pitch]);
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
            FloatVector a4 = FloatVector.broadcast(SPECIES, a[w + 4 * pitch]);
            s40 = a4.fma(x0, s40);
            s41 = a4.fma(x1, s41);
            FloatVector a5 = FloatVector.broadcast(SPECIES, a[w + 5 * pitch]);
            s50 = a5.fma(x0, s50);
            s51 = a5.fma(x1, s51);
            FloatVector a6 = FloatVector.broadcast(SPECIES, a[w + 6 * pitch]);
            s60 = a6.fma(x0, s60);
            s61 = a6.fma(x1, s61);
            FloatVector a7 = FloatVector.broadcast(SPECIES, a[w + 7 * pitch]);
            s70 = a7.fma(x0, s70);
            s71 = a7.fma(x1, s71);
        }
        s00.intoArray(sums[row], column);
        s01.intoArray(sums[row], column + LANES);
        s10.intoArray(sums[row + 1], column);
        s11.intoArray(sums[row + 1], column + LANES);
        s20.intoArray(sums[row + 2], column);
        s21.intoArray(sums[row + 2], column + LANES);
        s30.intoArray(sums[row + 3], column);
        s31.intoArray(sums[row + 3], column + LANES);
        s40.intoArray(sums[row + 4], column);
        s41.intoArray(sums[row + 4], column + LANES);
        s50.intoArray(sums[row + 5], column);
        s51.intoArray(sums[row + 5], column + LANES);
        s60.intoArray(sums[row + 6], column);
        s61.intoArray(sums[row + 6], column + LANES);
        s70.intoArray(sums[row + 7], column);
        s71.intoArray(sums[row + 7], column + LANES);
    }

    private static void rows81(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = FloatVector.fromArray(SPECIES, sums[row], column);
        FloatVector s10 = FloatVector.fromArray(SPECIES, sums[row + 1], column);
        FloatVector s20 = FloatVector.fromArray(SPECIES, sums[row + 2], column);
        FloatVector s30 = FloatVector.fromArray(SPECIES, sums[row + 3], column);
        FloatVector s40 = FloatVector.fromArray(SPECIES, sums[row + 4], column);
        FloatVector s50 = FloatVector.fromArray(SPECIES, sums[row + 5], column);
        FloatVector s60 = FloatVector.fromArray(SPECIES, sums[row + 6], column);
        FloatVector s70 = FloatVector.fromArray(SPECIES, sums[row + 7], column);
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = FloatVector.fromArray(SPECIES, right, column);
            int w = left + k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + pitch]);
            s10 = a1.fma(x0, s10);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2 * pitch]);
            s20 = a2.fma(x0, s20);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3 * pitch]);
            s30 = a3.fma(x0, s30);
            FloatVector a4 = FloatVector.broadcast(SPECIES, a[w + 4 * pitch]);
            s40 = a4.fma(x0, s40);
            FloatVector a5 = FloatVector.broadcast(SPECIES, a[w + 5 * pitch]);
            s50 = a5.fma(x0, s50);
            FloatVector a6 = FloatVector.broadcast(SPECIES, a[w + 6 * pitch]);
            s60 = a6.fma(x0, s60);
            FloatVector a7 = FloatVector.broadcast(SPECIES, a[w + 7 * pitch]);
            s70 = a7.fma(x0, s70);
        }
        s00.intoArray(sums[row], column);
        s10.intoArray(sums[row + 1], column);
        s20.intoArray(sums[row + 2], column);
        s30.intoArray(sums[row + 3], column);
        s40.intoArray(sums[row + 4], column);
        s50.intoArray(sums[row + 5], column);
        s60.intoArray(sums[row + 6], column);
        s70.intoArray(sums[row + 7], column);
    }

    private static void rows42(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = FloatVector.fromArray(SPECIES, sums[row], column);
        FloatVector s01 = FloatVector.fromArray(SPECIES, sums[row], column + LANES);
        FloatVector s10 = FloatVector.fromArray(SPECIES, sums[row + 1], column);
        FloatVector s11 = FloatVector.fromArray(SPECIES, sums[row + 1], column + LANES);
        FloatVector s20 = FloatVector.fromArray(SPECIES, sums[row + 2], column);
        FloatVector s21 = FloatVector.fromArray(SPECIES, sums[row + 2], column + LANES);
        FloatVector s30 = FloatVector.fromArray(SPECIES, sums[row + 3], column);
        FloatVector s31 = FloatVector.fromArray(SPECIES, sums[row + 3], column + LANES);
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = FloatVector.fromArray(SPECIES, right, column);
            FloatVector x1 = FloatVector.fromArray(SPECIES, right, column + LANES);
            int w = left + k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            s01 = a0.fma(x1, s01);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + pitch]);
            s10 = a1.fma(x0, s10);
            s11 = a1.fma(x1, s11);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2 * pitch]);
            s20 = a2.fma(x0, s20);
            s21 = a2.fma(x1, s21);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3 * pitch]);
            s30 = a3.fma(x0, s30);
            s31 = a3.fma(x1, s31);
        }
        s00.intoArray(sums[row], column);
        s01.intoArray(sums[row], column + LANES);
        s10.intoArray(sums[row + 1], column);
        s11.intoArray(sums[row + 1], column + LANES);
        s20.intoArray(sums[row + 2], column);
        s21.intoArray(sums[row + 2], column + LANES);
        s30.intoArray(sums[row + 3], column);
        s31.intoArray(sums[row + 3], column + LANES);
    }

    private static void rows41(
            float[] a, int left, int pitch, float[][] panel, int depth, int column, float[][] sums, int row) {
        FloatVector s00 = FloatVector.fromArray(SPECIES, sums[row], column);
        FloatVector s10 = FloatVector.fromArray(SPECIES, sums[row + 1], column);
        FloatVector s20 = FloatVector.fromArray(SPECIES, sums[row + 2], column);
        FloatVector s30 = FloatVector.fromArray(SPECIES, sums[row + 3], column);
        for (int k = 0; k < depth; k++) {
            float[] right = panel[k];
            FloatVector x0 = FloatVector.fromArray(SPECIES, right, column);
            int w = left + k;
            FloatVector a0 = FloatVector.broadcast(SPECIES, a[w]);
            s00 = a0.fma(x0, s00);
            FloatVector a1 = FloatVector.broadcast(SPECIES, a[w + pitch]);
            s10 = a1.fma(x0, s10);
            FloatVector a2 = FloatVector.broadcast(SPECIES, a[w + 2 * pitch]);
            s20 = a2.fma(x0, s20);
            FloatVector a3 = FloatVector.broadcast(SPECIES, a[w + 3 * pitch]);
            s30 = a3.fma(x0, s30);
        }
        s00.intoArray(sums[row], column);
        s10.intoArray(sums[row + 1], column);
        s20.intoArray(sums[row + 2], column);
        s30.intoArray(sums[row + 3], column);
    }

    private static void rows12(float[] a, int left, float[][] panel, int depth, int column, float[] sums) {
        FloatVector s0 = FloatVector.fromArray(SPECIES, sums, column);
        FloatVector s1 = FloatVector.fromArray(SPECIES, sums, column + LANES);
        for (int k = 0; k < depth; k++) {
            FloatVector factor = FloatVector.broadcast(SPECIES, a[left + k]);
            s0 = factor.fma(FloatVector.fromArray(SPECIES, panel[k], column), s0);
            s1 = factor.fma(FloatVector.fromArray(SPECIES, panel[k], column + LANES), s1);
        }
        s0.intoArray(sums, column);
        s1.intoArray(sums, column + LANES);
    }

    private static void rows11(float[] a, int left, float[][] panel, int depth, int column, float[] sums) {
        FloatVector sum = FloatVector.fromArray(SPECIES, sums, column);
        for (int k = 0; k < depth; k++) {
            FloatVector factor = FloatVector.broadcast(SPECIES, a[left + k]);
            sum = factor.fma(FloatVector.fromArray(SPECIES, panel[k], column), sum);
        }
        sum.intoArray(sums, column);
    }
}
