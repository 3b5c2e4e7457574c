package org.clinfer.importer.tfjs;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;

/** Layers that make one value of several. */
final class MergeLayers {

    private MergeLayers() {}

    static Map<String, LayerTranslator> all() {
        return Map.of(
                "Add", call -> variadic(call, "Sum"),
                "Maximum", call -> variadic(call, "Max"),
                "Minimum", call -> variadic(call, "Min"),
                "Average", MergeLayers::average,
                "Multiply", MergeLayers::multiply,
                "Subtract", MergeLayers::subtract,
                "Concatenate", MergeLayers::concatenate);
    }

    /** The inputs, two at least, all with as many axes; where one has fewer, axes of 1 follow that of the batch. */
    private static List<Value> aligned(LayerCall call) {
        List<Value> inputs = call.inputs();
        if (inputs.size() < 2) {
            throw call.malformed("it takes two inputs or more, but is given " + inputs.size());
        }
        if (inputs.stream().map(Value::rank).distinct().count() == 1) {
            return inputs;
        }
        int rank = inputs.stream().mapToInt(call::rank).max().orElseThrow();
        return inputs.stream().map(input -> withRank(call, input, rank)).toList();
    }

    private static Value withRank(LayerCall call, Value input, int rank) {
        int missing = rank - call.rank(input);
        if (missing == 0) {
            return input;
        }
        long[] axes = LongStream.rangeClosed(1, missing).toArray();
        return call.add("Unsqueeze", List.of(input.name()), rank, new Params().put("axis", axes));
    }

    private static Value variadic(LayerCall call, String op) {
        List<Value> inputs = aligned(call);
        return call.add(op, names(inputs), rank(inputs), new Params());
    }

    private static List<String> names(List<Value> values) {
        return values.stream().map(Value::name).toList();
    }

    private static OptionalInt rank(List<Value> values) {
        return values.get(0).rank();
    }

    private static Value average(LayerCall call) {
        return Activations.times(
                call, variadic(call, "Sum"), 1.0 / call.inputs().size());
    }

    private static Value multiply(LayerCall call) {
        List<Value> inputs = aligned(call);
        Value product = inputs.get(0);
        for (Value factor : inputs.subList(1, inputs.size())) {
            product = call.add("Mul", names(List.of(product, factor)), product.rank(), new Params());
        }
        return product;
    }

    private static Value subtract(LayerCall call) {
        List<Value> inputs = aligned(call);
        if (inputs.size() != 2) {
            throw call.malformed("it takes two inputs, but is given " + inputs.size());
        }
        return call.add("Sub", names(inputs), rank(inputs), new Params());
    }

    private static Value concatenate(LayerCall call) {
        if (call.inputs().isEmpty()) {
            throw call.malformed("it takes one input or more");
        }
        Params params = new Params().put("axis", call.config().integer("axis", -1));
        return call.add("Concat", names(call.inputs()), rank(call.inputs()), params);
    }
}
