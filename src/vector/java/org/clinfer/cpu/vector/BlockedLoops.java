package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The loops over blocked channels. */
final class BlockedLoops implements BlockedKernels {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.BLOCK_KIND;
    private static final int PIXEL = 16;

    /** Lanes of a pixel that a loop takes at a time, and where its second vector begins; 0 if one vector is a whole pixel. */
    private static final int STEP = Math.min(PIXEL, 2 * LANES);

    private static final int SECOND = STEP - LANES;

    private static final int PIXELS = PanamaKernels.HAS_FEW_REGISTERS ? 6 : 7;
    private static final WinogradLoops OF_FOUR = new WinogradLoopsOfFour();
    private static final WinogradLoops OF_TWO = new WinogradLoopsOfTwo();

    @Override
    public int pixels() {
        return PIXELS;
    }

    @Override
    public int width() {
        return 2 * LANES;
    }

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public VectorFunctions functions() {
        return PanamaKernels.FUNCTIONS;
    }

    @Override
    public WinogradLoops winograd(WinogradTile tile) {
        return switch (tile) {
            case FOUR -> OF_FOUR;
            case TWO -> OF_TWO;
        };
    }

    @Override
    public void addTile(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            float[] sums,
            int sum,
            int pitch,
            int vectors) {
        BlockedTiles.add(w, weight, x, at, offsets, from, terms, sums, sum, pitch, vectors);
    }

    @Override
    public void sumColumns(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int terms,
            float[] sums,
            int sum,
            int pitch,
            int vectors) {
        if (PanamaKernels.HAS_FEW_REGISTERS) {
            ColumnTiles.sum6x2(w, weight, x, at, offsets, terms, sums, sum, pitch);
        } else if (vectors == 2) {
            ColumnTiles.sum7x2(w, weight, x, at, offsets, terms, sums, sum, pitch);
        } else {
            ColumnTiles.sum7x1(w, weight, x, at, offsets, terms, sums, sum);
        }
    }

    @Override
    public void movePixels(float[] from, float[] to, int target, int pixels) {
        for (int i = 0; i < pixels * PIXEL; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, from, i))
                    .add(KIND.cast(FloatVector.fromArray(SPECIES, to, target + i)))
                    .intoArray(to, target + i);
            KIND.cast(FloatVector.broadcast(SPECIES, 0)).intoArray(from, i);
        }
    }

    @Override
    public void copyPixels(float[] from, int at, int step, float[] to, int target, int count) {
        for (int i = 0; i < count; i++) {
            for (int lane = 0; lane < PIXEL; lane += LANES) {
                KIND.cast(FloatVector.fromArray(SPECIES, from, at + i * step + lane))
                        .intoArray(to, target + i * PIXEL + lane);
            }
        }
    }

    @Override
    public void sumWindows(
            float[] x, int at, int step, int[] offsets, float[] w, int weight, float[] sums, int sum, int pixels) {
        boolean isOfThree = isOfThreeColumns(offsets);
        for (int lane = 0; lane < PIXEL; lane += LANES) {
            if (pixels < WindowTiles.PIXELS) {
                sumEach(x, at + lane, step, offsets, w, weight + lane, sums, sum + lane, pixels);
                continue;
            }
            for (int tile = 0; tile < pixels; tile += WindowTiles.PIXELS) {
                int i = Math.min(tile, pixels - WindowTiles.PIXELS);
                int from = at + i * step + lane;
                int to = sum + i * PIXEL + lane;
                if (isOfThree && step == PIXEL) {
                    WindowTiles.sumThrees(x, from, offsets, w, weight + lane, sums, to);
                } else if (isOfThree && step == 2 * PIXEL) {
                    WindowTiles.sumThreesOfStrideTwo(x, from, offsets, w, weight + lane, sums, to);
                } else {
                    WindowTiles.sum(x, from, step, offsets, w, weight + lane, sums, to);
                }
            }
        }
    }

    /** {@return whether a kernel's taps are rows of three pixels that follow one another} */
    private static boolean isOfThreeColumns(int[] offsets) {
        boolean is = offsets.length % 3 == 0;
        for (int row = 0; is && row < offsets.length; row += 3) {
            is = offsets[row + 1] == offsets[row] + PIXEL && offsets[row + 2] == offsets[row] + 2 * PIXEL;
        }
        return is;
    }

    private static void sumEach(
            float[] x, int at, int step, int[] offsets, float[] w, int weight, float[] sums, int sum, int pixels) {
        for (int i = 0; i < pixels; i++) {
            FloatVector total = FloatVector.zero(SPECIES);
            for (int k = 0; k < offsets.length; k++) {
                FloatVector factor = KIND.cast(FloatVector.fromArray(SPECIES, w, weight + k * PIXEL));
                total = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, at + i * step + offsets[k])), total);
            }
            KIND.cast(total).intoArray(sums, sum + i * PIXEL);
        }
    }

    @Override
    public void maxWindows(float[] x, int at, int step, int apart, int taps, float[] best, int to, int pixels) {
        for (int lane = 0; lane < PIXEL; lane += LANES) {
            if (taps == 3) {
                maxOfThree(x, at + lane, step, apart, best, to + lane, pixels);
            } else {
                maxOfAny(x, at + lane, step, apart, taps, best, to + lane, pixels);
            }
        }
    }

    /** Written out, because a loop in a loop takes longer than what it does. */
    private static void maxOfThree(float[] x, int at, int step, int apart, float[] best, int to, int pixels) {
        for (int i = 0; i < pixels; i++) {
            int p = at + i * step;
            FloatVector first = KIND.cast(FloatVector.fromArray(SPECIES, x, p));
            FloatVector second = KIND.cast(FloatVector.fromArray(SPECIES, x, p + apart));
            FloatVector third = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 2 * apart));
            KIND.cast(first.max(second).max(third)).intoArray(best, to + i * PIXEL);
        }
    }

    private static void maxOfAny(float[] x, int at, int step, int apart, int taps, float[] best, int to, int pixels) {
        for (int i = 0; i < pixels; i++) {
            FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
            for (int k = 0; k < taps; k++) {
                most = KIND.cast(FloatVector.fromArray(SPECIES, x, at + i * step + k * apart))
                        .max(most);
            }
            KIND.cast(most).intoArray(best, to + i * PIXEL);
        }
    }

    @Override
    public void addBias(
            float[] sums,
            int at,
            float[] to,
            int target,
            int pixels,
            float[] bias,
            int channel,
            float low,
            float high) {
        FloatVector least = FloatVector.broadcast(SPECIES, low);
        FloatVector most = FloatVector.broadcast(SPECIES, high);
        for (int lane = 0; lane < PIXEL; lane += STEP) {
            FloatVector first = KIND.cast(FloatVector.fromArray(SPECIES, bias, channel + lane));
            FloatVector second = KIND.cast(FloatVector.fromArray(SPECIES, bias, channel + lane + SECOND));
            for (int i = lane; i < pixels * PIXEL; i += PIXEL) {
                FloatVector sum =
                        KIND.cast(FloatVector.fromArray(SPECIES, sums, at + i)).add(first);
                Bounds.within(sum, least, most).intoArray(to, target + i);
                if (SECOND > 0) {
                    sum = KIND.cast(FloatVector.fromArray(SPECIES, sums, at + i + SECOND))
                            .add(second);
                    Bounds.within(sum, least, most).intoArray(to, target + i + SECOND);
                }
            }
        }
    }

    @Override
    public void addBoth(
            float[] sums,
            int at,
            float[] to,
            int target,
            int pixels,
            float[] bias,
            int channel,
            float[] other,
            int from,
            float low,
            float high) {
        FloatVector least = FloatVector.broadcast(SPECIES, low);
        FloatVector most = FloatVector.broadcast(SPECIES, high);
        for (int lane = 0; lane < PIXEL; lane += STEP) {
            FloatVector first = KIND.cast(FloatVector.fromArray(SPECIES, bias, channel + lane));
            FloatVector second = KIND.cast(FloatVector.fromArray(SPECIES, bias, channel + lane + SECOND));
            for (int i = lane; i < pixels * PIXEL; i += PIXEL) {
                FloatVector sum = KIND.cast(FloatVector.fromArray(SPECIES, sums, at + i))
                        .add(first)
                        .add(KIND.cast(FloatVector.fromArray(SPECIES, other, from + i)));
                Bounds.within(sum, least, most).intoArray(to, target + i);
                if (SECOND > 0) {
                    sum = KIND.cast(FloatVector.fromArray(SPECIES, sums, at + i + SECOND))
                            .add(second)
                            .add(KIND.cast(FloatVector.fromArray(SPECIES, other, from + i + SECOND)));
                    Bounds.within(sum, least, most).intoArray(to, target + i + SECOND);
                }
            }
        }
    }
}
