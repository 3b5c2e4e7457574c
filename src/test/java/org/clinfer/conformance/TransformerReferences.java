package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Operators of transformers that are made of others; each sum is rounded to the type of what is added. */
final class TransformerReferences {

    private TransformerReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "BiasGelu", Reference.single(TransformerReferences::biasGelu),
                "SkipLayerNorm", TransformerReferences::skipLayerNorm,
                "SkipRmsNorm", TransformerReferences::skipRmsNorm,
                "EmbedLayerNorm", TransformerReferences::embedLayerNorm);
    }

    private static Array biasGelu(Call call) {
        Array sum = sum(call.input(0), ofFeatures(call, 1));
        DoubleUnaryOperator gelu = ActivationReferences.gelu(call);
        return Elements.like(sum, Array.of(sum.dims(), index -> gelu.applyAsDouble(sum.at(index))));
    }

    private static List<Array> skipLayerNorm(Call call) {
        Array sum = skipped(call, 4);
        Array y = Array.of(sum.dims(), index -> {
            long feature = index[index.length - 1];
            double bias = call.hasInput(3) ? call.input(3).at(feature) : 0;
            return normal(call, sum, index) * call.input(2).at(feature) + bias;
        });
        return outputs(call, y, sum);
    }

    private static List<Array> skipRmsNorm(Call call) {
        Array sum = skipped(call, 3);
        Array y = Array.of(sum.dims(), index -> {
            double root = Math.sqrt(mean(sum, index, v -> v * v) + call.real("epsilon", 1e-12));
            return sum.at(index) / root * call.input(2).at(index[index.length - 1]);
        });
        return outputs(call, y, sum);
    }

    private static List<Array> embedLayerNorm(Call call) {
        Array ids = call.input(0);
        long features = call.input(2).dim(1);
        long[] dims = {ids.dim(0), ids.dim(1), features};
        Array words = Elements.like(
                call.input(2), Array.of(dims, at -> call.input(2).at((long) ids.at(at[0], at[1]), at[2])));
        Array places = Array.of(dims, at -> {
            long place = call.hasInput(7) ? (long) call.input(7).broadcastAt(at[0], at[1]) : at[1];
            return call.input(3).at(place, at[2]);
        });
        Array placed = sum(words, places);
        Array sum = !call.hasInput(1)
                ? placed
                : sum(
                        placed,
                        Array.of(
                                dims,
                                at -> call.input(4).at((long) call.input(1).at(at[0], at[1]), at[2])));
        Array y = Array.of(
                dims,
                at -> normal(call, sum, at) * call.input(5).at(at[2])
                        + call.input(6).at(at[2]));
        return outputs(call, y, sum);
    }

    /** The distance from the mean of the features beside an element, by their deviation. */
    private static double normal(Call call, Array x, long[] index) {
        double mean = mean(x, index, v -> v);
        double variance = mean(x, index, v -> (v - mean) * (v - mean));
        return (x.at(index) - mean) / Math.sqrt(variance + call.real("epsilon", 1e-12));
    }

    /** The mean of a function of the features beside an element. */
    private static double mean(Array x, long[] index, DoubleUnaryOperator function) {
        int last = x.rank() - 1;
        double total = 0;
        for (long i = 0; i < x.dim(last); i++) {
            total += function.applyAsDouble(x.at(Indices.with(index, last, i)));
        }
        return total / x.dim(last);
    }

    private static Array skipped(Call call, int bias) {
        Array sum = sum(call.input(0), call.input(1));
        return call.hasInput(bias) ? sum(sum, ofFeatures(call, bias)) : sum;
    }

    /** An input that has an element for each feature. */
    private static Array ofFeatures(Call call, int input) {
        Array vector = call.input(input);
        return vector.reshaped(call.input(0).dim(-1));
    }

    /** The sum of an array and of one that broadcasts to its shape, rounded to its type. */
    private static Array sum(Array x, Array other) {
        Array exact = Array.of(x.dims(), index -> x.at(index) + other.broadcastAt(index));
        return Stored.array(Stored.tensor(exact, x.type().orElseThrow()));
    }

    private static List<Array> outputs(Call call, Array y, Array sum) {
        List<Array> outputs = new ArrayList<>(List.of(Elements.like(sum, y)));
        if (call.outputs() > 1) {
            outputs.add(sum);
        }
        return outputs;
    }
}
