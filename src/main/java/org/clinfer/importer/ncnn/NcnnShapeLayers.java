package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Layers that move elements, rename axes, or do nothing. Sizes come from the values, never from what the file declares. */
final class NcnnShapeLayers {

    /** A size that is what is left, or an axis that is not there. */
    private static final int REST = -233;

    /** The orders of axes by their number, from the innermost outwards. */
    private static final List<String> ORDERS_OF_2 = List.of("WH", "HW");

    private static final List<String> ORDERS_OF_3 = List.of("WHC", "HWC", "WCH", "CWH", "HCW", "CHW");
    private static final List<String> ORDERS_OF_4 = List.of(
            "WHDC", "HWDC", "WDHC", "DWHC", "HDWC", "DHWC", "WHCD", "HWCD", "WCHD", "CWHD", "HCWD", "CHWD", "WDCH",
            "DWCH", "WCDH", "CWDH", "DCWH", "CDWH", "HDCW", "DHCW", "HCDW", "CHDW", "DCHW", "CDHW");

    private NcnnShapeLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("Concat", NcnnShapeLayers::concat);
        all.several("Slice", NcnnShapeLayers::slice);
        all.several("Split", call -> Collections.nCopies(call.outputs(), call.input()));
        all.several("Noop", call -> call.inputs(call.outputs(), call.outputs()));
        all.one("Dropout", NcnnShapeLayers::dropout);
        all.one("MemoryData", NcnnShapeLayers::memory);
        all.one("Crop", NcnnShapeLayers::crop);
        all.one("Padding", NcnnShapeLayers::pad);
        all.one("Permute", NcnnShapeLayers::permute);
        all.one("Reshape", NcnnShapeLayers::reshape);
        all.one("Flatten", NcnnShapeLayers::flatten);
        all.one("Squeeze", NcnnShapeLayers::squeeze);
        all.one("ExpandDims", NcnnShapeLayers::expand);
        all.one("Tile", NcnnShapeLayers::tile);
    }

    private static Value concat(NcnnLayerCall call) {
        List<Value> inputs = call.inputs(1, Integer.MAX_VALUE);
        long axis = call.axis(0, call.params().integer(0, 0), inputs.get(0));
        return inputs.size() == 1 ? inputs.get(0) : call.add("Concat", inputs, new Params().put("axis", axis));
    }

    private static List<Value> slice(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        List<Integer> sizes = params.integers(0);
        int axis = call.axis(1, params.integer(1, 0), x);
        if (sizes.size() != call.outputs() || sizes.isEmpty()) {
            throw params.wrong(0, "it has " + sizes.size() + " sizes for " + call.outputs() + " blobs");
        }
        long whole = x.sizeOr0(axis);
        boolean equal = sizes.stream().allMatch(size -> size == REST);
        Params split = new Params().put("axis", (long) axis);
        if (equal && (whole == 0 || whole % sizes.size() == 0)) {
            return sizes.size() == 1
                    ? List.of(x)
                    : call.addAll("Split", List.of(x), split.put("num_outputs", (long) sizes.size()), sizes.size());
        }
        if (whole == 0) {
            throw call.unsupportedUse("sizes of a whole that is not known");
        }
        return call.addAll("Split", List.of(x), split.put("split", parts(call, sizes, whole)), sizes.size());
    }

    /** Parts without a size share the rest in equal parts. */
    private static long[] parts(NcnnLayerCall call, List<Integer> sizes, long whole) {
        long[] parts = new long[sizes.size()];
        long left = whole;
        for (int i = 0; i < parts.length; i++) {
            int size = sizes.get(i);
            parts[i] = size == REST ? left / (parts.length - i) : size;
            left -= parts[i];
            if (parts[i] < 1 || left < 0) {
                throw call.params().wrong(0, "the sizes " + sizes + " do not fit " + whole);
            }
        }
        return parts;
    }

    private static Value dropout(NcnnLayerCall call) {
        double scale = call.params().real(0, 1);
        return scale == 1 ? call.input() : call.add("Mul", call.input(), call.number("scale", scale));
    }

    /** Numbers of the file, with a batch of one in front. */
    private static Value memory(NcnnLayerCall call) {
        LayerParams params = call.params();
        call.inputs(0, 0);
        if (params.integer(21, 1) != 1) {
            throw call.unsupportedUse("numbers of another kind");
        }
        List<Long> sizes = new ArrayList<>(List.of(1L));
        for (int id : new int[] {2, 11, 1, 0}) {
            int size = params.size(id, 0, 0);
            if (size > 0) {
                sizes.add((long) size);
            } else if (sizes.size() > 1 && id != 11) {
                throw params.wrong(id, "it is missing, but an axis outside of it is given");
            }
        }
        if (sizes.size() == 1) {
            throw params.wrong(0, "it is missing");
        }
        Shape shape = call.shape(sizes.stream().mapToLong(Long::longValue).toArray());
        return call.weight("data", NcnnWeights.Kind.RAW, shape);
    }

    private static Value crop(NcnnLayerCall call) {
        LayerParams params = call.params();
        List<Value> inputs = call.inputs(1, 2);
        Value x = inputs.get(0);
        if (inputs.size() == 2) {
            return cropLike(call, x, inputs.get(1));
        }
        List<Integer> starts = params.integers(9);
        List<Integer> ends = params.integers(10);
        List<Integer> axes = params.integers(11);
        if (!starts.isEmpty() && !ends.isEmpty()) {
            params.ignore(0, 1, 2, 3, 4, 5, 6, 7, 8);
            return cropAxes(call, x, starts, ends, axes);
        }
        int[] offsets = {2, 1, 0};
        int[] sizes = {5, 4, 3};
        int[] behind = {8, 7, 6};
        if (NcnnLayerCall.dims(x) > 3) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        long[] begin = new long[NcnnLayerCall.dims(x)];
        long[] end = new long[NcnnLayerCall.dims(x)];
        for (int i = 0; i < NcnnLayerCall.dims(x); i++) {
            int index = 3 - NcnnLayerCall.dims(x) + i;
            begin[i] = params.size(offsets[index], 0, 0);
            int size = params.integer(sizes[index], 0);
            int cut = params.size(behind[index], 0, 0);
            if (size != REST && (size < 1 || cut != 0)) {
                throw call.unsupportedUse("parameter " + sizes[index] + "=" + size);
            }
            end[i] = size == REST ? (cut == 0 ? Long.MAX_VALUE : -cut) : begin[i] + size;
        }
        return cut(
                call,
                x,
                begin,
                end,
                LongStream.rangeClosed(1, NcnnLayerCall.dims(x)).toArray());
    }

    private static Value cropAxes(
            NcnnLayerCall call, Value x, List<Integer> starts, List<Integer> ends, List<Integer> axes) {
        int count = starts.size();
        if (ends.size() != count || (!axes.isEmpty() && axes.size() != count) || count > NcnnLayerCall.dims(x)) {
            throw call.params().wrong(9, count + " starts and " + ends.size() + " ends for " + axes.size() + " axes");
        }
        long[] begin = new long[count];
        long[] end = new long[count];
        long[] along = new long[count];
        for (int i = 0; i < count; i++) {
            begin[i] = starts.get(i) == REST ? 0 : starts.get(i);
            end[i] = ends.get(i) == REST || ends.get(i) == 0 ? Long.MAX_VALUE : ends.get(i);
            along[i] = axes.isEmpty() ? i + 1L : call.axis(11, axes.get(i), x);
        }
        return cut(call, x, begin, end, along);
    }

    private static Value cut(NcnnLayerCall call, Value x, long[] begin, long[] end, long[] axes) {
        return call.add(
                "Slice",
                List.of(x),
                new Params().put("starts", begin).put("ends", end).put("axes", axes));
    }

    /** As much as another blob has; all channels, where both have the same number. */
    private static Value cropLike(NcnnLayerCall call, Value x, Value like) {
        LayerParams params = call.params();
        if (NcnnLayerCall.dims(x) > 3 || NcnnLayerCall.dims(like) != NcnnLayerCall.dims(x)) {
            throw call.unsupportedUse(
                    "blobs of " + NcnnLayerCall.dims(x) + " and " + NcnnLayerCall.dims(like) + " axes");
        }
        int[] offsets = {2, 1, 0};
        long[] given = new long[NcnnLayerCall.dims(x)];
        for (int i = 0; i < NcnnLayerCall.dims(x); i++) {
            given[i] = params.size(offsets[3 - NcnnLayerCall.dims(x) + i], 0, 0);
        }
        boolean allChannels =
                NcnnLayerCall.dims(x) == 3 && given[0] == 0 && x.sizeOr0(1) != 0 && x.sizeOr0(1) == like.sizeOr0(1);
        int first = allChannels ? 2 : 1;
        long[] begin = LongStream.of(given).skip(first - 1).toArray();
        Value ends = call.sizes(like, first, like.rank());
        if (LongStream.of(begin).anyMatch(start -> start != 0)) {
            ends = call.add("Add", List.of(ends, call.vector("offset", begin)), new Params(), ends.shape());
        }
        List<Dim> dims = new ArrayList<>(x.shape().dims().subList(0, first));
        dims.addAll(like.shape().dims().subList(first, like.rank()));
        Params from = new Params()
                .put("starts", begin)
                .put("axes", LongStream.range(first, x.rank()).toArray());
        return call.add("Slice", List.of(x, Value.NONE, ends), from, new Shape(dims));
    }

    private static Value pad(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        int front = params.size(7, 0, 0);
        int behind = params.size(8, 0, 0);
        if (params.has(7) != params.has(8)) {
            throw call.unsupportedUse("a border before the outer axis or behind it alone");
        }
        if (params.integer(6, 0) != 0) {
            throw call.unsupportedUse("a number for each channel");
        }
        String mode = switch (params.integer(4, 0)) {
            case 0 -> "CONSTANT";
            case 1 -> "EDGE";
            case 2 -> "REFLECT";
            default -> throw call.unsupportedUse("type " + params.integer(4, 0));
        };
        long[] inner = {
            front, behind, params.size(0, 0, 0), params.size(1, 0, 0), params.size(2, 0, 0), params.size(3, 0, 0)
        };
        boolean outer = front != 0 || behind != 0;
        if (outer && (NcnnLayerCall.dims(x) < 3 || !mode.equals("CONSTANT"))) {
            throw call.unsupportedUse("a border before or behind the outer axis");
        }
        long[] widths = new long[2 * x.rank()];
        int axes = Math.min(3, NcnnLayerCall.dims(x));
        System.arraycopy(inner, 6 - 2 * axes, widths, widths.length - 2 * axes, 2 * axes);
        if (axes == 1 && (inner[2] != 0 || inner[3] != 0)) {
            throw call.unsupportedUse("rows above or below a blob of one axis");
        }
        return call.add(
                "Pad",
                List.of(x),
                new Params().put("mode", mode).put("pad_with", widths).put("constant_value", params.real(5, 0)));
    }

    private static Value permute(NcnnLayerCall call) {
        Value x = call.input();
        int order = call.params().integer(0, 0);
        List<String> orders = switch (NcnnLayerCall.dims(x)) {
            case 1 -> List.of("W");
            case 2 -> ORDERS_OF_2;
            case 3 -> ORDERS_OF_3;
            default -> ORDERS_OF_4;
        };
        if (order < 0 || order >= orders.size()) {
            throw call.unsupportedUse("order " + order + " of " + NcnnLayerCall.dims(x) + " axes");
        }
        String from = orders.get(0);
        String to = orders.get(order);
        long[] perm = new long[x.rank()];
        for (int i = 1; i < perm.length; i++) {
            long inside = from.indexOf(to.charAt(NcnnLayerCall.dims(x) - i));
            perm[i] = NcnnLayerCall.dims(x) - inside;
        }
        return order == 0 ? x : call.add("Transpose", List.of(x), new Params().put("perm", perm));
    }

    /** The batch stays; 0 is the size of the axis of the same name, -1 what is left. */
    private static Value reshape(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        if (params.flag(3, false)) {
            throw call.unsupportedUse("channels as the innermost axis");
        }
        int width = params.integer(0, REST);
        int height = params.integer(1, REST);
        int depth = params.integer(11, REST);
        int channels = params.integer(2, REST);
        int[] inward = {11, 2, 1, 0};
        for (int i = 0; i + 1 < inward.length; i++) {
            if (params.integer(inward[i], REST) != REST && params.integer(inward[i + 1], REST) == REST) {
                throw params.wrong(inward[i], "it is given without parameter " + inward[i + 1]);
            }
        }
        int[] wanted;
        if (width == REST) {
            throw params.wrong(0, "it is missing");
        } else if (height == REST) {
            wanted = new int[] {width};
        } else if (channels == REST) {
            wanted = new int[] {height, width};
        } else if (depth == REST) {
            wanted = new int[] {channels, height, width};
        } else {
            wanted = new int[] {channels, depth, height, width};
        }
        long[] shape = new long[wanted.length + 1];
        boolean samePlaces = wanted.length == NcnnLayerCall.dims(x);
        int open = 0;
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i] < -1) {
                throw call.malformed("it wants a size of " + wanted[i]);
            }
            open += wanted[i] == -1 ? 1 : 0;
            shape[i + 1] = wanted[i] == 0 && !samePlaces ? named(x, wanted.length, i) : wanted[i];
        }
        if (open > 1) {
            throw call.malformed("more than one size is what is left");
        }
        return LongStream.of(shape).noneMatch(size -> size <= COPIED)
                ? call.add("Reshape", List.of(x), new Params().put("shape", shape))
                : dynamic(call, x, shape);
    }

    /** Sizes that are those of an axis of the input: this less the axis. */
    private static final long COPIED = -10;

    /** The axis of the input that has the name of one of the result, or 1 where it has none. */
    private static long named(Value x, int dims, int index) {
        int fromInside = dims - 1 - index;
        boolean channels = dims >= 3 && index == 0;
        if (channels) {
            return NcnnLayerCall.dims(x) >= 3 ? COPIED - 1 : 1;
        }
        boolean there = fromInside < Math.min(NcnnLayerCall.dims(x), NcnnLayerCall.dims(x) == 3 ? 2 : 3);
        long axis = x.rank() - 1L - fromInside;
        return there ? COPIED - axis : 1;
    }

    private static Value dynamic(NcnnLayerCall call, Value x, long[] shape) {
        List<Value> sizes = new ArrayList<>();
        List<Dim> dims = new ArrayList<>();
        for (int i = 0; i < shape.length; i++) {
            if (shape[i] <= COPIED) {
                int axis = (int) (COPIED - shape[i]);
                sizes.add(call.sizes(x, axis, axis + 1));
                dims.add(x.shape().dim(axis));
            } else {
                sizes.add(call.vector("size_" + i, shape[i]));
                dims.add(i == 0 ? x.shape().dim(0) : shape[i] == -1 ? Dim.unknown() : Dim.of(shape[i]));
            }
        }
        return call.add("Reshape", List.of(x, call.join(sizes)), new Params(), new Shape(dims));
    }

    private static Value flatten(NcnnLayerCall call) {
        Value x = call.input();
        return NcnnLayerCall.dims(x) == 1 ? x : call.add("Flatten", List.of(x), new Params().put("axis", 1L));
    }

    private static Value squeeze(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        List<Integer> listed = params.integers(3);
        List<Long> axes = new ArrayList<>();
        int[] byName = NcnnLayerCall.dims(x) == 4 ? new int[] {2, 11, 1, 0} : new int[] {2, 1, 0};
        params.ignore(11);
        for (int axis = 1; axis < x.rank(); axis++) {
            int at = axis;
            int id = byName[Math.max(0, byName.length - x.rank() + axis)];
            boolean asked = listed.isEmpty()
                    ? params.flag(id, false)
                    : listed.stream().anyMatch(each -> call.axis(3, each, x) == at);
            if (asked && x.sizeOr0(axis) == 0) {
                throw call.unsupportedUse("an axis whose size is not known");
            }
            if (asked && x.sizeOr0(axis) == 1) {
                axes.add((long) axis);
            }
        }
        params.ignore(0, 1, 2);
        if (axes.size() == NcnnLayerCall.dims(x)) {
            throw call.unsupportedUse("no axis left");
        }
        long[] all = axes.stream().mapToLong(Long::longValue).toArray();
        return all.length == 0 ? x : call.add("Squeeze", List.of(x), new Params().put("axis", all));
    }

    private static Value expand(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        List<Integer> listed = params.integers(3);
        if (listed.isEmpty()) {
            throw call.unsupportedUse("axes by their names");
        }
        int dims = NcnnLayerCall.dims(x) + listed.size();
        long[] axes = listed.stream()
                .mapToLong(axis -> {
                    int counted = axis < 0 ? axis + dims : axis;
                    if (counted < 0 || counted >= dims || dims > 4) {
                        throw params.wrong(3, "there is no axis " + axis + " where there are " + dims);
                    }
                    return counted + 1L;
                })
                .toArray();
        return call.add("Unsqueeze", List.of(x), new Params().put("axis", axes));
    }

    private static Value tile(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        if (!params.integers(2).isEmpty()) {
            throw call.unsupportedUse("a number for each axis");
        }
        long[] multiples = LongStream.generate(() -> 1).limit(x.rank()).toArray();
        multiples[call.axis(0, params.integer(0, 0), x)] = params.size(1, 1, 1);
        return call.add("DeePhiTile", List.of(x), new Params().put("multiples", multiples));
    }
}
