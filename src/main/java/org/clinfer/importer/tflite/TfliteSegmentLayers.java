package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Operators that count elements or put them together by value: buckets, segments, different elements, common shapes. */
final class TfliteSegmentLayers {

    /** Elements that are compared with one another. */
    private static final long MOST_COMPARED = 1 << 14;

    private static final Params FIRST = new Params().put("axis", 0L);

    private TfliteSegmentLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("BUCKETIZE", TfliteSegmentLayers::buckets);
        all.one("BROADCAST_ARGS", TfliteSegmentLayers::commonShape);
        all.one("SEGMENT_SUM", TfliteSegmentLayers::segments);
        all.several("UNIQUE", TfliteSegmentLayers::unique);
        all.one("DILATE", TfliteSegmentLayers::dilated);
    }

    private static Value cast(TfliteCall call, Value x, DType to) {
        return x.type().dtype() == to ? x : call.add("Cast", new Params().put("to", to.label()), x);
    }

    /** The number of boundaries that are not above an element. */
    private static Value buckets(TfliteCall call) {
        call.requireInputs(1, 1);
        float[] boundaries = call.options().reals("boundaries");
        Value x = cast(call, call.plain(call.real(0)), DType.FLOAT32);
        Tensor table = Tensor.allocate(DType.FLOAT32, boundaries.length);
        for (int i = 0; i < boundaries.length; i++) {
            table.setDouble(i, boundaries[i]);
        }
        Value wide = call.add("Unsqueeze", new Params().put("axis", new long[] {-1}), x);
        Value passed = call.add("Not", call.add("Less", wide, call.constant("boundaries", table)));
        Params last = new Params().put("axis", new long[] {-1}).put("keep_dims", false);
        return call.add("ReduceSum", last, cast(call, passed, DType.INT32));
    }

    /** The sizes of two shapes, of which one may be 1, as those of the longer one. */
    private static Value commonShape(TfliteCall call) {
        call.requireInputs(2, 2);
        Value a = call.plain(0);
        Value b = call.plain(1);
        if (!a.shape().isKnown() || !b.shape().isKnown()) {
            throw call.unsupportedUse("shapes of which it is not known how many sizes they have");
        }
        long rank = Math.max(a.shape().elements(), b.shape().elements());
        Value first = filled(call, a, rank);
        Value second = filled(call, b, rank);
        Value one = call.scalar("one", a.type().dtype(), 1);
        return call.add("Where", call.add("Equal", first, one), second, first);
    }

    private static Value filled(TfliteCall call, Value sizes, long rank) {
        long missing = rank - sizes.shape().elements();
        if (missing == 0) {
            return sizes;
        }
        Tensor ones = Tensor.allocate(sizes.type().dtype(), missing);
        for (long i = 0; i < missing; i++) {
            ones.setLong(i, 1);
        }
        return call.add("Concat", FIRST, call.constant("ones", ones), sizes);
    }

    /** Rows of the same number are added; the numbers are in ascending order, so the last one tells how many sums there are. */
    private static Value segments(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(0);
        Value numbers = call.plain(1);
        if (numbers.rank() != 1 || x.rank() < 1) {
            throw call.malformed("its segments are " + numbers.shape() + " for " + x.shape());
        }
        Params end = new Params()
                .put("starts", new long[] {-1})
                .put("ends", new long[] {Long.MAX_VALUE})
                .put("axes", new long[] {0});
        Value last = cast(call, call.add("Slice", end, numbers), DType.INT64);
        Value count = call.add("Add", last, call.vector("one", 1));
        List<Value> sizes = new ArrayList<>(List.of(count));
        if (x.rank() > 1) {
            sizes.add(call.sizes(x, 1, x.rank()));
        }
        List<Dim> dims = new ArrayList<>(x.shape().dims());
        dims.set(0, constantCount(call).map(Dim::of).orElse(Dim.unknown()));
        Value zero = call.scalar("zero", x.type().dtype(), 0);
        Value base = call.add("Expand", List.of(zero, call.join(sizes)), new Params(), new Shape(dims));
        Value rows = call.add("Unsqueeze", new Params().put("axis", new long[] {1}), numbers);
        return call.add("ScatterND", new Params().put("reduction", "add"), base, rows, x);
    }

    private static Optional<Long> constantCount(TfliteCall call) {
        return call.integers(1).filter(all -> all.length > 0).map(all -> all[all.length - 1] + 1);
    }

    /**
     * The different elements of a vector in the order in which they come first, and the place of each element among them. Equal
     * ones are told by comparing all with all.
     */
    private static List<Value> unique(TfliteCall call) {
        call.requireInputs(1, 1);
        DType places = call.output(1).dtype();
        call.options().ignore("idx_out_type");
        Value x = call.plain(call.kept(0));
        if (x.rank() != 1) {
            throw call.malformed("it takes a vector, but is given " + x.shape());
        }
        if (x.shape().isKnown() && x.shape().elements() > MOST_COMPARED) {
            throw call.unsupportedUse("more than " + MOST_COMPARED + " elements");
        }
        Value all = call.add("Unsqueeze", new Params().put("axis", new long[] {0}), x);
        Value each = call.add("Unsqueeze", new Params().put("axis", new long[] {1}), x);
        Value equal = cast(call, call.add("Equal", each, all), DType.UINT8);
        Params across = new Params().put("axis", 1L).put("keepdims", false);
        Value firsts = call.add("ArgMax", across, equal);
        Value count = call.sizes(x, 0, 1);
        Params none = new Params().put("axis", new long[] {0});
        Value number = call.add(
                "Range",
                List.of(
                        call.constant("zero", Tensor.scalar(0L)),
                        call.add("Squeeze", none, count),
                        call.constant("one", Tensor.scalar(1L))),
                new Params(),
                x.shape());
        Value isFirst = call.add("Equal", number, firsts);
        Value ranks = call.add(
                "Sub",
                call.add("CumSum", FIRST, cast(call, isFirst, DType.INT64)),
                call.constant("less", Tensor.scalar(1L)));
        Value groups = call.add("Gather", FIRST, ranks, firsts);
        List<Value> found = call.addAll("NonZero", List.of(isFirst), new Params(), 2);
        Value flat = call.add("Reshape", new Params().put("shape", new long[] {-1}), found.get(0));
        Params cut = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
        Shape open = new Shape(List.of(Dim.unknown()));
        Value held = call.add("Slice", List.of(flat, Value.NONE, found.get(1)), cut, open);
        return List.of(call.add("Gather", FIRST, x, held), cast(call, groups, places));
    }

    /** Elements apart from each other, with a value between them. */
    private static Value dilated(TfliteCall call) {
        call.requireInputs(3, 3);
        Value x = call.plain(call.kept(0));
        long[] dilations = call.requiredIntegers(1, "dilations");
        Value between = call.plain(2);
        if (dilations.length != x.rank()) {
            throw call.malformed("its dilations are " + TfliteCall.shown(dilations) + " for " + x.shape());
        }
        Value y = x;
        for (int axis = 0; axis < dilations.length; axis++) {
            if (dilations[axis] < 1 || !x.shape().dim(axis).isKnown()) {
                throw call.unsupportedUse("dilations " + TfliteCall.shown(dilations) + " of " + x.shape());
            }
            y = dilations[axis] == 1 ? y : dilated(call, y, axis, dilations[axis], between);
        }
        return y;
    }

    private static Value dilated(TfliteCall call, Value x, int axis, long by, Value between) {
        long size = x.shape().size(axis) * by;
        Value apart = call.add("Unsqueeze", new Params().put("axis", new long[] {axis + 1L}), x);
        long[] pads = new long[2 * apart.rank()];
        pads[apart.rank() + axis + 1] = by - 1;
        Value filled = call.add("Pad", apart, call.vector("pads", pads), between);
        long[] shape = new long[x.rank()];
        shape[axis] = size;
        for (int other = axis + 1; other < shape.length; other++) {
            shape[other] = x.shape().size(other);
        }
        Value joined = call.add("Reshape", new Params().put("shape", shape), filled);
        Params cut = new Params()
                .put("starts", new long[] {0})
                .put("ends", new long[] {size - by + 1})
                .put("axes", new long[] {axis});
        return call.add("Slice", cut, joined);
    }
}
