package org.clinfer.benchdnn;

import java.util.stream.LongStream;

/** Where the channels of a problem's tensors stand; only Convolution takes another form than the first. */
enum Form {
    /** {@code [N, C, spatial...]} with weights {@code [O, I / groups, spatial...]}; transposed, [I, O / groups, ...]. */
    NCX_OIX(false, false),
    /** {@code [N, spatial..., C]} with weights {@code [spatial..., I / groups, O]}. */
    NXC_XIO(true, true),
    /** Data as in the second, weights as in the first. */
    NXC_OIX(true, false),
    /** Data as in the first, weights as in the second. */
    NCX_XIO(false, true);

    private final boolean dataLast;
    private final boolean weightsLast;

    Form(boolean dataLast, boolean weightsLast) {
        this.dataLast = dataLast;
        this.weightsLast = weightsLast;
    }

    /** The value of {@code data_format}. */
    String dataFormat() {
        return dataLast ? "NXC" : "NCX";
    }

    /** The value of {@code weights_format}. */
    String weightsFormat() {
        return weightsLast ? "XIO" : "OIX";
    }

    long[] inputDims(Problem problem) {
        return dataDims(problem.batch(), problem.inChannels(), problem.each(Axis::input));
    }

    long[] outputDims(Problem problem) {
        return dataDims(problem.batch(), problem.outChannels(), problem.each(Axis::output));
    }

    private long[] dataDims(long batch, long channels, long[] spatial) {
        return dataLast ? joined(new long[] {batch}, spatial, channels) : joined(new long[] {batch, channels}, spatial);
    }

    long[] weightDims(Problem problem) {
        boolean transposed = problem.transposed();
        long first = transposed ? problem.inChannels() : problem.outChannels();
        long second = (transposed ? problem.outChannels() : problem.inChannels()) / problem.groups();
        long[] kernel = problem.each(Axis::kernel);
        return weightsLast ? joined(new long[0], kernel, second, first) : joined(new long[] {first, second}, kernel);
    }

    private static long[] joined(long[] before, long[] spatial, long... after) {
        return LongStream.concat(LongStream.of(before), LongStream.concat(LongStream.of(spatial), LongStream.of(after)))
                .toArray();
    }

    /** Data with its channels first as this form has it. */
    double[] data(double[] values, long batch, long channels) {
        return dataLast ? exchanged(values, batch, channels) : values;
    }

    /** Data of this form with its channels first. */
    double[] channelsFirst(double[] values, long batch, long channels) {
        return dataLast ? exchanged(values, batch, values.length / batch / channels) : values;
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
        if (!weightsLast) {
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
