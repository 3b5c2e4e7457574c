package org.clinfer.cpu;

/** BatchNorm and InstanceNorm: every channel scaled and shifted by statistics given or found. */
final class ChannelNormalization implements CpuOperator {

    private final boolean perInstance;

    private ChannelNormalization(boolean perInstance) {
        this.perInstance = perInstance;
    }

    /** With mean and variance as inputs. */
    static ChannelNormalization batch() {
        return new ChannelNormalization(false);
    }

    /** With mean and variance of every channel of every image. */
    static ChannelNormalization instance() {
        return new ChannelNormalization(true);
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
        call.parallel().forRange(planes, Math.max(1, (1 << 14) / Math.max(1, inner)), (from, to) -> {
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
