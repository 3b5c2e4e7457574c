package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.importer.BatchedGather;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Tensors that are joined, cut apart, picked from or padded along axes. */
final class TfliteSelectionLayers {

    /** Outputs of one operator at most. */
    private static final int MOST_OUTPUTS = 65_536;

    private TfliteSelectionLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("CONCATENATION", TfliteSelectionLayers::concat);
        all.several("SPLIT", TfliteSelectionLayers::split);
        all.several("SPLIT_V", TfliteSelectionLayers::splitBySizes);
        all.one("PACK", TfliteSelectionLayers::pack);
        all.several("UNPACK", TfliteSelectionLayers::unpack);
        all.one("GATHER", TfliteSelectionLayers::gather);
        all.one("GATHER_ND", TfliteSelectionLayers::gatherSlices);
        all.one("ONE_HOT", TfliteSelectionLayers::oneHot);
        all.several("TOPK_V2", TfliteSelectionLayers::largest);
        all.one("REVERSE_SEQUENCE", TfliteSelectionLayers::reverseSequence);
    }

    /** Parts that are quantized otherwise than the whole are joined as real numbers, all of them. */
    private static Value concat(TfliteCall call) {
        call.requireInputs(1, MOST_OUTPUTS);
        boolean kept = IntStream.range(0, call.inputs()).allMatch(call::isKept);
        List<TfliteValue> parts = IntStream.range(0, call.inputs())
                .mapToObj(input -> kept ? call.stored(input) : call.real(input))
                .toList();
        int rank = parts.get(0).rank();
        if (parts.stream().anyMatch(part -> part.rank() != rank)) {
            throw call.malformed("it joins tensors of different numbers of axes");
        }
        int along = call.axis(call.options().integer("axis"), rank);
        boolean second = parts.stream().anyMatch(TfliteValue::second);
        List<Value> values = parts.stream()
                .map(part -> second ? call.second(part) : call.plain(part))
                .toList();
        long held = second ? ChannelAxes.inSecond(along, rank) : along;
        Value joined = call.add("Concat", values, new Params().put("axis", held));
        return TfliteActivations.after(call, call.give(joined, second));
    }

    private static List<Value> split(TfliteCall call) {
        call.requireInputs(2, 2);
        TfliteValue x = call.kept(1);
        int parts = parts(call);
        int axis = call.axis(call.requiredInteger(0, "axis"), x.rank());
        boolean fits = !x.shape().dim(axis).isKnown() || x.shape().size(axis) % parts == 0;
        if (!fits) {
            throw call.malformed("axis " + axis + " of size " + x.shape().size(axis) + " cannot be cut into " + parts);
        }
        return parts(call, x, axis, new Params());
    }

    private static int parts(TfliteCall call) {
        int parts = call.options().size("num_splits", 1);
        if (parts != call.outputs()) {
            throw call.malformed("it has " + parts + " parts, but " + call.outputs() + " outputs");
        }
        return parts;
    }

    private static List<Value> parts(TfliteCall call, TfliteValue x, int axis, Params params) {
        params.put("axis", (long) x.heldAxis(axis)).put("num_outputs", (long) call.outputs());
        List<Value> parts = call.addAll("Split", List.of(x.held()), params, call.outputs());
        parts.forEach(part -> call.give(part, x.second()));
        return parts;
    }

    private static List<Value> splitBySizes(TfliteCall call) {
        call.requireInputs(3, 3);
        TfliteValue x = call.kept(0);
        long[] sizes = call.requiredIntegers(1, "sizes").clone();
        int axis = call.axis(call.requiredInteger(2, "axis"), x.rank());
        int[] open =
                IntStream.range(0, sizes.length).filter(i -> sizes[i] == -1).toArray();
        if (parts(call) != sizes.length || open.length > 1) {
            throw call.malformed("its sizes are " + TfliteCall.shown(sizes));
        }
        if (open.length == 1) {
            if (!x.shape().dim(axis).isKnown()) {
                throw call.unsupportedUse("a size that follows from the others");
            }
            sizes[open[0]] = x.shape().size(axis) - Arrays.stream(sizes).sum() - 1;
        }
        if (Arrays.stream(sizes).anyMatch(size -> size < 0)) {
            throw call.malformed("its sizes are " + TfliteCall.shown(sizes));
        }
        return parts(call, x, axis, new Params().put("split", sizes));
    }

    private static Value pack(TfliteCall call) {
        call.requireInputs(1, MOST_OUTPUTS);
        call.options().ignore("values_count");
        boolean kept = IntStream.range(0, call.inputs()).allMatch(call::isKept);
        List<Value> parts = IntStream.range(0, call.inputs())
                .mapToObj(input -> call.plain(kept ? call.stored(input) : call.real(input)))
                .toList();
        long axis = call.axis(call.options().integer("axis"), parts.get(0).rank() + 1);
        Params at = new Params().put("axis", new long[] {axis});
        List<Value> wide =
                parts.stream().map(part -> call.add("Unsqueeze", at, part)).toList();
        return call.add("Concat", wide, new Params().put("axis", axis));
    }

    private static List<Value> unpack(TfliteCall call) {
        call.requireInputs(1, 1);
        Value x = call.plain(call.kept(0));
        int count = call.options().size("num", 1);
        int axis = call.axis(call.options().integer("axis"), x.rank());
        boolean fits = !x.shape().dim(axis).isKnown() || x.sizeOr0(axis) == count;
        if (!fits || count != call.outputs()) {
            throw call.malformed("it has " + call.outputs() + " outputs, but " + count + " parts of " + x.shape());
        }
        List<Value> parts = new ArrayList<>();
        for (long part = 0; part < count; part++) {
            Value index = call.constant("index", Tensor.scalar(part));
            parts.add(call.add("Gather", new Params().put("axis", (long) axis), x, index));
        }
        return parts;
    }

    /** With batches that the indices have too, each takes its own ones: as rows of numbers, with the batch in front. */
    private static Value gather(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(call.kept(0));
        Value indices = call.plain(1);
        int batches = call.options().integer("batch_dims");
        int counted = batches < 0 ? batches + indices.rank() : batches;
        int axis = call.axis(call.options().integer("axis"), x.rank());
        if (counted == 0) {
            return call.add("Gather", new Params().put("axis", (long) axis), x, indices);
        }
        if (counted > axis || indices.rank() < counted) {
            throw call.unsupportedUse("batch_dims " + batches + " and axis " + axis);
        }
        long[] last = {indices.rank()};
        Value rows = call.add("Unsqueeze", new Params().put("axis", last), indices);
        Params ofBatches = new Params().put("batch_dims", (long) counted);
        BatchedGather gather = new BatchedGather(counted, axis, x.rank(), indices.rank());
        if (gather.isInPlace()) {
            return call.add("GatherND", ofBatches, x, rows);
        }
        Value data = call.add("Transpose", new Params().put("perm", gather.front()), x);
        Value gathered = call.add("GatherND", ofBatches, data, rows);
        return call.add("Transpose", new Params().put("perm", gather.back()), gathered);
    }

    private static Value gatherSlices(TfliteCall call) {
        call.requireInputs(2, 2);
        return call.add("GatherND", call.plain(call.kept(0)), call.plain(1));
    }

    private static Value oneHot(TfliteCall call) {
        call.requireInputs(4, 4);
        long depth = call.requiredInteger(1, "depth");
        Value on = call.plain(2);
        Value off = call.plain(3);
        Params flat = new Params().put("shape", new long[] {1});
        Value values = call.add(
                "Concat", new Params().put("axis", 0L), call.add("Reshape", flat, off), call.add("Reshape", flat, on));
        Params params = new Params()
                .put("depth", depth)
                .put("axis", (long) call.options().integer("axis"))
                .put("wrap", false);
        return call.add("OneHot", params, call.plain(0), Value.NONE, values);
    }

    private static List<Value> largest(TfliteCall call) {
        call.requireInputs(2, 2);
        long most = call.requiredInteger(1, "number of elements");
        Value x = call.plain(call.kept(0));
        List<Value> found = call.addAll("TopK", List.of(x), new Params().put("k", most), 2);
        if (call.outputs() < 2) {
            return found;
        }
        DType type = call.output(1).dtype();
        Value indices = call.add("Cast", new Params().put("to", type.label()), found.get(1));
        return List.of(found.get(0), indices);
    }

    private static Value reverseSequence(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(call.kept(0));
        Params params = new Params()
                .put("time_axis", (long) call.axis(call.options().integer("seq_dim"), x.rank()))
                .put("batch_axis", (long) call.axis(call.options().integer("batch_dim"), x.rank()));
        return call.add("ReverseSequence", params, x, call.plain(1));
    }
}
