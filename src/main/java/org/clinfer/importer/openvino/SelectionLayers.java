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
        all.one("Bucketize", SelectionLayers::buckets);
        all.one("SearchSorted", SelectionLayers::places);
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
        long axis = call.axis(call.integer(3, "axes"), call.input(0).rank());
        String reduction = reduction(call);
        if (!call.attributes().flag("use_init_val", true) && !reduction.equals("none")) {
            throw call.attributes().unsupported("use_init_val");
        }
        Params params = new Params().put("axis", axis).put("reduction", reduction);
        List<Value> operands = List.of(call.input(0), indices(call, 1), call.input(2));
        return call.last("ScatterElements", operands, params);
    }

    private static Value scatterNd(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        boolean subtracts = call.attributes().has("reduction")
                && call.attributes().text("reduction").equalsIgnoreCase("sub");
        Value updates = subtracts ? call.add("Neg", call.input(2)) : call.input(2);
        Params params = new Params().put("reduction", subtracts ? "add" : reduction(call));
        return call.last("ScatterND", List.of(call.input(0), indices(call, 1), updates), params);
    }

    /** The reduction of what has the same place, and of what was there, in the words of the operators. */
    private static String reduction(OpenVinoLayerCall call) {
        String reduction = call.attributes().choice("reduction", "none", "none", "sum", "prod", "min", "max");
        if (!reduction.equals("none") && call.input(0).type().dtype() == DType.BOOL) {
            throw call.attributes().unsupported("reduction");
        }
        return switch (reduction) {
            case "sum" -> "add";
            case "prod" -> "mul";
            default -> reduction;
        };
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

    /** The number of bounds below each element; without the right bound, of those that it is not below. */
    private static Value buckets(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        call.requireDeclaredType(0, "output_type", "i64");
        Value x = call.input(0);
        Value column = call.unsqueezed(x, x.rank());
        Value bounds = call.input(1);
        boolean right = call.attributes().flag("with_right_bound", true);
        Value below = right ? compared(call, "Less", bounds, column) : compared(call, "Less", column, bounds);
        return counted(call, right ? below : call.add("Not", below), x.rank());
    }

    /** The number of elements of a sorted row below each value, or in the right mode of those that are not above it. */
    private static Value places(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        if (call.attributes().has("output_type")) {
            call.requireDeclaredType(0, "output_type", "");
        }
        Value values = call.input(1);
        Value sorted = call.unsqueezed(call.input(0), call.input(0).rank() - 1L);
        String op = call.attributes().flag("right_mode", false) ? "LessOrEqual" : "Less";
        return counted(call, compared(call, op, sorted, call.unsqueezed(values, values.rank())), values.rank());
    }

    /** Whole numbers become real ones beside those. */
    private static Value compared(OpenVinoLayerCall call, String op, Value left, Value right) {
        DType type = left.type().dtype().isFloating()
                ? left.type().dtype()
                : right.type().dtype();
        DType common = type.isFloating() ? type : DType.INT64;
        return call.add(op, call.cast(left, common), call.cast(right, common));
    }

    private static Value counted(OpenVinoLayerCall call, Value truths, long axis) {
        Params along = new Params().put("axis", new long[] {axis}).put("keep_dims", false);
        return call.last("ReduceSum", List.of(call.cast(truths, DType.INT64)), along);
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
