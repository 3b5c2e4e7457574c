package org.clinfer.cpu.vector;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.clinfer.cpu.window.PoolLines;

/** Pools of planes: {@link VectorKernels#poolPlane}. */
final class PoolLoops {

    /*
     * All lines of a plane are folded first, then along: what was stored a moment ago is slow to load at another
     * alignment. The end of a vector beyond a line falls on the padding behind it, which is written anew. With a stride
     * beyond 2 the results of all positions take the place of what they were made of, and the outputs are picked from there.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private PoolLoops() {}

    static void pool(PoolLines pool, boolean isMean, float[] x, int at, float[] folded, float[] y, int to) {
        FloatVector padding = KIND.cast(FloatVector.broadcast(SPECIES, isMean ? 0 : Float.NEGATIVE_INFINITY));
        int begin = 0;
        for (int row = 0; row < pool.rows(); row++) {
            int line = row * pool.pitch() + pool.lead();
            if (pool.stride() > 2) {
                Arrays.fill(folded, row * pool.pitch(), (row + 1) * pool.pitch(), isMean ? 0 : Float.NEGATIVE_INFINITY);
            }
            if (isMean) {
                sumLines(pool, begin, pool.ends()[row], x, at, folded, line);
            } else {
                maxLines(pool, begin, pool.ends()[row], x, at, folded, line);
            }
            padding.intoArray(folded, line + pool.width());
            begin = pool.ends()[row];
        }
        for (int row = 0; row < pool.rows(); row++) {
            int line = row * pool.pitch();
            int target = to + row * pool.out();
            if (isMean) {
                meansAlong(pool, pool.counts()[row], folded, line, y, target);
            } else {
                maximaAlong(pool, folded, line, y, target);
            }
            if (pool.stride() > 2) {
                RowKernels.everyNth(folded, line, pool.stride(), y, target, pool.out());
            }
        }
    }

    private static void sumLines(PoolLines pool, int begin, int end, float[] x, int at, float[] folded, int to) {
        int[] lines = pool.lines();
        if (end - begin == 3) {
            sumThree(x, at + lines[begin], at + lines[begin + 1], at + lines[begin + 2], pool.width(), folded, to);
            return;
        }
        if (end - begin == 2) {
            sumTwo(x, at + lines[begin], at + lines[begin + 1], pool.width(), folded, to);
            return;
        }
        for (int i = 0; i < pool.width(); i += LANES) {
            FloatVector sum = FloatVector.zero(SPECIES);
            for (int k = begin; k < end; k++) {
                sum = KIND.cast(FloatVector.fromArray(SPECIES, x, at + lines[k] + i))
                        .add(sum);
            }
            KIND.cast(sum).intoArray(folded, to + i);
        }
    }

    private static void sumThree(float[] x, int line0, int line1, int line2, int width, float[] folded, int to) {
        for (int i = 0; i < width; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, x, line0 + i))
                    .add(KIND.cast(FloatVector.fromArray(SPECIES, x, line1 + i)))
                    .add(KIND.cast(FloatVector.fromArray(SPECIES, x, line2 + i)))
                    .intoArray(folded, to + i);
        }
    }

    private static void sumTwo(float[] x, int line0, int line1, int width, float[] folded, int to) {
        for (int i = 0; i < width; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, x, line0 + i))
                    .add(KIND.cast(FloatVector.fromArray(SPECIES, x, line1 + i)))
                    .intoArray(folded, to + i);
        }
    }

    private static void maxLines(PoolLines pool, int begin, int end, float[] x, int at, float[] folded, int to) {
        int[] lines = pool.lines();
        if (end - begin == 3) {
            maxThree(x, at + lines[begin], at + lines[begin + 1], at + lines[begin + 2], pool.width(), folded, to);
            return;
        }
        if (end - begin == 2) {
            maxTwo(x, at + lines[begin], at + lines[begin + 1], pool.width(), folded, to);
            return;
        }
        for (int i = 0; i < pool.width(); i += LANES) {
            FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
            for (int k = begin; k < end; k++) {
                most = KIND.cast(FloatVector.fromArray(SPECIES, x, at + lines[k] + i))
                        .max(most);
            }
            KIND.cast(most).intoArray(folded, to + i);
        }
    }

    private static void maxThree(float[] x, int line0, int line1, int line2, int width, float[] folded, int to) {
        for (int i = 0; i < width; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, x, line0 + i))
                    .max(KIND.cast(FloatVector.fromArray(SPECIES, x, line1 + i)))
                    .max(KIND.cast(FloatVector.fromArray(SPECIES, x, line2 + i)))
                    .intoArray(folded, to + i);
        }
    }

    private static void maxTwo(float[] x, int line0, int line1, int width, float[] folded, int to) {
        for (int i = 0; i < width; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, x, line0 + i))
                    .max(KIND.cast(FloatVector.fromArray(SPECIES, x, line1 + i)))
                    .intoArray(folded, to + i);
        }
    }

    private static void meansAlong(PoolLines pool, float count, float[] folded, int at, float[] y, int to) {
        int stride = pool.stride();
        int step = pool.step();
        int taps = pool.taps();
        int positions = (pool.out() - 1) * stride + 1;
        FloatVector rows = FloatVector.broadcast(SPECIES, count);
        for (int i = 0; i < positions; i += LANES) {
            FloatVector sum = KIND.cast(FloatVector.fromArray(SPECIES, folded, at + i));
            int from = at + i + step;
            if (taps == 3) {
                sum = sum.add(KIND.cast(FloatVector.fromArray(SPECIES, folded, from)))
                        .add(KIND.cast(FloatVector.fromArray(SPECIES, folded, from + step)));
            } else {
                for (int k = 1; k < taps; k++) {
                    sum = KIND.cast(FloatVector.fromArray(SPECIES, folded, from))
                            .add(sum);
                    from += step;
                }
            }
            FloatVector mean = KIND.cast(sum)
                    .div(KIND.cast(FloatVector.fromArray(SPECIES, pool.countsAlong(), i))
                            .mul(rows));
            if (stride <= 2) {
                store(mean, stride, y, to + i / stride);
            } else {
                mean.intoArray(folded, at + i);
            }
        }
    }

    private static void maximaAlong(PoolLines pool, float[] folded, int at, float[] y, int to) {
        int stride = pool.stride();
        int step = pool.step();
        int taps = pool.taps();
        int positions = (pool.out() - 1) * stride + 1;
        for (int i = 0; i < positions; i += LANES) {
            FloatVector most = KIND.cast(FloatVector.fromArray(SPECIES, folded, at + i));
            int from = at + i + step;
            if (taps == 3) {
                most = most.max(KIND.cast(FloatVector.fromArray(SPECIES, folded, from)))
                        .max(KIND.cast(FloatVector.fromArray(SPECIES, folded, from + step)));
            } else {
                for (int k = 1; k < taps; k++) {
                    most = KIND.cast(FloatVector.fromArray(SPECIES, folded, from))
                            .max(most);
                    from += step;
                }
            }
            if (stride <= 2) {
                store(most, stride, y, to + i / stride);
            } else {
                KIND.cast(most).intoArray(folded, at + i);
            }
        }
    }

    /** Stores a vector of positions, or with a stride of 2 those where a window begins; up to a vector more. */
    private static void store(FloatVector values, int stride, float[] y, int at) {
        if (stride == 2) {
            Pairs.even(values).intoArray(y, at);
        } else {
            KIND.cast(values).intoArray(y, at);
        }
    }
}
