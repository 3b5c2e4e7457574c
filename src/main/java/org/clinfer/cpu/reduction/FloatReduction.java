package org.clinfer.cpu.reduction;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * A reduction of floats: where each output folds elements that lie side by side, in vectors along
 * them, and where outputs do, row by row.
 *
 * @param any for everything else
 */
record FloatReduction(VectorFunctions.Fold fold, ReduceRule.RealFinish finish, VectorFunctions vectors, CpuOperator any)
        implements CpuOperator {

    /** Elements that are read at a time. */
    private static final int BLOCK = 4096;

    @Override
    public void run(CpuCall call) {
        Tensor x = call.input(0);
        Tensor y = call.output();
        if (!x.dtype().isFloating() || x.dtype() == DType.FLOAT64 || x.elements() == 0) {
            any.run(call);
            return;
        }
        ReduceOperator.Layout layout = call.kept(
                ReduceOperator.Layout.class,
                () -> ReduceOperator.Layout.of(
                        x.shape().sizes(), call.parameters().ints("reduced")));
        boolean isAlong = layout.reduced().isOneRun()
                && layout.reduced().step() == 1
                && layout.kept().isOneRun()
                && (y.elements() == 1 || layout.kept().step() == layout.folded());
        if (isAlong) {
            along(call, layout.folded());
        } else if (layout.kept().step() == 1 && layout.kept().runLength() > 1) {
            rows(call, layout);
        } else {
            any.run(call);
        }
    }

    private void along(CpuCall call, int folded) {
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        int together = Math.max(1, BLOCK / folded);
        int outputs = Math.toIntExact(call.output().elements());
        call.parallel().forRange(outputs, Chunks.grain(folded), (from, to) -> {
            float[] read = new float[Math.min(BLOCK, Math.min(together, to - from) * folded)];
            float[] results = new float[together];
            for (int first = from; first < to; first += together) {
                int count = Math.min(together, to - first);
                if (folded > BLOCK) {
                    results[0] = longFold(x, first * folded, folded, read);
                } else {
                    x.read(first * folded, read, 0, count * folded);
                    for (int i = 0; i < count; i++) {
                        double total = vectors.fold(fold, read, i * folded, (i + 1) * folded);
                        results[i] = (float) finish.apply(total, folded);
                    }
                }
                y.write(first, results, 0, count);
            }
        });
    }

    private float longFold(TensorValues x, int first, int folded, float[] read) {
        double total = 0;
        for (int at = 0; at < folded; at += BLOCK) {
            int count = Math.min(BLOCK, folded - at);
            x.read(first + at, read, 0, count);
            double part = vectors.fold(fold, read, 0, count);
            total = at == 0 ? part : joined(total, part);
        }
        return (float) finish.apply(total, folded);
    }

    private double joined(double total, double part) {
        return switch (fold) {
            case SUM, SUM_OF_SIZES, SUM_OF_SQUARES -> total + part;
            case MAXIMUM -> Math.max(total, part);
            case MINIMUM -> Math.min(total, part);
        };
    }

    private void rows(CpuCall call, ReduceOperator.Layout layout) {
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        int outputs = Math.toIntExact(call.output().elements());
        call.parallel().forRange(outputs, Chunks.grain(layout.folded()), (from, to) -> {
            Rows rows = new Rows(Math.min(Chunks.SIZE, to - from));
            layout.kept()
                    .forRuns(
                            from,
                            to - from,
                            (source, at, length) -> Chunks.forEach(0, length, (start, count) -> {
                                rows.begin(count);
                                layout.reduced().forRuns(0, layout.folded(), (offset, place, run) -> {
                                    for (int i = 0; i < run; i++) {
                                        int first = source
                                                + start
                                                + offset
                                                + i * layout.reduced().step();
                                        x.read(first, rows.row, 0, count);
                                        rows.fold(count);
                                    }
                                });
                                rows.finish(count, layout.folded());
                                y.write(from + at + start, rows.row, 0, count);
                            }));
        });
    }

    /** Outputs that fold row by row: sums in double, because there may be many rows. */
    private final class Rows {
        private static final int SLACK = 64;

        private final float[] row;
        private final double[] sums;
        private final float[] extremes;

        Rows(int length) {
            boolean isSum = fold != VectorFunctions.Fold.MAXIMUM && fold != VectorFunctions.Fold.MINIMUM;
            this.row = new float[length + SLACK];
            this.sums = new double[isSum ? length + SLACK : 0];
            this.extremes = new float[isSum ? 0 : length];
        }

        void begin(int count) {
            if (sums.length > 0) {
                Arrays.fill(sums, 0, count, 0);
            } else {
                boolean isMaximum = fold == VectorFunctions.Fold.MAXIMUM;
                Arrays.fill(extremes, 0, count, isMaximum ? Float.NEGATIVE_INFINITY : Float.POSITIVE_INFINITY);
            }
        }

        void fold(int count) {
            switch (fold) {
                case SUM, SUM_OF_SIZES, SUM_OF_SQUARES -> vectors.addRow(fold, sums, row, count);
                case MAXIMUM -> RowKernels.max(extremes, row, 0, count);
                case MINIMUM -> RowKernels.min(extremes, row, 0, count);
            }
        }

        /** Leaves the results in the row. */
        void finish(int count, int folded) {
            for (int i = 0; i < count; i++) {
                row[i] = (float) finish.apply(sums.length > 0 ? sums[i] : extremes[i], folded);
            }
        }
    }
}
