package org.clinfer.conformance;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.tensor.DType;

/** Normalisations over the batch, an image, neighbouring channels or classes. */
final class NormalizationReferences {

    private NormalizationReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "BatchNorm", Reference.single(NormalizationReferences::batchNorm),
                "InstanceNorm", Reference.single(NormalizationReferences::instanceNorm),
                "LayerNorm", NormalizationReferences::layerNorm,
                "RmsNorm", Reference.single(NormalizationReferences::rmsNorm),
                "Lrn", Reference.single(NormalizationReferences::lrn),
                "Softmax", Reference.single(call -> softmax(call, false)),
                "LogSoftmax", Reference.single(call -> softmax(call, true)));
    }

    /** The channel of an element: its second axis; a vector is one channel. */
    private static long channel(long[] index) {
        return index.length == 1 ? 0 : index[1];
    }

    private static Array batchNorm(Call call) {
        Array x = call.input(0);
        double epsilon = call.real("epsilon", 1e-5);
        return Elements.like(x, Array.of(x.dims(), index -> {
            long c = channel(index);
            double deviation = Math.sqrt(call.input(4).at(c) + epsilon);
            return call.input(1).at(c) * (x.at(index) - call.input(3).at(c)) / deviation
                    + call.input(2).at(c);
        }));
    }

    private static Array instanceNorm(Call call) {
        Array x = call.input(0);
        double epsilon = call.real("epsilon", 1e-5);
        long[] dims = x.dims();
        long size = Array.elements(Arrays.copyOfRange(dims, 2, dims.length));
        Array flat = x.reshaped(dims[0] * dims[1], size);
        Array means = Array.of(statistics(flat), at -> mean(flat, at[0], v -> v));
        Array deviations = Array.of(
                statistics(flat),
                at -> Math.sqrt(mean(flat, at[0], v -> (v - means.at(at)) * (v - means.at(at))) + epsilon));
        Array result = Array.of(flat.dims(), at -> {
            long channel = at[0] % dims[1];
            return call.input(1).at(channel) * (flat.at(at) - means.at(at[0])) / deviations.at(at[0])
                    + call.input(2).at(channel);
        });
        return Elements.like(x, result.reshaped(dims));
    }

    /** [outer, size]: what is before the axis, and what is normalised together. */
    private static Array rows(Call call) {
        Array x = call.input(0);
        long size =
                Array.elements(Arrays.copyOfRange(x.dims(), Values.axis(call.integer("axis", -1), x.rank()), x.rank()));
        return x.reshaped(
                Array.elements(Arrays.copyOf(x.dims(), Values.axis(call.integer("axis", -1), x.rank()))), size);
    }

    private static double mean(Array rows, long row, DoubleUnaryOperator of) {
        return LongStream.range(0, rows.dim(1))
                        .mapToDouble(i -> of.applyAsDouble(rows.at(row, i)))
                        .sum()
                / rows.dim(1);
    }

    private static List<Array> layerNorm(Call call) {
        Array x = call.input(0);
        Array rows = rows(call);
        double epsilon = call.real("epsilon", 1e-5);
        long[] statistics = x.dims();
        Arrays.fill(statistics, Values.axis(call.integer("axis", -1), x.rank()), x.rank(), 1);
        Array means = Array.of(statistics(rows), at -> mean(rows, at[0], v -> v));
        Array inverses = Array.of(
                statistics(rows),
                at -> 1 / Math.sqrt(mean(rows, at[0], v -> (v - means.at(at)) * (v - means.at(at))) + epsilon));
        Array y = Array.of(rows.dims(), at -> {
            double normal = (rows.at(at) - means.at(at[0]))
                    * inverses.at(at[0])
                    * call.input(1).flat(at[1]);
            return call.hasInput(2) ? normal + call.input(2).flat(at[1]) : normal;
        });
        return Stream.of(
                        Elements.like(x, y.reshaped(x.dims())),
                        means.reshaped(statistics).as(DType.FLOAT32),
                        inverses.reshaped(statistics).as(DType.FLOAT32))
                .limit(call.outputs())
                .toList();
    }

    private static long[] statistics(Array rows) {
        return new long[] {rows.dim(0)};
    }

    private static Array rmsNorm(Call call) {
        Array rows = rows(call);
        double epsilon = call.real("epsilon", 1e-5);
        Array roots = Array.of(statistics(rows), at -> Math.sqrt(mean(rows, at[0], v -> v * v) + epsilon));
        Array y = Array.of(
                rows.dims(), at -> rows.at(at) / roots.at(at[0]) * call.input(1).flat(at[1]));
        return Elements.like(call.input(0), y.reshaped(call.input(0).dims()));
    }

    /** Over channels from floor((size-1)/2) before to ceil((size-1)/2) after, as ONNX LRN. */
    private static Array lrn(Call call) {
        Array x = call.input(0);
        long size = call.integer("size", 0);
        double alpha = call.real("alpha", 1e-4);
        double beta = call.real("beta", 0.75);
        double bias = call.real("bias", 1);
        return Elements.like(x, Array.of(x.dims(), index -> {
            long first = Math.max(0, index[1] - (size - 1) / 2);
            long last = Math.min(x.dim(1) - 1, index[1] + size / 2);
            double squares = 0;
            for (long c = first; c <= last; c++) {
                long[] neighbour = index.clone();
                neighbour[1] = c;
                squares += x.at(neighbour) * x.at(neighbour);
            }
            return x.at(index) / Math.pow(bias + alpha / size * squares, beta);
        }));
    }

    private static Array softmax(Call call, boolean logarithm) {
        Array x = call.input(0);
        long[] dims = x.dims();
        int axis = Values.axis(call.integer("axis", -1), Math.max(1, x.rank()));
        int end = call.flag("flatten", false) ? dims.length : Math.min(axis + 1, dims.length);
        long classes = x.rank() == 0 ? 1 : Array.elements(Arrays.copyOfRange(dims, axis, end));
        long inner = x.rank() == 0 ? 1 : Array.elements(Arrays.copyOfRange(dims, end, dims.length));
        long outer = x.rank() == 0 ? 1 : Array.elements(Arrays.copyOf(dims, axis));
        Array rows = x.reshaped(outer, classes, inner);
        Array largest = Array.of(
                new long[] {outer, inner},
                at -> LongStream.range(0, classes)
                        .mapToDouble(c -> rows.at(at[0], c, at[1]))
                        .reduce(Double.NEGATIVE_INFINITY, Math::max));
        Array sums = Array.of(
                new long[] {outer, inner},
                at -> LongStream.range(0, classes)
                        .mapToDouble(c -> Math.exp(rows.at(at[0], c, at[1]) - largest.at(at)))
                        .sum());
        Array result = Array.of(new long[] {outer, classes, inner}, at -> {
            double exponent = rows.at(at) - largest.at(at[0], at[2]);
            double sum = sums.at(at[0], at[2]);
            return logarithm ? exponent - Math.log(sum) : Math.exp(exponent) / sum;
        });
        return Elements.like(x, result.reshaped(dims));
    }
}
