package org.clinfer.cpu.reduction;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * A reduction over axes. Where the innermost axis is reduced, every output folds a walk over its elements; where it is
 * kept, a row of neighbouring outputs folds whole rows of the input.
 */
record ReduceOperator(ReduceRule rule) implements CpuOperator {

    @Override
    public void run(CpuCall call) {
        Tensor x = call.input(0);
        Tensor y = call.output();
        Layout layout = Layout.of(x.shape().sizes(), call.parameters().ints("reduced"));
        boolean rows = layout.kept.step() == 1 && layout.kept.runLength() > 1;
        call.parallel().forRange(Math.toIntExact(y.elements()), Chunks.grain(layout.folded), (first, end) -> {
            Accumulators accumulators = accumulators(x, y);
            layout.kept.forRuns(first, end - first, (source, at, length) -> {
                if (rows) {
                    reduceRows(layout, accumulators, source, first + at, length);
                } else {
                    reduceEach(layout, accumulators, source, first + at, length);
                }
            });
        });
    }

    private Accumulators accumulators(Tensor x, Tensor y) {
        TypedMemory from = new TypedMemory(x);
        TypedMemory to = new TypedMemory(y);
        if (x.dtype().isFloating()) {
            return new Accumulators.OfReals(rule.reals(), from, to);
        }
        ReduceRule.Longs longs = x.dtype() == DType.UINT64 ? rule.unsigned() : rule.longs();
        return new Accumulators.OfLongs(longs, from, to);
    }

    private static void reduceEach(Layout layout, Accumulators accumulators, int source, int target, int length) {
        for (int i = 0; i < length; i++) {
            int base = source + i * layout.kept.step();
            accumulators.start(1);
            Chunks.forEach(0, layout.folded, (start, count) -> {
                layout.reduced.forRuns(
                        start,
                        count,
                        (offset, at, run) -> accumulators.load(base + offset, layout.reduced.step(), run, at));
                accumulators.foldAll(count);
            });
            accumulators.finish(target + i, 1, layout.folded);
        }
    }

    private static void reduceRows(Layout layout, Accumulators accumulators, int source, int target, int length) {
        Chunks.forEach(0, length, (start, count) -> {
            accumulators.start(count);
            layout.reduced.forRuns(0, layout.folded, (offset, at, run) -> {
                for (int i = 0; i < run; i++) {
                    accumulators.load(source + start + offset + i * layout.reduced.step(), 1, count, 0);
                    accumulators.foldEach(count);
                }
            });
            accumulators.finish(target + start, count, layout.folded);
        });
    }

    /** The kept axes in the order of the output, the reduced ones, and how many elements each output folds. */
    record Layout(StridedView kept, StridedView reduced, int folded) {

        static Layout of(long[] sizes, int[] axes) {
            boolean[] folds = new boolean[sizes.length];
            for (int axis : axes) {
                folds[axis] = true;
            }
            long[] strides = StridedView.stridesOf(sizes);
            long[] keptSizes = sizes.clone();
            long[] reducedSizes = sizes.clone();
            long folded = 1;
            for (int axis = 0; axis < sizes.length; axis++) {
                if (folds[axis]) {
                    keptSizes[axis] = 1;
                    folded *= sizes[axis];
                } else {
                    reducedSizes[axis] = 1;
                }
            }
            StridedView kept = StridedView.of(keptSizes, strides, 0);
            return new Layout(kept, StridedView.of(reducedSizes, strides, 0), Math.toIntExact(folded));
        }
    }
}
