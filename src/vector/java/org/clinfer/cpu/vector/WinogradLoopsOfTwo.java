package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The transforms of F(2x2, 3x3): along the columns first, then along the rows. */
final class WinogradLoopsOfTwo implements WinogradLoops {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.BLOCK_KIND;
    private static final int PIXEL = BlockedView.LANES;
    private static final int TILE = 2;
    private static final int REACH = 4;

    @Override
    public void transform(float[] x, int at, int pitch, int tiles, float[] columns, float[] to, int target, int apart) {
        for (int lane = 0; lane < PIXEL; lane += LANES) {
            for (int column = 0; column < TILE * tiles + 2; column++) {
                put(x, at + column * PIXEL + lane, pitch, columns, column * REACH * LANES, LANES);
            }
            for (int tile = 0; tile < tiles; tile++) {
                for (int row = 0; row < REACH; row++) {
                    int from = (tile * TILE * REACH + row) * LANES;
                    int first = target + row * REACH * apart + tile * PIXEL + lane;
                    put(columns, from, REACH * LANES, to, first, apart);
                }
            }
        }
    }

    /** B^T d. */
    private static void put(float[] d, int from, int apart, float[] to, int at, int step) {
        FloatVector d0 = KIND.cast(FloatVector.fromArray(SPECIES, d, from));
        FloatVector d1 = KIND.cast(FloatVector.fromArray(SPECIES, d, from + apart));
        FloatVector d2 = KIND.cast(FloatVector.fromArray(SPECIES, d, from + 2 * apart));
        FloatVector d3 = KIND.cast(FloatVector.fromArray(SPECIES, d, from + 3 * apart));
        KIND.cast(d0.sub(d2)).intoArray(to, at);
        KIND.cast(d1.add(d2)).intoArray(to, at + step);
        KIND.cast(d2.sub(d1)).intoArray(to, at + 2 * step);
        KIND.cast(d1.sub(d3)).intoArray(to, at + 3 * step);
    }

    @Override
    public void transformBack(float[] sums, int at, int apart, int tiles, float[] columns, float[] y, int pitch) {
        for (int tile = 0; tile < tiles; tile++) {
            for (int lane = 0; lane < PIXEL; lane += LANES) {
                int from = at + tile * PIXEL + lane;
                for (int column = 0; column < REACH; column++) {
                    back(sums, from + column * apart, REACH * apart, columns, column * TILE * LANES, LANES);
                }
                for (int row = 0; row < TILE; row++) {
                    back(columns, row * LANES, TILE * LANES, y, row * pitch + tile * TILE * PIXEL + lane, PIXEL);
                }
            }
        }
    }

    /** A^T m. */
    private static void back(float[] m, int from, int apart, float[] to, int at, int step) {
        FloatVector m1 = KIND.cast(FloatVector.fromArray(SPECIES, m, from + apart));
        FloatVector m2 = KIND.cast(FloatVector.fromArray(SPECIES, m, from + 2 * apart));
        KIND.cast(KIND.cast(FloatVector.fromArray(SPECIES, m, from)).add(m1))
                .add(m2)
                .intoArray(to, at);
        KIND.cast(m1.sub(m2))
                .sub(KIND.cast(FloatVector.fromArray(SPECIES, m, from + 3 * apart)))
                .intoArray(to, at + step);
    }
}
