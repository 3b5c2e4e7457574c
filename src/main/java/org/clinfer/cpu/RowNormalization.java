package org.clinfer.cpu;

import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** LayerNorm and RmsNorm: every row scaled by its own deviation, or by the root of its mean square. */
final class RowNormalization implements CpuOperator {

    private static final int GRAIN = 1 << 14;

    private final boolean isCentred;

    private RowNormalization(boolean isCentred) {
        this.isCentred = isCentred;
    }

    /** With the mean subtracted, and a bias. */
    static RowNormalization layer() {
        return new RowNormalization(true);
    }

    static RowNormalization rootMeanSquare() {
        return new RowNormalization(false);
    }

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        int rows = Math.toIntExact(parameters.integer("outer"));
        int size = Math.toIntExact(parameters.integer("size"));
        double epsilon = parameters.real("epsilon");
        double[] scale = TensorValues.allDoubles(call.input(1));
        Tensor shifts = isCentred ? call.optionalInput(2) : null;
        double[] bias = shifts == null ? new double[size] : TensorValues.allDoubles(shifts);
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        Tensor means = statistic(call, 1);
        Tensor inverses = statistic(call, 2);
        call.parallel().forRange(rows, Math.max(1, GRAIN / Math.max(1, size)), (from, to) -> {
            double[] row = new double[size];
            for (int i = from; i < to; i++) {
                x.read(i * size, row, 0, size);
                double mean = isCentred ? centre(row) : 0;
                double factor = 1 / Math.sqrt(meanSquare(row) + epsilon);
                for (int j = 0; j < size; j++) {
                    row[j] = row[j] * factor * scale[j] + bias[j];
                }
                y.write(i * size, row, 0, size);
                if (means != null) {
                    means.setDouble(i, mean);
                }
                if (inverses != null) {
                    inverses.setDouble(i, factor);
                }
            }
        });
    }

    private static @Nullable Tensor statistic(CpuCall call, int output) {
        return output < call.outputs().size() ? call.outputs().get(output) : null;
    }

    /** Subtracts the mean, and what its rounding left of it; gives both. */
    private static double centre(double[] values) {
        double mean = subtractMean(values);
        return mean + subtractMean(values);
    }

    private static double subtractMean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double mean = sum / values.length;
        for (int i = 0; i < values.length; i++) {
            values[i] -= mean;
        }
        return mean;
    }

    private static double meanSquare(double[] values) {
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        return squares / values.length;
    }
}
