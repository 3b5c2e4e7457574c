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
}
