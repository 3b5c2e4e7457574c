package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Products of strips of rows and panels of columns: {@link VectorKernels#multiplyStrips}. */
final class StripTiles {

    /*
     * Tiles of the rows of a strip and two vectors of columns. Both matrices are read at distances that HotSpot knows, which
     * leaves two pointers in the loop and no checks of bounds: with the distances of rows in variables, a third of the
     * instructions were additions of addresses.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    /** Rows of the largest tile. */
    private static final int ROWS = PanamaKernels.HAS_FEW_REGISTERS ? 6 : 10;

    /**
     * Terms at most. HotSpot divides loops that may have more than a hundred iterations into two, where its collector asks for
     * that, as G1 does; in the inner one the sums of tiles for few registers do not stay in them.
     */
    private static final int TERMS = PanamaKernels.HAS_FEW_REGISTERS ? 96 : 256;

    /** The distance of rows: none whose multiples meet in few sets of a cache. */
    private static final int APART = TERMS + 16;

    static final StripShape SHAPE = new StripShape(ROWS, TERMS, APART);

    /** For sums that begin as values of their own: copies of one register take HotSpot's allocator many more. */
    private static final float[] ZEROS = new float[2 * 10 * LANES];

    private StripTiles() {}

    /** Column by column of tiles: what they read of b stays in the first cache level. */
    static void multiply(
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
        float[] start = isFirst ? ZEROS : y;
        int distance = isFirst ? 2 * LANES : pitch;
        for (int column = 0; column < VectorKernels.PANEL; column += 2 * LANES) {
            for (int row = 0; row < rows; ) {
                int strip = left + row * APART;
                int at = to + row * pitch + column;
                int first = isFirst ? 0 : at;
                int height = height(rows - row);
                switch (height) {
                    case 10 -> rows10(start, first, distance, a, strip, depth, b, right + column, y, at, pitch);
                    case 8 -> rows8(start, first, distance, a, strip, depth, b, right + column, y, at, pitch);
                    case 6 -> rows6(start, first, distance, a, strip, depth, b, right + column, y, at, pitch);
                    default -> rows4(start, first, distance, a, strip, depth, b, right + column, y, at, pitch);
                }
                row += height;
            }
        }
    }

    /** {@return the rows of the next tile, where so many are left: all tiles together have few rows more} */
    private static int height(int rows) {
        if (rows <= 4) {
            return 4;
        }
        if (ROWS == 6) {
            return 6;
        }
        return rows <= 8 || (rows > 10 && rows <= 16) ? 8 : 10;
    }

    private static void rows10(
            float[] start,
            int first,
            int distance,
            float[] a,
            int left,
            int depth,
            float[] b,
            int right,
            float[] y,
            int to,
            int pitch) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, start, first));
        FloatVector s0b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + LANES));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance));
        FloatVector s1b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance + LANES));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance));
        FloatVector s2b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance + LANES));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance));
        FloatVector s3b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance + LANES));
        FloatVector s4a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 4 * distance));
        FloatVector s4b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 4 * distance + LANES));
        FloatVector s5a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 5 * distance));
        FloatVector s5b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 5 * distance + LANES));
        FloatVector s6a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 6 * distance));
        FloatVector s6b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 6 * distance + LANES));
        FloatVector s7a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 7 * distance));
        FloatVector s7b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 7 * distance + LANES));
        FloatVector s8a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 8 * distance));
        FloatVector s8b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 8 * distance + LANES));
        FloatVector s9a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 9 * distance));
        FloatVector s9b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 9 * distance + LANES));
        int terms = Math.min(depth, TERMS);
        for (int k = 0; k < terms; k++) {
            int at = right + k * VectorKernels.PANEL;
            FloatVector xa = KIND.cast(FloatVector.fromArray(SPECIES, b, at));
            FloatVector xb = KIND.cast(FloatVector.fromArray(SPECIES, b, at + LANES));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s0a = a0.fma(xa, s0a);
            s0b = a0.fma(xb, s0b);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + APART]));
            s1a = a1.fma(xa, s1a);
            s1b = a1.fma(xb, s1b);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * APART]));
            s2a = a2.fma(xa, s2a);
            s2b = a2.fma(xb, s2b);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * APART]));
            s3a = a3.fma(xa, s3a);
            s3b = a3.fma(xb, s3b);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4 * APART]));
            s4a = a4.fma(xa, s4a);
            s4b = a4.fma(xb, s4b);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5 * APART]));
            s5a = a5.fma(xa, s5a);
            s5b = a5.fma(xb, s5b);
            FloatVector a6 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 6 * APART]));
            s6a = a6.fma(xa, s6a);
            s6b = a6.fma(xb, s6b);
            FloatVector a7 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 7 * APART]));
            s7a = a7.fma(xa, s7a);
            s7b = a7.fma(xb, s7b);
            FloatVector a8 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 8 * APART]));
            s8a = a8.fma(xa, s8a);
            s8b = a8.fma(xb, s8b);
            FloatVector a9 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 9 * APART]));
            s9a = a9.fma(xa, s9a);
            s9b = a9.fma(xb, s9b);
        }
        KIND.cast(s0a).intoArray(y, to);
        KIND.cast(s0b).intoArray(y, to + LANES);
        KIND.cast(s1a).intoArray(y, to + pitch);
        KIND.cast(s1b).intoArray(y, to + pitch + LANES);
        KIND.cast(s2a).intoArray(y, to + 2 * pitch);
        KIND.cast(s2b).intoArray(y, to + 2 * pitch + LANES);
        KIND.cast(s3a).intoArray(y, to + 3 * pitch);
        KIND.cast(s3b).intoArray(y, to + 3 * pitch + LANES);
        KIND.cast(s4a).intoArray(y, to + 4 * pitch);
        KIND.cast(s4b).intoArray(y, to + 4 * pitch + LANES);
        KIND.cast(s5a).intoArray(y, to + 5 * pitch);
        KIND.cast(s5b).intoArray(y, to + 5 * pitch + LANES);
        KIND.cast(s6a).intoArray(y, to + 6 * pitch);
        KIND.cast(s6b).intoArray(y, to + 6 * pitch + LANES);
        KIND.cast(s7a).intoArray(y, to + 7 * pitch);
        KIND.cast(s7b).intoArray(y, to + 7 * pitch + LANES);
        KIND.cast(s8a).intoArray(y, to + 8 * pitch);
        KIND.cast(s8b).intoArray(y, to + 8 * pitch + LANES);
        KIND.cast(s9a).intoArray(y, to + 9 * pitch);
        KIND.cast(s9b).intoArray(y, to + 9 * pitch + LANES);
    }

    private static void rows8(
            float[] start,
            int first,
            int distance,
            float[] a,
            int left,
            int depth,
            float[] b,
            int right,
            float[] y,
            int to,
            int pitch) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, start, first));
        FloatVector s0b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + LANES));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance));
        FloatVector s1b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance + LANES));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance));
        FloatVector s2b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance + LANES));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance));
        FloatVector s3b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance + LANES));
        FloatVector s4a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 4 * distance));
        FloatVector s4b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 4 * distance + LANES));
        FloatVector s5a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 5 * distance));
        FloatVector s5b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 5 * distance + LANES));
        FloatVector s6a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 6 * distance));
        FloatVector s6b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 6 * distance + LANES));
        FloatVector s7a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 7 * distance));
        FloatVector s7b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 7 * distance + LANES));
        int terms = Math.min(depth, TERMS);
        for (int k = 0; k < terms; k++) {
            int at = right + k * VectorKernels.PANEL;
            FloatVector xa = KIND.cast(FloatVector.fromArray(SPECIES, b, at));
            FloatVector xb = KIND.cast(FloatVector.fromArray(SPECIES, b, at + LANES));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s0a = a0.fma(xa, s0a);
            s0b = a0.fma(xb, s0b);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + APART]));
            s1a = a1.fma(xa, s1a);
            s1b = a1.fma(xb, s1b);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * APART]));
            s2a = a2.fma(xa, s2a);
            s2b = a2.fma(xb, s2b);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * APART]));
            s3a = a3.fma(xa, s3a);
            s3b = a3.fma(xb, s3b);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4 * APART]));
            s4a = a4.fma(xa, s4a);
            s4b = a4.fma(xb, s4b);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5 * APART]));
            s5a = a5.fma(xa, s5a);
            s5b = a5.fma(xb, s5b);
            FloatVector a6 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 6 * APART]));
            s6a = a6.fma(xa, s6a);
            s6b = a6.fma(xb, s6b);
            FloatVector a7 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 7 * APART]));
            s7a = a7.fma(xa, s7a);
            s7b = a7.fma(xb, s7b);
        }
        KIND.cast(s0a).intoArray(y, to);
        KIND.cast(s0b).intoArray(y, to + LANES);
        KIND.cast(s1a).intoArray(y, to + pitch);
        KIND.cast(s1b).intoArray(y, to + pitch + LANES);
        KIND.cast(s2a).intoArray(y, to + 2 * pitch);
        KIND.cast(s2b).intoArray(y, to + 2 * pitch + LANES);
        KIND.cast(s3a).intoArray(y, to + 3 * pitch);
        KIND.cast(s3b).intoArray(y, to + 3 * pitch + LANES);
        KIND.cast(s4a).intoArray(y, to + 4 * pitch);
        KIND.cast(s4b).intoArray(y, to + 4 * pitch + LANES);
        KIND.cast(s5a).intoArray(y, to + 5 * pitch);
        KIND.cast(s5b).intoArray(y, to + 5 * pitch + LANES);
        KIND.cast(s6a).intoArray(y, to + 6 * pitch);
        KIND.cast(s6b).intoArray(y, to + 6 * pitch + LANES);
        KIND.cast(s7a).intoArray(y, to + 7 * pitch);
        KIND.cast(s7b).intoArray(y, to + 7 * pitch + LANES);
    }

    private static void rows6(
            float[] start,
            int first,
            int distance,
            float[] a,
            int left,
            int depth,
            float[] b,
            int right,
            float[] y,
            int to,
            int pitch) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, start, first));
        FloatVector s0b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + LANES));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance));
        FloatVector s1b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance + LANES));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance));
        FloatVector s2b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance + LANES));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance));
        FloatVector s3b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance + LANES));
        FloatVector s4a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 4 * distance));
        FloatVector s4b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 4 * distance + LANES));
        FloatVector s5a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 5 * distance));
        FloatVector s5b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 5 * distance + LANES));
        int terms = Math.min(depth, TERMS);
        for (int k = 0; k < terms; k++) {
            int at = right + k * VectorKernels.PANEL;
            FloatVector xa = KIND.cast(FloatVector.fromArray(SPECIES, b, at));
            FloatVector xb = KIND.cast(FloatVector.fromArray(SPECIES, b, at + LANES));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s0a = a0.fma(xa, s0a);
            s0b = a0.fma(xb, s0b);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + APART]));
            s1a = a1.fma(xa, s1a);
            s1b = a1.fma(xb, s1b);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * APART]));
            s2a = a2.fma(xa, s2a);
            s2b = a2.fma(xb, s2b);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * APART]));
            s3a = a3.fma(xa, s3a);
            s3b = a3.fma(xb, s3b);
            FloatVector a4 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 4 * APART]));
            s4a = a4.fma(xa, s4a);
            s4b = a4.fma(xb, s4b);
            FloatVector a5 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 5 * APART]));
            s5a = a5.fma(xa, s5a);
            s5b = a5.fma(xb, s5b);
        }
        KIND.cast(s0a).intoArray(y, to);
        KIND.cast(s0b).intoArray(y, to + LANES);
        KIND.cast(s1a).intoArray(y, to + pitch);
        KIND.cast(s1b).intoArray(y, to + pitch + LANES);
        KIND.cast(s2a).intoArray(y, to + 2 * pitch);
        KIND.cast(s2b).intoArray(y, to + 2 * pitch + LANES);
        KIND.cast(s3a).intoArray(y, to + 3 * pitch);
        KIND.cast(s3b).intoArray(y, to + 3 * pitch + LANES);
        KIND.cast(s4a).intoArray(y, to + 4 * pitch);
        KIND.cast(s4b).intoArray(y, to + 4 * pitch + LANES);
        KIND.cast(s5a).intoArray(y, to + 5 * pitch);
        KIND.cast(s5b).intoArray(y, to + 5 * pitch + LANES);
    }

    private static void rows4(
            float[] start,
            int first,
            int distance,
            float[] a,
            int left,
            int depth,
            float[] b,
            int right,
            float[] y,
            int to,
            int pitch) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, start, first));
        FloatVector s0b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + LANES));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance));
        FloatVector s1b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + distance + LANES));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance));
        FloatVector s2b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 2 * distance + LANES));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance));
        FloatVector s3b = KIND.cast(FloatVector.fromArray(SPECIES, start, first + 3 * distance + LANES));
        int terms = Math.min(depth, TERMS);
        for (int k = 0; k < terms; k++) {
            int at = right + k * VectorKernels.PANEL;
            FloatVector xa = KIND.cast(FloatVector.fromArray(SPECIES, b, at));
            FloatVector xb = KIND.cast(FloatVector.fromArray(SPECIES, b, at + LANES));
            int w = left + k;
            FloatVector a0 = KIND.cast(FloatVector.broadcast(SPECIES, a[w]));
            s0a = a0.fma(xa, s0a);
            s0b = a0.fma(xb, s0b);
            FloatVector a1 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + APART]));
            s1a = a1.fma(xa, s1a);
            s1b = a1.fma(xb, s1b);
            FloatVector a2 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 2 * APART]));
            s2a = a2.fma(xa, s2a);
            s2b = a2.fma(xb, s2b);
            FloatVector a3 = KIND.cast(FloatVector.broadcast(SPECIES, a[w + 3 * APART]));
            s3a = a3.fma(xa, s3a);
            s3b = a3.fma(xb, s3b);
        }
        KIND.cast(s0a).intoArray(y, to);
        KIND.cast(s0b).intoArray(y, to + LANES);
        KIND.cast(s1a).intoArray(y, to + pitch);
        KIND.cast(s1b).intoArray(y, to + pitch + LANES);
        KIND.cast(s2a).intoArray(y, to + 2 * pitch);
        KIND.cast(s2b).intoArray(y, to + 2 * pitch + LANES);
        KIND.cast(s3a).intoArray(y, to + 3 * pitch);
        KIND.cast(s3b).intoArray(y, to + 3 * pitch + LANES);
    }
}
