package org.clinfer.cpu.reduction;

import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * The rule of a reduction: {@code finish(fold(… fold(start, x0) …, xn), n)}.
 *
 * @param reals in double precision, for all floating types
 * @param longs for integers, wrapping
 * @param unsigned for uint64, wrapping
 */
record ReduceRule(Reals reals, Longs longs, Longs unsigned) {

    /** A fold of doubles over whole arrays. */
    interface RealFold {
        /** Folds {@code row[0 … count - 1]} into one accumulator. */
        double fold(double accumulator, double[] row, int count);

        /** Folds {@code row[i]} into accumulator {@code i}. */
        void foldEach(double[] accumulators, double[] row, int count);

        /** A fold by one function. */
        static RealFold of(DoubleBinaryOperator step) {
            return new RealFold() {
                @Override
                public double fold(double accumulator, double[] row, int count) {
                    double result = accumulator;
                    for (int i = 0; i < count; i++) {
                        result = step.applyAsDouble(result, row[i]);
                    }
                    return result;
                }

                @Override
                public void foldEach(double[] accumulators, double[] row, int count) {
                    for (int i = 0; i < count; i++) {
                        accumulators[i] = step.applyAsDouble(accumulators[i], row[i]);
                    }
                }
            };
        }
    }

    /** A sum in four interleaved parts. */
    static final class SumFold implements RealFold {
        @Override
        public double fold(double accumulator, double[] row, int count) {
            double first = accumulator;
            double second = 0;
            double third = 0;
            double fourth = 0;
            int i = 0;
            for (; i <= count - 4; i += 4) {
                first += row[i];
                second += row[i + 1];
                third += row[i + 2];
                fourth += row[i + 3];
            }
            for (; i < count; i++) {
                first += row[i];
            }
            return (first + second) + (third + fourth);
        }

        @Override
        public void foldEach(double[] accumulators, double[] row, int count) {
            for (int i = 0; i < count; i++) {
                accumulators[i] += row[i];
            }
        }
    }

    /** The result from an accumulator and the number of elements folded. */
    @FunctionalInterface
    interface RealFinish {
        double apply(double accumulator, long count);
    }

    /** {@link RealFinish} of integers. */
    @FunctionalInterface
    interface LongFinish {
        long apply(long accumulator, long count);
    }

    /** A reduction of floating elements. */
    record Reals(double start, RealFold fold, RealFinish finish) {}

    /** A reduction of integers. */
    record Longs(long start, LongBinaryOperator step, LongFinish finish) {}
}
