package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.LongValues;

/** Convolution and its transposition in 64-bit integers. */
final class LongConvolution extends PlainConvolution<long[]> {

    private final long[] x;
    private final long[] weights;
    private final Epilogue.OfLongs epilogue;

    LongConvolution(CpuCall call, ConvolutionLayout layout, boolean isTransposed) {
        super(layout, isTransposed);
        this.x = LongValues.all(call.input(0));
        this.weights = LongValues.all(call.input(1));
        this.epilogue = new Epilogue.OfLongs(call);
    }

    @Override
    protected long[] newSums(int count) {
        return new long[count];
    }

    @Override
    protected void clear(long[] sums, int count) {
        Arrays.fill(sums, 0, count, 0);
    }

    @Override
    protected void add(long[] sums, Line line) {
        if (line.sumStep() == 1 && line.xStep() == 1 && line.weightStep() == 0) {
            addRow(sums, line.sum(), x, line.x(), weights[line.weight()], line.count());
        } else if (line.sumStep() == 1 && line.xStep() == 0 && line.weightStep() == 1) {
            addRow(sums, line.sum(), weights, line.weight(), x[line.x()], line.count());
        } else {
            for (int j = 0; j < line.count(); j++) {
                sums[line.sum() + j * line.sumStep()] +=
                        x[line.x() + j * line.xStep()] * weights[line.weight() + j * line.weightStep()];
            }
        }
    }

    private static void addRow(long[] sums, int at, long[] row, int from, long factor, int count) {
        for (int j = 0; j < count; j++) {
            sums[at + j] += factor * row[from + j];
        }
    }

    @Override
    protected void store(long[] sums, Epilogue.Stretch stretch) {
        epilogue.store(sums, stretch);
    }
}
