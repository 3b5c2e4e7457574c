package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The transforms of F(4x4, 3x3): along the columns first, then along the rows. */
final class WinogradLoopsOfFour implements WinogradLoops {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.BLOCK_KIND;
    private static final int PIXEL = BlockedView.LANES;
    private static final int TILE = 4;
    private static final int REACH = 6;

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
        FloatVector d1 = KIND.cast(FloatVector.fromArray(SPECIES, d, from + apart));
        FloatVector d2 = KIND.cast(FloatVector.fromArray(SPECIES, d, from + 2 * apart));
        FloatVector d3 = KIND.cast(FloatVector.fromArray(SPECIES, d, from + 3 * apart));
        FloatVector d4 = KIND.cast(FloatVector.fromArray(SPECIES, d, from + 4 * apart));
        FloatVector a = KIND.cast(d2.fma(FloatVector.broadcast(SPECIES, -4), d4));
        FloatVector b = d1.fma(FloatVector.broadcast(SPECIES, -4), d3);
        FloatVector c = KIND.cast(d4.sub(d2));
        FloatVector e = KIND.cast(d3.sub(d1));
        FloatVector twice = e.add(e);
        KIND.cast(a.add(b)).intoArray(to, at + step);
        KIND.cast(a.sub(b)).intoArray(to, at + 2 * step);
        KIND.cast(c.add(twice)).intoArray(to, at + 3 * step);
        KIND.cast(c.sub(twice)).intoArray(to, at + 4 * step);
        KIND.cast(FloatVector.fromArray(SPECIES, d, from))
                .fma(FloatVector.broadcast(SPECIES, 4), d2.fma(FloatVector.broadcast(SPECIES, -5), d4))
                .intoArray(to, at);
        d1.fma(
                        FloatVector.broadcast(SPECIES, 4),
                        d3.fma(
                                FloatVector.broadcast(SPECIES, -5),
                                KIND.cast(FloatVector.fromArray(SPECIES, d, from + 5 * apart))))
                .intoArray(to, at + 5 * step);
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
        FloatVector m3 = KIND.cast(FloatVector.fromArray(SPECIES, m, from + 3 * apart));
        FloatVector m4 = KIND.cast(FloatVector.fromArray(SPECIES, m, from + 4 * apart));
        FloatVector a = KIND.cast(m1.add(m2));
        FloatVector b = KIND.cast(m1.sub(m2));
        FloatVector c = KIND.cast(m3.add(m4));
        FloatVector e = KIND.cast(m3.sub(m4));
        KIND.cast(KIND.cast(FloatVector.fromArray(SPECIES, m, from)).add(a))
                .add(c)
                .intoArray(to, at);
        KIND.cast(e.add(e)).add(b).intoArray(to, at + step);
        KIND.cast(c.fma(FloatVector.broadcast(SPECIES, 4), a)).intoArray(to, at + 2 * step);
        KIND.cast(e.fma(FloatVector.broadcast(SPECIES, 8), b))
                .add(KIND.cast(FloatVector.fromArray(SPECIES, m, from + 5 * apart)))
                .intoArray(to, at + 3 * step);
    }
}
