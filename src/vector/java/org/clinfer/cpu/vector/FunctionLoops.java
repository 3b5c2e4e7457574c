package org.clinfer.cpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Functions and folds of floats, a vector at a time. */
final class FunctionLoops implements VectorFunctions {

    /*
     * The exponential is that of FloatFunctions. tanh and erf are quotients of polynomials, odd by even, as Eigen has them:
     * wrong by a few units in the last place. 1 - erf, for the tails of gelu, is t * exp(P(t) - z^2) with t = 1 / (1 + z / 2)
     * (Numerical Recipes), wrong by 1e-7 of itself. log takes x = 2^e * m with m between sqrt(1/2) and sqrt(2), and
     * log(m) = 2 atanh((m - 1) / (m + 1)) by its series, as is log(1 + p) of softplus. Functions that need another one run
     * it over the array: a method of vectors that HotSpot has compiled by itself it no longer takes into a loop, and then
     * every vector is an object.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final VectorSpecies<Double> DOUBLES = SPECIES.withLanes(double.class);
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;
    private static final Class<? extends IntVector> INT_KIND =
            SPECIES.withLanes(int.class).vectorType().asSubclass(IntVector.class);
    private static final int WIDE = DOUBLES.length();
    private static final Class<? extends DoubleVector> WIDE_KIND =
            DOUBLES.vectorType().asSubclass(DoubleVector.class);

    private static final float PER_LN2 = 0x1.715476p+0f;
    private static final float ROUNDING = 12582912f;
    private static final int ROUNDING_BITS = Float.floatToRawIntBits(ROUNDING);
    private static final float HIGH = 0x1.63p-1f;
    private static final float LOW = -0x1.bd0106p-13f;
    private static final float LARGEST = 89f;
    private static final float SMALLEST = -104f;

    /** Powers of 2 beyond which the exponential is 0, or infinite. */
    private static final int LEAST_POWER = -151;

    private static final int GREATEST_POWER = 129;

    /** Below this the power of 2 of an exponential is exact. */
    private static final float FAR = 1e5f;

    private static final int BIAS = 127;
    private static final int FRACTION_BITS = 23;
    private static final int SQRT_HALF_BITS = 0x3f3504f3;
    private static final int FRACTION = (1 << FRACTION_BITS) - 1;
    private static final float SQRT_HALF = (float) Math.sqrt(0.5);
    private static final float TWICE_SQRT_2_PER_PI = (float) (2 * Math.sqrt(2 / Math.PI));

    /** The number from which on tanh is 1 in float, and erf. */
    private static final float TANH_END = 9;

    private static final float ERF_END = 4;

    /** Elements that functions of several passes take at a time; a multiple of the lanes of any vector. */
    private static final int CACHED = 512;

    @Override
    public void exp(float[] values, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector x = KIND.cast(FloatVector.fromArray(SPECIES, values, i));
            FloatVector within = x.abs().compare(VectorOperators.LT, FAR).allTrue()
                    ? x
                    : x.max(all(SMALLEST)).min(all(LARGEST));
            FloatVector shifted = within.fma(all(PER_LN2), all(ROUNDING));
            IntVector n = INT_KIND.cast(shifted.reinterpretAsInts())
                    .sub(ROUNDING_BITS)
                    .max(LEAST_POWER)
                    .min(GREATEST_POWER);
            FloatVector whole = shifted.sub(all(ROUNDING));
            FloatVector r = whole.fma(all(-LOW), whole.fma(all(-HIGH), within));
            FloatVector sum = r.fma(all(1 / 5040f), all(1 / 720f));
            sum = sum.fma(r, all(1 / 120f));
            sum = sum.fma(r, all(1 / 24f));
            sum = sum.fma(r, all(1 / 6f));
            sum = sum.fma(r, all(0.5f));
            sum = sum.mul(r).fma(r, r).add(all(1));
            IntVector half = n.lanewise(VectorOperators.ASHR, 1);
            FloatVector first =
                    half.add(BIAS).lanewise(VectorOperators.LSHL, FRACTION_BITS).reinterpretAsFloats();
            FloatVector second = n.sub(half)
                    .add(BIAS)
                    .lanewise(VectorOperators.LSHL, FRACTION_BITS)
                    .reinterpretAsFloats();
            sum.mul(first).mul(second).intoArray(values, i);
        }
        if (i < to) {
            float[] rest = rest(values, i, to);
            exp(rest, 0, LANES);
            System.arraycopy(rest, 0, values, i, to - i);
        }
    }

    @Override
    public void log(float[] values, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector x = KIND.cast(FloatVector.fromArray(SPECIES, values, i));
            boolean isNormal = x.compare(VectorOperators.GE, Float.MIN_NORMAL)
                    .and(x.compare(VectorOperators.LE, Float.MAX_VALUE))
                    .allTrue();
            if (!isNormal) {
                logOfAny(values, i, i + LANES);
                continue;
            }
            IntVector bits = INT_KIND.cast(x.reinterpretAsInts()).sub(SQRT_HALF_BITS);
            FloatVector exponent =
                    KIND.cast(bits.lanewise(VectorOperators.ASHR, FRACTION_BITS).convert(VectorOperators.I2F, 0));
            FloatVector beyond = KIND.cast(bits.lanewise(VectorOperators.AND, FRACTION)
                            .add(SQRT_HALF_BITS)
                            .reinterpretAsFloats())
                    .sub(all(1));
            FloatVector quotient = beyond.div(beyond.add(all(2)));
            FloatVector square = quotient.mul(quotient);
            FloatVector sum = square.fma(all(2 / 11f), all(2 / 9f));
            sum = sum.fma(square, all(2 / 7f));
            sum = sum.fma(square, all(2 / 5f));
            sum = sum.fma(square, all(2 / 3f));
            sum = sum.fma(square, all(2));
            FloatVector low = exponent.fma(all(LOW), quotient.mul(sum));
            exponent.fma(all(HIGH), low).intoArray(values, i);
        }
        logOfAny(values, i, to);
    }

    private static void logOfAny(float[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            values[i] = (float) Math.log(values[i]);
        }
    }

    @Override
    public void tanh(float[] values, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector x = KIND.cast(FloatVector.fromArray(SPECIES, values, i));
            FloatVector within = x.abs().compare(VectorOperators.LT, TANH_END).allTrue()
                    ? x
                    : x.max(all(-TANH_END)).min(all(TANH_END));
            FloatVector square = within.mul(within);
            FloatVector odd = square.fma(all(-2.7607684e-16f), all(2.000188e-13f));
            odd = odd.fma(square, all(-8.604672e-11f));
            odd = odd.fma(square, all(5.1222973e-8f));
            odd = odd.fma(square, all(1.48572235e-5f));
            odd = odd.fma(square, all(6.3726195e-4f));
            odd = odd.fma(square, all(0.0048935246f));
            FloatVector even = square.fma(all(1.1982584e-6f), all(1.1853471e-4f));
            even = even.fma(square, all(0.0022684347f));
            even = even.fma(square, all(0.004893525f));
            within.mul(odd).div(even).intoArray(values, i);
        }
        if (i < to) {
            float[] rest = rest(values, i, to);
            tanh(rest, 0, LANES);
            System.arraycopy(rest, 0, values, i, to - i);
        }
    }

    @Override
    public void erf(float[] values, int from, int to) {
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector x = KIND.cast(FloatVector.fromArray(SPECIES, values, i));
            FloatVector within = x.abs().compare(VectorOperators.LT, ERF_END).allTrue()
                    ? x
                    : x.max(all(-ERF_END)).min(all(ERF_END));
            FloatVector square = within.mul(within);
            FloatVector odd = square.fma(all(-2.7261424e-10f), all(2.7706815e-8f));
            odd = odd.fma(square, all(-2.101024e-6f));
            odd = odd.fma(square, all(-5.6925062e-5f));
            odd = odd.fma(square, all(-7.3499064e-4f));
            odd = odd.fma(square, all(-0.0029546f));
            odd = odd.fma(square, all(-0.016096033f));
            FloatVector even = square.fma(all(-1.45660715e-5f), all(-2.1337405e-4f));
            even = even.fma(square, all(-0.001682827f));
            even = even.fma(square, all(-0.0073733293f));
            even = even.fma(square, all(-0.014264739f));
            within.mul(odd).div(even).intoArray(values, i);
        }
        if (i < to) {
            float[] rest = rest(values, i, to);
            erf(rest, 0, LANES);
            System.arraycopy(rest, 0, values, i, to - i);
        }
    }

    /** The elements that fill no vector, in one. */
    private static float[] rest(float[] values, int from, int to) {
        float[] rest = new float[LANES];
        System.arraycopy(values, from, rest, 0, to - from);
        return rest;
    }

    private static FloatVector all(float value) {
        return KIND.cast(FloatVector.broadcast(SPECIES, value));
    }

    @Override
    public void sigmoid(float[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            values[i] = -values[i];
        }
        exp(values, from, to);
        for (int i = from; i < to; i++) {
            values[i] = 1 / (1 + values[i]);
        }
    }

    @Override
    public void swish(float factor, float[] values, int from, int to) {
        float[] x = new float[room(to - from)];
        float[] powers = new float[x.length];
        for (int start = from; start < to; start += x.length) {
            int count = Math.min(x.length, to - start);
            System.arraycopy(values, start, x, 0, count);
            for (int i = 0; i < x.length; i++) {
                powers[i] = factor * x[i];
            }
            exp(powers, 0, x.length);
            divideByOneMore(x, powers);
            System.arraycopy(x, 0, values, start, count);
        }
    }

    private static void divideByOneMore(float[] values, float[] powers) {
        for (int i = 0; i < values.length; i++) {
            values[i] /= 1 + powers[i];
        }
    }

    @Override
    public void geluByTanh(float[] values, int from, int to) {
        float[] x = new float[room(to - from)];
        float[] powers = new float[x.length];
        for (int start = from; start < to; start += x.length) {
            int count = Math.min(x.length, to - start);
            System.arraycopy(values, start, x, 0, count);
            for (int i = 0; i < x.length; i += LANES) {
                FloatVector value = KIND.cast(FloatVector.fromArray(SPECIES, x, i));
                value.mul(value)
                        .fma(all(0.044715f), all(1))
                        .mul(value)
                        .mul(all(-TWICE_SQRT_2_PER_PI))
                        .intoArray(powers, i);
            }
            exp(powers, 0, x.length);
            divideByOneMore(x, powers);
            System.arraycopy(x, 0, values, start, count);
        }
    }

    @Override
    public void gelu(float[] values, int from, int to) {
        float[] x = new float[room(to - from)];
        float[] tails = new float[x.length];
        for (int start = from; start < to; start += x.length) {
            int count = Math.min(x.length, to - start);
            System.arraycopy(values, start, x, 0, count);
            gelu(x, tails);
            System.arraycopy(x, 0, values, start, count);
        }
    }

    /** @param tails as long as {@code x}, a number of whole vectors */
    private void gelu(float[] x, float[] tails) {
        for (int i = 0; i < x.length; i += LANES) {
            FloatVector z =
                    KIND.cast(FloatVector.fromArray(SPECIES, x, i)).abs().mul(all(SQRT_HALF));
            FloatVector t = all(1).div(z.fma(all(0.5f), all(1)));
            FloatVector sum = t.fma(all(0.17087276f), all(-0.82215226f));
            sum = sum.fma(t, all(1.4885159f));
            sum = sum.fma(t, all(-1.135204f));
            sum = sum.fma(t, all(0.27886808f));
            sum = sum.fma(t, all(-0.18628806f));
            sum = sum.fma(t, all(0.09678418f));
            sum = sum.fma(t, all(0.37409195f));
            sum = sum.fma(t, all(1.0000237f));
            sum = sum.fma(t, all(-1.2655122f));
            sum.sub(z.mul(z)).intoArray(tails, i);
        }
        exp(tails, 0, tails.length);
        for (int i = 0; i < x.length; i += LANES) {
            FloatVector value = KIND.cast(FloatVector.fromArray(SPECIES, x, i));
            FloatVector divisor = value.abs().fma(all(SQRT_HALF), all(2));
            FloatVector tail =
                    KIND.cast(FloatVector.fromArray(SPECIES, tails, i)).div(divisor);
            value.mul(all(1).sub(tail).blend(tail, value.compare(VectorOperators.LT, 0)))
                    .intoArray(x, i);
        }
    }

    @Override
    public void softplus(float[] values, int from, int to) {
        float[] x = new float[room(to - from)];
        float[] powers = new float[x.length];
        for (int start = from; start < to; start += x.length) {
            int count = Math.min(x.length, to - start);
            System.arraycopy(values, start, x, 0, count);
            softplus(x, powers);
            System.arraycopy(x, 0, values, start, count);
        }
    }

    /** @param powers as long as {@code x}, a number of whole vectors */
    private void softplus(float[] x, float[] powers) {
        for (int i = 0; i < x.length; i++) {
            powers[i] = -Math.abs(x[i]);
        }
        exp(powers, 0, x.length);
        for (int i = 0; i < x.length; i += LANES) {
            FloatVector power = KIND.cast(FloatVector.fromArray(SPECIES, powers, i));
            FloatVector quotient = power.div(power.add(all(2)));
            FloatVector square = quotient.mul(quotient);
            FloatVector sum = square.fma(all(2 / 15f), all(2 / 13f));
            sum = sum.fma(square, all(2 / 11f));
            sum = sum.fma(square, all(2 / 9f));
            sum = sum.fma(square, all(2 / 7f));
            sum = sum.fma(square, all(2 / 5f));
            sum = sum.fma(square, all(2 / 3f));
            sum = sum.fma(square, all(2));
            quotient.fma(sum, KIND.cast(FloatVector.fromArray(SPECIES, x, i)).max(all(0)))
                    .intoArray(x, i);
        }
    }

    /** The length of an array of whole vectors that holds some elements, or as many of them as stay in the first cache. */
    private static int room(int elements) {
        return Math.min(CACHED, (elements + LANES - 1) / LANES * LANES);
    }

    @Override
    public double fold(Fold kind, float[] values, int from, int to) {
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
        FloatVector m0 = all(Float.NEGATIVE_INFINITY);
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
        FloatVector m0 = all(Float.POSITIVE_INFINITY);
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

    @Override
    public void addRow(Fold kind, double[] sums, float[] row, int count) {
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

    @Override
    public void add(float[] sums, int to, float[] values, int from, int count) {
        int end = count - count % LANES;
        for (int i = 0; i < end; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, sums, to + i))
                    .add(FloatVector.fromArray(SPECIES, values, from + i))
                    .intoArray(sums, to + i);
        }
        for (int i = end; i < count; i++) {
            sums[to + i] += values[from + i];
        }
    }

    @Override
    public void innerProducts(
            float[] left, int at, float[] right, int from, int rows, int depth, float[] sums, int to) {
        InnerProductLoops.sum(left, at, right, from, rows, depth, sums, to);
    }
}
