package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.TensorValues;

/** Convolution and its transposition in double precision. */
final class DoubleConvolution extends PlainConvolution<double[]> {

    private final double[] x;
    private final double[] weights;
    private final Epilogue.OfDoubles epilogue;

    DoubleConvolution(CpuCall call, ConvolutionLayout layout, boolean isTransposed) {
        super(layout, isTransposed);
        this.x = TensorValues.allDoubles(call.input(0));
        this.weights = TensorValues.allDoubles(call.input(1));
        this.epilogue = new Epilogue.OfDoubles(call);
    }

    @Override
    protected double[] newSums(int count) {
        return new double[count];
    }

    @Override
    protected void clear(double[] sums, int count) {
        Arrays.fill(sums, 0, count, 0);
    }

    @Override
    protected void add(double[] sums, Line line) {
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

    private static void addRow(double[] sums, int at, double[] row, int from, double factor, int count) {
        for (int j = 0; j < count; j++) {
            sums[at + j] += factor * row[from + j];
        }
    }

    @Override
    protected void store(double[] sums, Epilogue.Stretch stretch) {
        epilogue.store(sums, stretch);
    }
}
