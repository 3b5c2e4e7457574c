package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;

/** The factor and the addend of each channel: {@code factor * x + addend}. */
public final class ChannelScale {

    private final double[] factors;
    private final double[] addends;

    ChannelScale(int channels) {
        this.factors = new double[channels];
        this.addends = new double[channels];
    }

    /**
     * The scale of a BatchNorm; empty where its scale, bias, mean or variance is not constant.
     *
     * @param constants gives the value of a constant by its name
     */
    public static Optional<ChannelScale> ofBatchNorm(PlacedNode norm, Function<String, Optional<Tensor>> constants) {
        List<Optional<Tensor>> terms =
                norm.inputs().subList(1, 5).stream().map(constants).toList();
        if (terms.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        double epsilon = norm.binding().real("epsilon");
        double[] scales = terms.get(0).orElseThrow().toDoubleArray();
        double[] biases = terms.get(1).orElseThrow().toDoubleArray();
        double[] means = terms.get(2).orElseThrow().toDoubleArray();
        double[] variances = terms.get(3).orElseThrow().toDoubleArray();
        ChannelScale made = new ChannelScale(scales.length);
        for (int i = 0; i < scales.length; i++) {
            double factor = scales[i] / Math.sqrt(variances[i] + epsilon);
            made.set(i, factor, biases[i] - means[i] * factor);
        }
        return Optional.of(made);
    }

    void set(int channel, double factor, double addend) {
        factors[channel] = factor;
        addends[channel] = addend;
    }

    int channels() {
        return factors.length;
    }

    double factor(int channel) {
        return factors[channel];
    }

    /** For each channel. */
    public double[] factors() {
        return factors.clone();
    }

    /** For each channel. */
    public double[] addends() {
        return addends.clone();
    }

    /** Of a bias. */
    double applied(int channel, double value) {
        return value * factors[channel] + addends[channel];
    }

    /** {@return whether weights stay as they are} */
    boolean onlyAdds() {
        return Arrays.stream(factors).allMatch(factor -> factor == 1);
    }
}
