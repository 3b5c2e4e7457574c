package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.clinfer.cpu.window.PoolLines;
import org.clinfer.cpu.window.ThreeFilters;
import org.clinfer.cpu.window.ThreeLines;
import org.clinfer.cpu.window.WindowLines;

/** The loops in the Vector API, for vectors of the width that the processor prefers. */
final class PanamaKernels implements VectorKernels {

    static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    private static final int LANES = SPECIES.length();

    /**
     * The class of the vectors. HotSpot forgets the width of a vector that goes round a loop, and sometimes that of one that
     * was loaded; a cast to its class tells it again, at no cost. Without it what the process ran before decides whether
     * methods on the vector are compiled well.
     */
    static final Class<? extends FloatVector> KIND = SPECIES.vectorType().asSubclass(FloatVector.class);

    /** For blocked channels: 16 of them make whole vectors. */
    static final VectorSpecies<Float> BLOCK_SPECIES = LANES > 16 ? FloatVector.SPECIES_512 : SPECIES;

    static final Class<? extends FloatVector> BLOCK_KIND =
            BLOCK_SPECIES.vectorType().asSubclass(FloatVector.class);

    /** AVX2 and before have 16 registers, everything else with vectors has 32. */
    static final boolean HAS_FEW_REGISTERS =
            LANES < 16 && System.getProperty("os.arch", "").matches("amd64|x86_64|x86");

    static final VectorFunctions FUNCTIONS = new FunctionLoops();

    private static final BlockedKernels BLOCKED = new BlockedLoops();

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public VectorFunctions functions() {
        return FUNCTIONS;
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
        PackedTiles.add(a, left, x, right, offsets, from, depth, sums, sum, pitch, rows, vectors, isFirst);
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
        RowTiles.add(a, left, pitch, panel, depth, column, sums, row, rows, vectors);
    }

    @Override
    public StripShape strips() {
        return StripTiles.SHAPE;
    }

    @Override
    public void multiplyStrips(
            float[] a,
            int left,
            float[] b,
            int right,
            float[] y,
            int to,
            int pitch,
            int rows,
            int depth,
            boolean isFirst) {
        StripTiles.multiply(a, left, b, right, y, to, pitch, rows, depth, isFirst);
    }

    @Override
    public void addRow(
            float[] a, int left, int depth, float[] b, int right, int columns, float[] y, int to, boolean isFirst) {
        RowSums.add(a, left, depth, b, right, columns, y, to, isFirst);
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
                FloatVector factor = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + k]));
                sum = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, at + j + offsets[k])), sum);
            }
            KIND.cast(sum).intoArray(sums, j);
        }
    }

    private static void sumFour(float[] x, int at, int[] offsets, float[] weights, int weight, float[] sums, int sum) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        for (int k = 0; k < offsets.length; k++) {
            FloatVector factor = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + k]));
            int from = at + offsets[k];
            s0 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, from)), s0);
            s1 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, from + LANES)), s1);
            s2 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, from + 2 * LANES)), s2);
            s3 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, from + 3 * LANES)), s3);
        }
        KIND.cast(s0).intoArray(sums, sum);
        KIND.cast(s1).intoArray(sums, sum + LANES);
        KIND.cast(s2).intoArray(sums, sum + 2 * LANES);
        KIND.cast(s3).intoArray(sums, sum + 3 * LANES);
    }

    @Override
    public void sumLines(
            WindowLines windows,
            int lines,
            int count,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float low,
            float high,
            float[] sums,
            int to) {
        if (windows.rows() == 3 && windows.meetsMiddle() && !windows.isFlat()) {
            WindowSums.ofThree(windows, lines, count, x, at, weights, weight, bias, low, high, sums, to);
        } else {
            WindowSums.ofAny(windows, lines, count, x, at, weights, weight, bias, low, high, sums, to);
        }
    }

    @Override
    public void sumThree(
            ThreeLines windows,
            ThreeFilters filters,
            int filter,
            int planes,
            int above,
            int given,
            int lines,
            float[] x,
            int at,
            float[] sums,
            int to) {
        if (NarrowThreeSums.suits(windows)) {
            NarrowThreeSums.sum(windows, filters, filter, planes, above, given, lines, x, at, sums, to);
            return;
        }
        for (int i = 0; i < planes; i++) {
            int from = at + i * given * windows.width();
            int target = to + i * lines * windows.out();
            ThreeSums.sum(windows, filters, filter + i, above, given, lines, x, from, sums, target);
        }
    }

    @Override
    public void poolPlane(PoolLines pool, boolean isMean, float[] x, int at, float[] folded, float[] y, int to) {
        PoolLoops.pool(pool, isMean, x, at, folded, y, to);
    }

    @Override
    public void halves(byte[] quantized, int at, int count, float zero, float scale, float[] real, int to) {
        DequantizationLoops.halves(quantized, at, count, zero, scale, real, to);
    }

    @Override
    public void quantize(float[] real, int at, int count, int zero, int low, int high, byte[] quantized, int to) {
        DequantizationLoops.quantize(real, at, count, zero, low, high, quantized, to);
    }

    @Override
    public void scale(int[] integers, int at, int count, float[] factors, int factor, float[] real) {
        DequantizationLoops.scale(integers, at, count, factors, factor, real);
    }

    @Override
    public void integers(byte[] quantized, int at, int count, int mask, int zero, float[] real, int to) {
        DequantizationLoops.integers(quantized, at, count, mask, zero, real, to);
    }

    @Override
    public void panel(byte[] quantized, int at, int[] offsets, int from, int depth, int mask, int zero, float[] real) {
        DequantizationLoops.panel(quantized, at, offsets, from, depth, mask, zero, real);
    }

    @Override
    public void sortPairs(float[] from, int at, int count, float[] to, int even, int odd) {
        Pairs.sort(from, at, count, to, even, odd);
    }

    @Override
    public void addIntegers(float[] sums, int[] totals, int count) {
        DequantizationLoops.addIntegers(sums, totals, count);
    }
}
