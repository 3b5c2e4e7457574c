package org.clinfer.plan.rule;

import java.util.Arrays;

/** What is made of each channel: {@code factor * x + addend}. */
final class ChannelScale {

    private final double[] factors;
    private final double[] addends;

    ChannelScale(int channels) {
        this.factors = new double[channels];
        this.addends = new double[channels];
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

    /** Of a bias. */
    double applied(int channel, double value) {
        return value * factors[channel] + addends[channel];
    }

    /** Whether weights stay as they are. */
    boolean onlyAdds() {
        return Arrays.stream(factors).allMatch(factor -> factor == 1);
    }
}
