package org.clinfer.importer.tfjs;

import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers that make one value of several. */
final class MergeLayers {

    private MergeLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        all.one("Add", call -> variadic(call, "Sum"));
        all.one("Maximum", call -> variadic(call, "Max"));
        all.one("Minimum", call -> variadic(call, "Min"));
        all.one("Average", MergeLayers::average);
        all.one("Multiply", MergeLayers::multiply);
        all.one("Subtract", MergeLayers::subtract);
        all.one("Concatenate", MergeLayers::concatenate);
    }

    /** The inputs, two at least, all with as many axes; where one has fewer, axes of 1 follow that of the batch. */
    private static List<Value> aligned(TfjsLayerCall call) {
        List<Value> inputs = call.inputs();
        if (inputs.size() < 2) {
            throw call.malformed("it takes two inputs or more, but is given " + inputs.size());
        }
        int rank = inputs.stream().mapToInt(Value::rank).max().orElseThrow();
        return inputs.stream().map(input -> withRank(call, input, rank)).toList();
    }

    private static Value withRank(TfjsLayerCall call, Value input, int rank) {
        long[] axes = LongStream.rangeClosed(1, rank - input.rank()).toArray();
        return axes.length == 0 ? input : call.add("Unsqueeze", new Params().put("axis", axes), input);
    }

    private static Value variadic(TfjsLayerCall call, String op) {
        return call.add(op, aligned(call), new Params());
    }

    private static Value average(TfjsLayerCall call) {
        return TfjsActivations.times(
                call, variadic(call, "Sum"), 1.0 / call.inputs().size());
    }

    private static Value multiply(TfjsLayerCall call) {
        return aligned(call).stream()
                .reduce((product, factor) -> call.add("Mul", product, factor))
                .orElseThrow();
    }

    private static Value subtract(TfjsLayerCall call) {
        List<Value> inputs = aligned(call);
        if (inputs.size() != 2) {
            throw call.malformed("it takes two inputs, but is given " + inputs.size());
        }
        return call.add("Sub", inputs, new Params());
    }

    private static Value concatenate(TfjsLayerCall call) {
        if (call.inputs().isEmpty()) {
            throw call.malformed("it takes one input or more");
        }
        return call.add(
                "Concat", call.inputs(), new Params().put("axis", call.config().integer("axis", -1)));
    }
}
