package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Functions of floats, a vector at a time. */
final class FunctionLoops implements VectorFunctions {

    /*
     * The exponential is that of FloatFunctions. tanh and erf are quotients of polynomials, odd by even, as Eigen has them:
     * wrong by a few units in the last place. The tail of the normal distribution beyond z, for gelu, is exp(-z^2 / 2) by a
     * quotient of polynomials that is wrong by 1e-8 of itself. log takes x = 2^e * m with m between sqrt(1/2) and sqrt(2), and
     * log(m) = 2 atanh((m - 1) / (m + 1)) by its series, as is log(1 + p) of softplus. Functions that need another one run
     * it over the array: a method of vectors that HotSpot has compiled by itself it no longer takes into a loop, and then
     * every vector is an object. The passes of gelu are one method: as several they took half as long again.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;
    private static final Class<? extends IntVector> INT_KIND =
            SPECIES.withLanes(int.class).vectorType().asSubclass(IntVector.class);

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
    private static final float TWICE_SQRT_2_PER_PI = (float) (2 * Math.sqrt(2 / Math.PI));

    /** The number from which on tanh is 1 in float, and erf. */
    private static final float TANH_END = 9;

    private static final float ERF_END = 4;

    /** The number from which on the tail of the normal distribution is 0 in float. */
    private static final float GELU_END = 14.5f;

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

    /** Computes some elements, a number of whole vectors, with room for as many others. */
    @FunctionalInterface
    private interface Piece {
        void run(float[] values, int from, int count, float[] room);
    }

    /** Runs functions of several passes over pieces that stay in the first cache. */
    private static void inPieces(float[] values, int from, int to, Piece piece) {
        int end = to - (to - from) % LANES;
        float[] room = new float[Math.min(CACHED, end - from)];
        for (int start = from; start < end; start += CACHED) {
            piece.run(values, start, Math.min(CACHED, end - start), room);
        }
        if (end < to) {
            float[] rest = rest(values, end, to);
            piece.run(rest, 0, LANES, new float[LANES]);
            System.arraycopy(rest, 0, values, end, to - end);
        }
    }

    @Override
    public void swish(float factor, float[] values, int from, int to) {
        inPieces(values, from, to, (x, start, count, powers) -> {
            for (int i = 0; i <= count - LANES; i += LANES) {
                KIND.cast(FloatVector.fromArray(SPECIES, x, start + i))
                        .mul(all(factor))
                        .intoArray(powers, i);
            }
            exp(powers, 0, count);
            divideByOneMore(x, start, count, powers);
        });
    }

    private static void divideByOneMore(float[] values, int from, int count, float[] powers) {
        for (int i = 0; i <= count - LANES; i += LANES) {
            FloatVector divisor =
                    KIND.cast(FloatVector.fromArray(SPECIES, powers, i)).add(all(1));
            KIND.cast(FloatVector.fromArray(SPECIES, values, from + i))
                    .div(divisor)
                    .intoArray(values, from + i);
        }
    }

    @Override
    public void geluByTanh(float[] values, int from, int to) {
        inPieces(values, from, to, (x, start, count, powers) -> {
            for (int i = 0; i <= count - LANES; i += LANES) {
                FloatVector value = KIND.cast(FloatVector.fromArray(SPECIES, x, start + i));
                value.mul(value)
                        .fma(all(0.044715f), all(1))
                        .mul(value)
                        .mul(all(-TWICE_SQRT_2_PER_PI))
                        .intoArray(powers, i);
            }
            exp(powers, 0, count);
            divideByOneMore(x, start, count, powers);
        });
    }

    @Override
    public void gelu(float[] values, int from, int to) {
        inPieces(values, from, to, this::geluOfPiece);
    }

    /** Multiplies each x by the part of the normal distribution below it: that beyond |x|, or the rest. */
    private void geluOfPiece(float[] values, int from, int count, float[] powers) {
        for (int i = 0; i <= count - LANES; i += LANES) {
            FloatVector value = KIND.cast(FloatVector.fromArray(SPECIES, values, from + i));
            value.mul(value).mul(all(-0.5f)).intoArray(powers, i);
        }
        exp(powers, 0, count);
        for (int i = 0; i <= count - LANES; i += LANES) {
            FloatVector value = KIND.cast(FloatVector.fromArray(SPECIES, values, from + i));
            FloatVector z = value.abs().min(all(GELU_END));
            FloatVector above = z.fma(all(0.004045592f), all(0.040156238f));
            above = above.fma(z, all(0.18181889f));
            above = above.fma(z, all(0.4363807f));
            above = above.fma(z, all(0.5f));
            FloatVector below = z.fma(all(0.010140659f), all(0.100663885f));
            below = below.fma(z, all(0.465732f));
            below = below.fma(z, all(1.1966164f));
            below = below.fma(z, all(1.6706463f));
            below = below.fma(z, all(1));
            FloatVector tail = KIND.cast(FloatVector.fromArray(SPECIES, powers, i))
                    .mul(above)
                    .div(below);
            value.mul(all(1).sub(tail).blend(tail, value.compare(VectorOperators.LT, 0)))
                    .intoArray(values, from + i);
        }
    }

    @Override
    public void softplus(float[] values, int from, int to) {
        inPieces(values, from, to, (x, start, count, powers) -> {
            for (int i = 0; i <= count - LANES; i += LANES) {
                KIND.cast(FloatVector.fromArray(SPECIES, x, start + i))
                        .abs()
                        .neg()
                        .intoArray(powers, i);
            }
            exp(powers, 0, count);
            addLogsOfOneMore(x, start, count, powers);
        });
    }

    /** Adds log(1 + power) to what of each value is above 0. */
    private static void addLogsOfOneMore(float[] values, int from, int count, float[] powers) {
        for (int i = 0; i <= count - LANES; i += LANES) {
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
            FloatVector above =
                    KIND.cast(FloatVector.fromArray(SPECIES, values, from + i)).max(all(0));
            quotient.fma(sum, above).intoArray(values, from + i);
        }
    }

    @Override
    public double fold(Fold kind, float[] values, int from, int to) {
        return FoldLoops.fold(kind, values, from, to);
    }

    @Override
    public void normalize(
            float[] values,
            int rows,
            int size,
            boolean isCentred,
            double epsilon,
            float[] scale,
            float[] bias,
            double[] statistics) {
        NormalizationLoops.normalize(values, rows, size, isCentred, epsilon, scale, bias, statistics);
    }

    @Override
    public void addRow(Fold kind, double[] sums, float[] row, int count) {
        FoldLoops.addRow(kind, sums, row, count);
    }

    @Override
    public void add(float[] sums, int to, float[] values, int from, int count) {
        int end = count - count % LANES;
        for (int i = 0; i < end; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, sums, to + i))
                    .add(KIND.cast(FloatVector.fromArray(SPECIES, values, from + i)))
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
