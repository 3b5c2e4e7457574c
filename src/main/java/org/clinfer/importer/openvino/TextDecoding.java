package org.clinfer.importer.openvino;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The classes that a network tells of each step of a sequence, without blanks and repetitions (CTC). */
final class TextDecoding {

    /** Steps of a sequence, for each pair of which there is a number. */
    private static final long MOST_STEPS = 1 << 12;

    private TextDecoding() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("CTCGreedyDecoder", TextDecoding::greedy);
    }

    /**
     * The best class of each step, one after another, and -1 behind them.
     *
     * <pre>{@code class kept at step t has place p(t) = kept(0) + ... + kept(t) - 1; y[p] = sum over t of [p(t) = p] (class + 1) - 1}</pre>
     */
    private static Value greedy(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        if (x.rank() != 3 || call.input(1).rank() != 2) {
            throw call.malformed("it takes (steps, sequences, classes) and (steps, sequences), but is given "
                    + x.shape() + " and " + call.input(1).shape());
        }
        long steps = call.size(x, 0, "steps");
        long classes = call.size(x, 2, "classes");
        if (steps < 1 || steps > MOST_STEPS || classes < 1) {
            throw call.unsupportedUse(steps + " steps of " + classes + " classes");
        }
        Params last = new Params().put("axis", 2L).put("keepdims", false);
        Value best = rows(call, call.cast(call.add("ArgMax", last, x), DType.FLOAT32));
        Value isText = call.add("Less", best, call.number("blank", classes - 1.0));
        Value kept = call.add("And", isText, goesOn(call));
        if (call.attributes().flag("ctc_merge_repeated", true)) {
            kept = call.add("And", kept, isNew(call, best, steps));
        }
        Value count = call.cast(kept, DType.FLOAT32);
        Value one = call.number("one", 1);
        Value place = call.add("Sub", call.add("CumSum", new Params().put("axis", 1L), count), one);
        float[] numbers = new float[(int) steps];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        Value places = call.constant("places", Tensor.of(numbers, steps, 1));
        Value isThere = call.cast(call.add("Equal", call.unsqueezed(place, 1), places), DType.FLOAT32);
        Value labels = call.add("Mul", count, call.add("Add", best, one));
        Value found = call.add("Sub", call.add("MatMul", isThere, call.unsqueezed(labels, 2)), one);
        Value result = call.cast(found, x.type().dtype());
        return call.last("Unsqueeze", List.of(result), new Params().put("axis", new long[] {3}));
    }

    private static Value rows(OpenVinoLayerCall call, Value columns) {
        return call.transposed(columns, 1, 0);
    }

    /** True until the first step whose mask is 0. */
    private static Value goesOn(OpenVinoLayerCall call) {
        Value mask = rows(call, call.input(1));
        Value ends = call.cast(call.add("Equal", mask, call.like(mask, "end", 0)), DType.FLOAT32);
        Value ended = call.add("CumSum", new Params().put("axis", 1L), ends);
        return call.add("Equal", ended, call.number("none", 0));
    }

    /** True where a class is not that of the step before. */
    private static Value isNew(OpenVinoLayerCall call, Value best, long steps) {
        Value first = part(call, best, 0, 1);
        Value none = call.add("Sub", call.add("Mul", first, call.number("nothing", 0)), call.number("minus", 1));
        List<Value> shifted = steps == 1 ? List.of(none) : List.of(none, part(call, best, 0, steps - 1));
        Value before = call.add("Concat", shifted, new Params().put("axis", 1L));
        return call.add("Not", call.add("Equal", best, before));
    }

    private static Value part(OpenVinoLayerCall call, Value x, long from, long end) {
        Params range = new Params()
                .put("starts", new long[] {from})
                .put("ends", new long[] {end})
                .put("axes", new long[] {1});
        return call.add("Slice", range, x);
    }
}
