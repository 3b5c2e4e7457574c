package org.clinfer.benchdnn;

import java.util.stream.LongStream;

/** Where the channels of a problem's tensors stand. */
enum Form {
    /** {@code [N, C, spatial...]} with weights {@code [O, I / groups, spatial...]}; transposed, [I, O / groups, ...]. */
    CHANNELS_FIRST("NCX", "OIX"),
    /** {@code [N, spatial..., C]} with weights {@code [spatial..., I / groups, O]}; only Convolution has it. */
    CHANNELS_LAST("NXC", "XIO");

    private final String data;
    private final String weights;

    Form(String data, String weights) {
        this.data = data;
        this.weights = weights;
    }

    /** The value of {@code data_format}. */
    String data() {
        return data;
    }

    /** The value of {@code weights_format}. */
    String weights() {
        return weights;
    }

    private long[] dims(long first, long second, long[] spatial) {
        LongStream dims = this == CHANNELS_FIRST
                ? LongStream.concat(LongStream.of(first, second), LongStream.of(spatial))
                : LongStream.concat(LongStream.of(spatial), LongStream.of(second, first));
        return dims.toArray();
    }

    long[] inputDims(Problem problem) {
        return batched(problem.batch(), problem.inChannels(), problem.each(Axis::input));
    }

    long[] outputDims(Problem problem) {
        return batched(problem.batch(), problem.outChannels(), problem.each(Axis::output));
    }

    private long[] batched(long batch, long channels, long[] spatial) {
        if (this == CHANNELS_FIRST) {
            return dims(batch, channels, spatial);
        }
        return LongStream.concat(
                        LongStream.of(batch), LongStream.concat(LongStream.of(spatial), LongStream.of(channels)))
                .toArray();
    }

    long[] weightDims(Problem problem) {
        long[] kernel = problem.each(Axis::kernel);
        return problem.transposed()
                ? dims(problem.inChannels(), problem.outChannels() / problem.groups(), kernel)
                : dims(problem.outChannels(), problem.inChannels() / problem.groups(), kernel);
    }

    /** Data with its channels first as this form has it. */
    double[] data(double[] values, long batch, long channels) {
        return this == CHANNELS_FIRST ? values : exchanged(values, batch, channels);
    }

    /** Data of this form with its channels first. */
    double[] channelsFirst(double[] values, long batch, long channels) {
        return this == CHANNELS_FIRST ? values : exchanged(values, batch, values.length / batch / channels);
    }

    /** {@code [outer, rows, columns]} with the last two axes exchanged. */
    private static double[] exchanged(double[] values, long outer, long rows) {
        double[] moved = new double[values.length];
        int columns = Math.toIntExact(values.length / outer / rows);
        int at = 0;
        for (int i = 0; i < outer; i++) {
            for (int column = 0; column < columns; column++) {
                for (int row = 0; row < rows; row++) {
                    moved[at++] = values[(i * (int) rows + row) * columns + column];
                }
            }
        }
        return moved;
    }

    /** Weights {@code [first, second, spatial]} as this form has them. */
    double[] weights(double[] values, long first, long second) {
        if (this == CHANNELS_FIRST) {
            return values;
        }
        double[] moved = new double[values.length];
        int taps = Math.toIntExact(values.length / first / second);
        for (int i = 0; i < values.length; i++) {
            int tap = i % taps;
            int in = i / taps % (int) second;
            int out = i / taps / (int) second;
            moved[(tap * (int) second + in) * (int) first + out] = values[i];
        }
        return moved;
    }
}
