package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers that put elements in another order, or those of a blob in the place of some of another one. */
final class NcnnMovementLayers {

    /** A start that is the first element. */
    private static final int FIRST = -233;

    private NcnnMovementLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("Flip", NcnnMovementLayers::flip);
        all.one("CopyTo", NcnnMovementLayers::copy);
    }

    /** The axes that a list of whole numbers names; those of the blob one after the other where it is empty. */
    private static List<Integer> axes(NcnnLayerCall call, int id, Value x) {
        List<Integer> named = call.params().integers(id);
        List<Integer> axes = named.isEmpty()
                ? IntStream.range(1, x.rank()).boxed().toList()
                : named.stream().map(axis -> call.axis(id, axis, x)).toList();
        if (axes.stream().distinct().count() != axes.size()) {
            throw call.params().wrong(id, "an axis is given twice in " + named);
        }
        return axes;
    }

    /** A blob of one axis is turned whatever the axes are. */
    private static Value flip(NcnnLayerCall call) {
        Value x = call.input();
        if (NcnnLayerCall.dims(x) == 1) {
            call.params().ignore(0);
            return call.part(x, 1, -1, Long.MIN_VALUE, -1);
        }
        Value turned = x;
        for (int axis : axes(call, 0, x)) {
            turned = call.part(turned, axis, -1, Long.MIN_VALUE, -1);
        }
        return turned;
    }

    /** The first blob with the second one in it. */
    private static Value copy(NcnnLayerCall call) {
        List<Value> inputs = call.inputs(2, 2);
        Value whole = inputs.get(0);
        Value part = inputs.get(1);
        long[] starts = starts(call, whole);
        if (!whole.shape().isKnown() || !part.shape().isKnown() || part.rank() != whole.rank()) {
            throw call.unsupportedUse("blobs " + whole.shape() + " and " + part.shape());
        }
        if (whole.shape().equals(part.shape())) {
            return part;
        }
        for (int axis = 1; axis < whole.rank(); axis++) {
            if (starts[axis] < 0 || starts[axis] + part.sizeOr0(axis) > whole.sizeOr0(axis)) {
                throw call.malformed("a blob " + part.shape() + " does not fit into " + whole.shape() + " at "
                        + starts[axis] + " of axis " + (axis - 1));
            }
        }
        return placed(call, whole, part, starts, 1);
    }

    /** The first element of each axis that is another one then. */
    private static long[] starts(NcnnLayerCall call, Value x) {
        LayerParams params = call.params();
        long[] starts = new long[x.rank()];
        int dims = NcnnLayerCall.dims(x);
        int[] offsets = {params.integer(2, 0), params.integer(13, 0), params.integer(1, 0), params.integer(0, 0)};
        List<Integer> given = params.integers(9);
        List<Integer> axes = axes(call, 11, x);
        if (given.isEmpty()) {
            for (int axis = 0; axis < dims; axis++) {
                // a blob of three axes has no depth
                int place = dims == 3 && axis == 0 ? 0 : 4 - dims + axis;
                starts[axis + 1] = offsets[place];
            }
            return starts;
        }
        if (given.size() != axes.size()) {
            throw params.wrong(9, "it has " + given.size() + " numbers for " + axes.size() + " axes");
        }
        for (int i = 0; i < given.size(); i++) {
            int start = given.get(i) == FIRST ? 0 : given.get(i);
            starts[axes.get(i)] = start < 0 ? x.sizeOr0(axes.get(i)) + start : start;
        }
        return starts;
    }

    /**
     * From an axis on.
     *
     * <pre>{@code whole ─► before, band, after; band with the part in it from the next axis on; Concat}</pre>
     */
    private static Value placed(NcnnLayerCall call, Value whole, Value part, long[] starts, int axis) {
        if (LongStream.range(axis, whole.rank()).allMatch(i -> part.sizeOr0((int) i) == whole.sizeOr0((int) i))) {
            return part;
        }
        long end = starts[axis] + part.sizeOr0(axis);
        long size = whole.sizeOr0(axis);
        Value band = part.sizeOr0(axis) == size ? whole : call.part(whole, axis, starts[axis], end);
        List<Value> all = new ArrayList<>();
        if (starts[axis] > 0) {
            all.add(call.part(whole, axis, 0, starts[axis]));
        }
        all.add(placed(call, band, part, starts, axis + 1));
        if (end < size) {
            all.add(call.part(whole, axis, end, size));
        }
        return all.size() == 1 ? all.get(0) : call.add("Concat", all, new Params().put("axis", (long) axis));
    }
}
