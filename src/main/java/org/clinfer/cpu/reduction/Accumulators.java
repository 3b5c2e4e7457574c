package org.clinfer.cpu.reduction;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;

/** A row of accumulators of a reduction and a row of elements to fold into them. */
sealed interface Accumulators {

    /** Begins {@code count} reductions. */
    void start(int count);

    /** Loads elements of the input as the next row, from {@code at} on. */
    void load(int source, int step, int count, int at);

    /** Folds the row's first {@code count} elements into accumulator 0. */
    void foldAll(int count);

    /** Folds element i of the row into accumulator i. */
    void foldEach(int count);

    /** Finishes {@code count} reductions of {@code folded} elements each, and stores them from {@code target} on. */
    void finish(int target, int count, long folded);

    /** Accumulators of floating elements. */
    final class OfReals implements Accumulators {
        private final ReduceRule.Reals rule;
        private final TypedMemory from;
        private final TypedMemory to;
        private final double[] results = new double[Chunks.SIZE];
        private final double[] row = new double[Chunks.SIZE];

        OfReals(ReduceRule.Reals rule, TypedMemory from, TypedMemory to) {
            this.rule = rule;
            this.from = from;
            this.to = to;
        }

        @Override
        public void start(int count) {
            Arrays.fill(results, 0, count, rule.start());
        }

        @Override
        public void load(int source, int step, int count, int at) {
            from.load(source, step, count, row, at);
        }

        @Override
        public void foldAll(int count) {
            results[0] = rule.fold().fold(results[0], row, count);
        }

        @Override
        public void foldEach(int count) {
            rule.fold().foldEach(results, row, count);
        }

        @Override
        public void finish(int target, int count, long folded) {
            for (int i = 0; i < count; i++) {
                results[i] = rule.finish().apply(results[i], folded);
            }
            to.store(target, count, results);
        }
    }

    /** Accumulators of integers. */
    final class OfLongs implements Accumulators {
        private final ReduceRule.Longs rule;
        private final TypedMemory from;
        private final TypedMemory to;
        private final long[] results = new long[Chunks.SIZE];
        private final long[] row = new long[Chunks.SIZE];

        OfLongs(ReduceRule.Longs rule, TypedMemory from, TypedMemory to) {
            this.rule = rule;
            this.from = from;
            this.to = to;
        }

        @Override
        public void start(int count) {
            DType dtype = to.dtype(); // holds the result over no elements
            Arrays.fill(results, 0, count, dtype == DType.UINT64 ? rule.start() : dtype.saturated(rule.start()));
        }

        @Override
        public void load(int source, int step, int count, int at) {
            from.load(source, step, count, row, at);
        }

        @Override
        public void foldAll(int count) {
            for (int i = 0; i < count; i++) {
                results[0] = rule.step().applyAsLong(results[0], row[i]);
            }
        }

        @Override
        public void foldEach(int count) {
            for (int i = 0; i < count; i++) {
                results[i] = rule.step().applyAsLong(results[i], row[i]);
            }
        }

        @Override
        public void finish(int target, int count, long folded) {
            for (int i = 0; i < count; i++) {
                results[i] = rule.finish().apply(results[i], folded);
            }
            LongValues.keepLowBits(results, count, to.dtype());
            to.store(target, count, results);
        }
    }
}
