package org.clinfer.cpu.normalization;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** LayerNorm and RmsNorm: every row scaled by its own deviation, or by the root of its mean square. */
final class RowNormalization implements CpuOperator {

    private static final int GRAIN = 1 << 12;

    private final boolean isCentred;

    private final @Nullable VectorFunctions vectors;

    private RowNormalization(boolean isCentred, CpuPath path) {
        this.isCentred = isCentred;
        VectorKernels kernels = path.kernels();
        this.vectors = kernels == null ? null : kernels.functions();
    }

    /** With the mean subtracted, and a bias. */
    static RowNormalization layer(CpuPath path) {
        return new RowNormalization(true, path);
    }

    static RowNormalization rootMeanSquare(CpuPath path) {
        return new RowNormalization(false, path);
    }

    @Override
    public void run(CpuCall call) {
        if (call.output().dtype() == DType.FLOAT64) {
            runDoubles(call);
        } else {
            runFloats(call);
        }
    }

    private void runFloats(CpuCall call) {
        Parameters parameters = call.parameters();
        int rows = Math.toIntExact(parameters.integer("outer"));
        int size = Math.toIntExact(parameters.integer("size"));
        double epsilon = parameters.real("epsilon");
        float[] scale = TensorValues.allFloats(call.input(1));
        Tensor shifts = isCentred ? call.optionalInput(2) : null;
        float[] bias = shifts == null ? new float[size] : TensorValues.allFloats(shifts);
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        Tensor means = statistic(call, 1);
        Tensor inverses = statistic(call, 2);
        int together = Math.max(1, Chunks.SIZE / Math.max(1, size));
        call.parallel().forRange(rows, Math.max(1, GRAIN / Math.max(1, size)), (from, to) -> {
            float[] held = new float[Math.min(together, to - from) * size];
            double[] statistics = new double[2 * together];
            for (int first = from; first < to; first += together) {
                int count = Math.min(together, to - first);
                x.read(first * size, held, 0, count * size);
                normalize(held, count, size, epsilon, scale, bias, statistics);
                y.write(first * size, held, 0, count * size);
                for (int i = 0; i < count; i++) {
                    if (means != null) {
                        means.setDouble(first + i, statistics[2 * i]);
                    }
                    if (inverses != null) {
                        inverses.setDouble(first + i, statistics[2 * i + 1]);
                    }
                }
            }
        });
    }

    private void normalize(
            float[] rows, int count, int size, double epsilon, float[] scale, float[] bias, double[] statistics) {
        if (vectors != null) {
            vectors.normalize(rows, count, size, isCentred, epsilon, scale, bias, statistics);
            return;
        }
        float[] row = new float[size];
        for (int i = 0; i < count; i++) {
            System.arraycopy(rows, i * size, row, 0, size);
            statistics[2 * i] = isCentred ? Centring.centre(row, size, null) : 0;
            double factor = 1 / Math.sqrt(Centring.meanSquare(row, size, null) + epsilon);
            statistics[2 * i + 1] = factor;
            scale(row, (float) factor, scale, bias);
            System.arraycopy(row, 0, rows, i * size, size);
        }
    }

    private static void scale(float[] row, float factor, float[] scale, float[] bias) {
        for (int i = 0; i < row.length; i++) {
            row[i] = row[i] * factor * scale[i] + bias[i];
        }
    }

    private void runDoubles(CpuCall call) {
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
