package org.clinfer.cpu.normalization;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** BatchNorm and InstanceNorm: every channel scaled and shifted by statistics given or found. */
final class ChannelNormalization implements CpuOperator {

    /** Elements of a channel below which all channels of an image are one row. */
    private static final int SHORT = 16;

    private final boolean perInstance;

    private final @Nullable VectorFunctions vectors;

    private ChannelNormalization(boolean perInstance, CpuPath path) {
        this.perInstance = perInstance;
        VectorKernels kernels = path.kernels();
        this.vectors = kernels == null ? null : kernels.functions();
    }

    /** With mean and variance as inputs. */
    static ChannelNormalization batch(CpuPath path) {
        return new ChannelNormalization(false, path);
    }

    /** With mean and variance of every channel of every image. */
    static ChannelNormalization instance(CpuPath path) {
        return new ChannelNormalization(true, path);
    }

    @Override
    public void run(CpuCall call) {
        int channels = Math.toIntExact(call.parameters().integer("channels"));
        int inner = Math.toIntExact(call.parameters().integer("inner"));
        int planes = Math.toIntExact(call.parameters().integer("batch") * channels);
        double epsilon = call.parameters().real("epsilon");
        double[] scale = TensorValues.allDoubles(call.input(1));
        double[] bias = TensorValues.allDoubles(call.input(2));
        double[] means = perInstance ? new double[0] : TensorValues.allDoubles(call.input(3));
        double[] variances = perInstance ? new double[0] : TensorValues.allDoubles(call.input(4));
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        int grain = Math.max(1, (1 << 14) / Math.max(1, inner));
        if (call.output().dtype() != DType.FLOAT64 && !perInstance && inner < SHORT) {
            double[] factors = new double[channels];
            Arrays.setAll(factors, i -> scale[i] / Math.sqrt(variances[i] + epsilon));
            images(call, inner, means, factors, bias);
            return;
        }
        if (call.output().dtype() != DType.FLOAT64) {
            call.parallel().forRange(planes, grain, (from, to) -> {
                float[] plane = new float[inner];
                for (int i = from; i < to; i++) {
                    int channel = i % channels;
                    x.read(i * inner, plane, 0, inner);
                    double variance;
                    if (perInstance) {
                        Centring.centre(plane, inner, vectors);
                        variance = Centring.meanSquare(plane, inner, vectors);
                    } else {
                        Centring.subtract(plane, inner, means[channel]);
                        variance = variances[channel];
                    }
                    scale(plane, (float) (scale[channel] / Math.sqrt(variance + epsilon)), (float) bias[channel]);
                    y.write(i * inner, plane, 0, inner);
                }
            });
            return;
        }
        call.parallel().forRange(planes, grain, (from, to) -> {
            double[] plane = new double[inner];
            for (int i = from; i < to; i++) {
                int channel = i % channels;
                x.read(i * inner, plane, 0, inner);
                double variance = perInstance ? centre(plane) : variances[channel];
                double mean = perInstance ? 0 : means[channel];
                double factor = scale[channel] / Math.sqrt(variance + epsilon);
                for (int j = 0; j < inner; j++) {
                    plane[j] = (plane[j] - mean) * factor + bias[channel];
                }
                y.write(i * inner, plane, 0, inner);
            }
        });
    }

    /** Scales all channels of an image as one row, where they have few elements each. */
    private static void images(CpuCall call, int inner, double[] means, double[] factors, double[] bias) {
        int length = means.length * inner;
        float[] mean = new float[length];
        float[] rest = new float[length];
        float[] factor = new float[length];
        float[] term = new float[length];
        for (int i = 0; i < length; i++) {
            int channel = i / inner;
            mean[i] = (float) means[channel];
            rest[i] = (float) (means[channel] - mean[i]);
            factor[i] = (float) factors[channel];
            term[i] = (float) bias[channel];
        }
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        int images = Math.toIntExact(call.parameters().integer("batch"));
        call.parallel().forRange(images, Chunks.grain(length), (from, to) -> {
            float[] row = new float[length];
            for (int image = from; image < to; image++) {
                x.read(image * length, row, 0, length);
                for (int i = 0; i < row.length; i++) {
                    row[i] = (row[i] - mean[i] - rest[i]) * factor[i] + term[i];
                }
                y.write(image * length, row, 0, length);
            }
        });
    }

    private static void scale(float[] values, float factor, float bias) {
        for (int i = 0; i < values.length; i++) {
            values[i] = values[i] * factor + bias;
        }
    }

    /**
     * Subtracts the mean, and what its rounding left of it, which matters where it is large against the deviation.
     *
     * @return the variance
     */
    private static double centre(double[] values) {
        subtractMean(values);
        subtractMean(values);
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        return squares / values.length;
    }

    private static void subtractMean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double mean = sum / values.length;
        for (int i = 0; i < values.length; i++) {
            values[i] -= mean;
        }
    }
}
