package org.clinfer.importer.openvino;

import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.BatchedGather;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Layers that choose elements by their indices, and layers that make indices. */
final class SelectionLayers {

    /** The operator set from which on a range says what type it gives. */
    private static final int TYPED_RANGE = 4;

    private static final long MOST_CLASSES = 1L << 24;

    private SelectionLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("Gather", SelectionLayers::gather);
        all.one("GatherElements", SelectionLayers::gatherElements);
        all.one("GatherND", SelectionLayers::gatherNd);
        all.one("ScatterUpdate", SelectionLayers::scatterUpdate);
        all.one("ScatterElementsUpdate", SelectionLayers::scatterElements);
        all.one("ScatterNDUpdate", SelectionLayers::scatterNd);
        all.one("NonZero", SelectionLayers::nonZero);
        all.several("TopK", SelectionLayers::topK);
        all.one("OneHot", SelectionLayers::oneHot);
        all.one("Range", SelectionLayers::range);
        all.one("CumSum", SelectionLayers::cumSum);
        all.one("ReverseSequence", SelectionLayers::reverseSequence);
    }

    /** Indices as operators take them. */
    private static Value indices(OpenVinoLayerCall call, int number) {
        Value indices = call.input(number);
        DType type = indices.type().dtype();
        if (!type.isInteger()) {
            throw call.unsupportedUse("places of type " + type);
        }
        return type == DType.INT32 || type == DType.INT64 ? indices : call.cast(indices, DType.INT64);
    }

    private static Value gather(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        Value x = call.input(0);
        long axis = call.axis(call.integer(2, "axes"), x.rank());
        long given = call.attributes().integer("batch_dims", 0);
        long batches = given < 0 ? given + call.input(1).rank() : given;
        if (batches != 0) {
            int rank = call.input(1).rank();
            if (batches < 0 || batches > axis || batches > rank) {
                throw call.attributes().unsupported("batch_dims");
            }
            Value places = call.unsqueezed(indices(call, 1), rank);
            Params ofBatches = new Params().put("batch_dims", batches);
            BatchedGather gather = new BatchedGather((int) batches, (int) axis, x.rank(), rank);
            if (gather.isInPlace()) {
                return call.last("GatherND", List.of(x, places), ofBatches);
            }
            Value data = call.add("Transpose", List.of(x), new Params().put("perm", gather.front()));
            Value gathered = call.add("GatherND", List.of(data, places), ofBatches);
            return call.last("Transpose", List.of(gathered), new Params().put("perm", gather.back()));
        }
        return call.last("Gather", List.of(x, indices(call, 1)), new Params().put("axis", axis));
    }

    private static Value gatherElements(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Params params = new Params().put("axis", call.attributes().integer("axis"));
        return call.last("GatherElements", List.of(call.input(0), indices(call, 1)), params);
    }

    /** The first form joins the axes of batches into one. */
    private static Value gatherNd(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        long batches = call.attributes().integer("batch_dims", 0);
        if (batches > 1 && call.opset() < 8) {
            throw call.attributes().unsupported("batch_dims");
        }
        Params params = new Params().put("batch_dims", batches);
        return call.last("GatherND", List.of(call.input(0), indices(call, 1)), params);
    }

    /** Updates have the axes of the indices in the place of the one that these count along. */
    private static Value scatterUpdate(OpenVinoLayerCall call) {
        call.requireInputs(4, 4);
        Value x = call.input(0);
        Value updates = call.input(2);
        int axis = call.axis(call.integer(3, "axes"), x.rank());
        int places = call.input(1).rank();
        Value rows = call.unsqueezed(indices(call, 1), places);
        if (axis == 0) {
            return call.last("ScatterND", x, rows, updates);
        }
        if (updates.rank() != x.rank() - 1 + places) {
            throw call.malformed(
                    "its updates must have " + (x.rank() - 1 + places) + " axes, but have " + updates.rank());
        }
        Value first = call.transposed(x, inFront(x.rank(), axis, 1));
        Value changed =
                call.add("ScatterND", first, rows, call.transposed(updates, inFront(updates.rank(), axis, places)));
        long[] back = new long[x.rank()];
        long[] order = inFront(x.rank(), axis, 1);
        for (int i = 0; i < back.length; i++) {
            back[(int) order[i]] = i;
        }
        return call.last("Transpose", List.of(changed), new Params().put("perm", back));
    }

    /** The order of axes in which some that follow one another come first. */
    private static long[] inFront(int rank, int from, int count) {
        return LongStream.concat(
                        LongStream.range(from, from + count),
                        LongStream.range(0, rank).filter(axis -> axis < from || axis >= from + count))
                .toArray();
    }

    /** The places of the elements that are not 0, a column for each. */
    private static Value nonZero(OpenVinoLayerCall call) {
        Value x = call.input();
        call.requireDeclaredType(0, "output_type", "i64");
        List<Value> found = call.addAll("NonZero", List.of(x), new Params(), 2);
        call.main(found.get(0));
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {1});
        Value places = call.add("Slice", List.of(found.get(0), Value.NONE, found.get(1)), first, call.declared(0));
        return call.cast(places, call.declaredType(0));
    }

    private static Value scatterElements(OpenVinoLayerCall call) {
        call.requireInputs(4, 4);
        call.attributes().choice("reduction", "none", "none");
        call.attributes().ignore("use_init_val");
        long axis = call.axis(call.integer(3, "axes"), call.input(0).rank());
        List<Value> operands = List.of(call.input(0), indices(call, 1), call.input(2));
        return call.last("ScatterElements", operands, new Params().put("axis", axis));
    }

    private static Value scatterNd(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        call.attributes().choice("reduction", "none", "none");
        return call.last("ScatterND", call.input(0), indices(call, 1), call.input(2));
    }

    private static List<Value> topK(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        OpenVinoAttributes attributes = call.attributes();
        attributes.ignore("stable");
        attributes.requiredChoice("sort", "value", "none");
        if (call.outputCount() > 1) {
            call.requireDeclaredType(1, "index_element_type", "i32");
        }
        Value x = call.input(0);
        Params params = new Params()
                .put("axis", (long) call.axis(attributes.integer("axis"), x.rank()))
                .put("largest", attributes.requiredChoice("mode", "max", "min").equals("max"))
                .put("k", call.isMissing(1) ? count(call, attributes.integer("axis")) : call.integer(1, "counts"));
        List<Value> found = call.addAll("TopK", List.of(x), params, 2);
        call.main(found.get(0));
        return call.outputCount() < 2
                ? found.subList(0, 1)
                : List.of(found.get(0), call.cast(found.get(1), call.declaredType(1)));
    }

    private static long count(OpenVinoLayerCall call, long axis) {
        Shape result = call.declared(0);
        return call.size(new Value("", result), call.axis(axis, result.rank()), "results");
    }

    /** Indices outside give no hot element; they are not counted from the end. */
    private static Value oneHot(OpenVinoLayerCall call) {
        call.requireInputs(4, 4);
        Value indices = call.cast(indices(call, 0), DType.INT64);
        int rank = indices.rank() + 1;
        int axis = call.axis(call.attributes().integer("axis"), rank);
        long depth = call.integer(1, "counts of classes");
        if (depth < 0 || depth > MOST_CLASSES) {
            throw call.unsupportedUse(depth + " classes");
        }
        Value values = call.add(
                "Concat",
                List.of(call.unsqueezed(call.input(3), 0), call.unsqueezed(call.input(2), 0)),
                new Params().put("axis", 0L));
        Params params = new Params().put("axis", (long) axis).put("wrap", false);
        Value count = call.constant("classes", Tensor.scalar(depth));
        return call.last(
                "OneHot", List.of(indices, count, values), params, values.type().dtype());
    }

    private static Value range(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        DType type = call.declaredType(0);
        if (call.opset() >= TYPED_RANGE) {
            call.attributes().require("output_type");
            call.requireDeclaredType(0, "output_type", "");
        }
        List<Value> bounds =
                call.inputs().stream().map(bound -> call.cast(bound, type)).toList();
        return call.last("Range", bounds, new Params());
    }

    private static Value cumSum(OpenVinoLayerCall call) {
        call.requireInputs(1, 2);
        Value x = call.input(0);
        Params params = new Params()
                .put("axis", (long) call.axis(call.inputCount() == 2 ? call.integer(1, "axes") : 0, x.rank()))
                .put("exclusive", call.attributes().flag("exclusive", false))
                .put("reverse", call.attributes().flag("reverse", false));
        return call.last("CumSum", List.of(x), params);
    }

    private static Value reverseSequence(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        Params params = new Params()
                .put("batch_axis", (long) call.axis(call.attributes().integer("batch_axis", 0), x.rank()))
                .put("time_axis", (long) call.axis(call.attributes().integer("seq_axis", 1), x.rank()));
        return call.last("ReverseSequence", List.of(x, indices(call, 1)), params);
    }
}
