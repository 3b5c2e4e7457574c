package org.clinfer.cpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.clinfer.cpu.vector.VectorFunctions.Fold;

/** Folds of floats, a vector at a time; sums are those of doubles. */
final class FoldLoops {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final VectorSpecies<Double> DOUBLES = SPECIES.withLanes(double.class);
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;
    private static final int WIDE = DOUBLES.length();
    private static final Class<? extends DoubleVector> WIDE_KIND =
            DOUBLES.vectorType().asSubclass(DoubleVector.class);

    private FoldLoops() {}

    /** The fold of an array, or of a part of it. */
    static double fold(Fold kind, float[] values, int from, int to) {
        return switch (kind) {
            case SUM -> sum(values, from, to);
            case MAXIMUM -> maximum(values, from, to);
            case MINIMUM -> minimum(values, from, to);
            case SUM_OF_SIZES -> sumOfSizes(values, from, to);
            case SUM_OF_SQUARES -> sumOfSquares(values, from, to);
        };
    }

    private static double sum(float[] values, int from, int to) {
        DoubleVector s0 = DoubleVector.zero(DOUBLES);
        DoubleVector s1 = s0;
        DoubleVector s2 = s0;
        DoubleVector s3 = s0;
        int i = from;
        for (; i <= to - 4 * WIDE; i += 4 * WIDE) {
            s0 = WIDE_KIND
                    .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, values, i)
                            .convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .add(s0);
            s1 = WIDE_KIND
                    .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, values, i + WIDE)
                            .convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .add(s1);
            s2 = WIDE_KIND
                    .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, values, i + 2 * WIDE)
                            .convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .add(s2);
            s3 = WIDE_KIND
                    .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, values, i + 3 * WIDE)
                            .convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .add(s3);
        }
        for (; i <= to - WIDE; i += WIDE) {
            s0 = WIDE_KIND
                    .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, values, i)
                            .convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .add(s0);
        }
        double rest = 0;
        for (; i < to; i++) {
            rest += values[i];
        }
        return WIDE_KIND.cast(s0).add(s1).add(WIDE_KIND.cast(s2).add(s3)).reduceLanes(VectorOperators.ADD) + rest;
    }

    private static double sumOfSizes(float[] values, int from, int to) {
        DoubleVector s0 = DoubleVector.zero(DOUBLES);
        int i = from;
        for (; i <= to - WIDE; i += WIDE) {
            s0 = WIDE_KIND
                    .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, values, i)
                            .convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .abs()
                    .add(s0);
        }
        double rest = 0;
        for (; i < to; i++) {
            rest += Math.abs(values[i]);
        }
        return WIDE_KIND.cast(s0).reduceLanes(VectorOperators.ADD) + rest;
    }

    private static double sumOfSquares(float[] values, int from, int to) {
        DoubleVector s0 = DoubleVector.zero(DOUBLES);
        int i = from;
        for (; i <= to - WIDE; i += WIDE) {
            DoubleVector x = WIDE_KIND.cast(
                    FloatVector.fromArray(Pairs.HALF_FLOATS, values, i).convertShape(VectorOperators.F2D, DOUBLES, 0));
            s0 = x.fma(x, s0);
        }
        double rest = 0;
        for (; i < to; i++) {
            rest += (double) values[i] * values[i];
        }
        return WIDE_KIND.cast(s0).reduceLanes(VectorOperators.ADD) + rest;
    }

    private static float maximum(float[] values, int from, int to) {
        FloatVector m0 = KIND.cast(FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY));
        FloatVector m1 = m0;
        int i = from;
        for (; i <= to - 2 * LANES; i += 2 * LANES) {
            m0 = KIND.cast(FloatVector.fromArray(SPECIES, values, i)).max(m0);
            m1 = KIND.cast(FloatVector.fromArray(SPECIES, values, i + LANES)).max(m1);
        }
        for (; i <= to - LANES; i += LANES) {
            m0 = KIND.cast(FloatVector.fromArray(SPECIES, values, i)).max(m0);
        }
        float rest = Float.NEGATIVE_INFINITY;
        for (; i < to; i++) {
            rest = Math.max(rest, values[i]);
        }
        return Math.max(KIND.cast(m0).max(m1).reduceLanes(VectorOperators.MAX), rest);
    }

    private static float minimum(float[] values, int from, int to) {
        FloatVector m0 = KIND.cast(FloatVector.broadcast(SPECIES, Float.POSITIVE_INFINITY));
        FloatVector m1 = m0;
        int i = from;
        for (; i <= to - 2 * LANES; i += 2 * LANES) {
            m0 = KIND.cast(FloatVector.fromArray(SPECIES, values, i)).min(m0);
            m1 = KIND.cast(FloatVector.fromArray(SPECIES, values, i + LANES)).min(m1);
        }
        for (; i <= to - LANES; i += LANES) {
            m0 = KIND.cast(FloatVector.fromArray(SPECIES, values, i)).min(m0);
        }
        float rest = Float.POSITIVE_INFINITY;
        for (; i < to; i++) {
            rest = Math.min(rest, values[i]);
        }
        return Math.min(KIND.cast(m0).min(m1).reduceLanes(VectorOperators.MIN), rest);
    }

    /** Adds a row to the sums of columns. */
    static void addRow(Fold kind, double[] sums, float[] row, int count) {
        if (kind == Fold.SUM) {
            for (int i = 0; i < count; i += WIDE) {
                WIDE_KIND
                        .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, row, i)
                                .convertShape(VectorOperators.F2D, DOUBLES, 0))
                        .add(DoubleVector.fromArray(DOUBLES, sums, i))
                        .intoArray(sums, i);
            }
        } else if (kind == Fold.SUM_OF_SIZES) {
            for (int i = 0; i < count; i += WIDE) {
                WIDE_KIND
                        .cast(FloatVector.fromArray(Pairs.HALF_FLOATS, row, i)
                                .convertShape(VectorOperators.F2D, DOUBLES, 0))
                        .abs()
                        .add(DoubleVector.fromArray(DOUBLES, sums, i))
                        .intoArray(sums, i);
            }
        } else {
            for (int i = 0; i < count; i += WIDE) {
                DoubleVector x = WIDE_KIND.cast(
                        FloatVector.fromArray(Pairs.HALF_FLOATS, row, i).convertShape(VectorOperators.F2D, DOUBLES, 0));
                x.fma(x, DoubleVector.fromArray(DOUBLES, sums, i)).intoArray(sums, i);
            }
        }
    }
}
