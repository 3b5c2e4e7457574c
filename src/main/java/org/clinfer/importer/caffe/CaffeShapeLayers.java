package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Layers that move elements or rename axes. Sizes are taken from the values themselves, never from what the file declares. */
final class CaffeShapeLayers {

    /** An operand that is left out. */
    static final Value NONE = new Value("", Shape.SCALAR);

    private CaffeShapeLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("Concat", CaffeShapeLayers::concat);
        all.several("Slice", CaffeShapeLayers::slice);
        all.one("Crop", CaffeShapeLayers::crop);
        all.one("Flatten", CaffeShapeLayers::flatten);
        all.one("Reshape", CaffeShapeLayers::reshape);
        all.one("Permute", CaffeShapeLayers::permute);
        all.one("Tile", CaffeShapeLayers::tile);
        all.one("Squeeze", CaffeShapeLayers::squeeze);
        all.one("Pad", CaffeShapeLayers::pad);
    }

    /** An axis that has an older name, too. */
    private static int axis(CaffeLayerCall call, CaffeFields params, String older, int rank) {
        if (params.has(older) && params.has("axis")) {
            throw params.wrong(older, "it is given beside 'axis', which means the same");
        }
        return call.axis(params, params.has(older) && !params.has("axis") ? older : "axis", 1, rank);
    }

    private static Value concat(CaffeLayerCall call) {
        CaffeFields params = call.params("concat_param");
        List<Value> inputs = call.inputs(1, Integer.MAX_VALUE);
        int axis = axis(call, params, "concat_dim", inputs.get(0).rank());
        return inputs.size() == 1 ? inputs.get(0) : call.add("Concat", inputs, new Params().put("axis", (long) axis));
    }

    private static List<Value> slice(CaffeLayerCall call) {
        CaffeFields params = call.params("slice_param");
        Value x = call.input();
        int axis = axis(call, params, "slice_dim", x.rank());
        int count = call.layer().tops().size();
        List<Long> points = params.integers("slice_point", 0);
        if (points.isEmpty()) {
            Params equal = new Params().put("axis", (long) axis).put("num_outputs", (long) count);
            return count == 1 ? List.of(x) : call.addAll("Split", List.of(x), equal, count);
        }
        if (points.size() != count - 1) {
            throw params.wrong("slice_point", "it has " + points.size() + " numbers for " + count + " tops");
        }
        if (axis == 1 && x.shape().dim(1) instanceof Dim.Known channels) {
            Params sizes = new Params().put("axis", 1L).put("split", sizes(params, points, channels.size()));
            return call.addAll("Split", List.of(x), sizes, count);
        }
        List<Value> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long start = i == 0 ? 0 : points.get(i - 1);
            long end = i == count - 1 ? Long.MAX_VALUE : points.get(i);
            parts.add(call.add(
                    "Slice",
                    List.of(x),
                    new Params()
                            .put("starts", new long[] {start})
                            .put("ends", new long[] {end})
                            .put("axes", new long[] {axis})));
        }
        return parts;
    }

    private static long[] sizes(CaffeFields params, List<Long> points, long end) {
        long[] sizes = new long[points.size() + 1];
        long start = 0;
        for (int i = 0; i < sizes.length; i++) {
            long next = i < points.size() ? points.get(i) : end;
            if (next <= start) {
                throw params.wrong("slice_point", "expected growing numbers below " + end + ", found " + points);
            }
            sizes[i] = next - start;
            start = next;
        }
        return sizes;
    }

    /** As much of the first bottom as the second one has, from an axis on. */
    private static Value crop(CaffeLayerCall call) {
        CaffeFields params = call.params("crop_param");
        List<Value> inputs = call.inputs(2, 2);
        Value x = inputs.get(0);
        Value like = inputs.get(1);
        int axis = call.axis(params, "axis", 2, x.rank());
        int count = x.rank() - axis;
        if (like.rank() != x.rank()) {
            throw call.malformed("its bottoms have " + x.rank() + " and " + like.rank() + " axes");
        }
        List<Long> offsets = params.integers("offset", 0);
        if (offsets.size() > 1 && offsets.size() != count) {
            throw params.wrong("offset", "it has " + offsets.size() + " numbers for " + count + " axes");
        }
        long[] starts = LongStream.range(0, count)
                .map(i -> offsets.isEmpty() ? 0 : offsets.get((int) Math.min(i, offsets.size() - 1)))
                .toArray();
        Value ends = call.sizes(like, axis, x.rank());
        if (LongStream.of(starts).anyMatch(start -> start != 0)) {
            ends = call.add("Add", List.of(ends, call.vector("offset", starts)), new Params(), ends.shape());
        }
        Params from = new Params()
                .put("starts", starts)
                .put("axes", LongStream.range(axis, x.rank()).toArray());
        List<Dim> dims = new ArrayList<>(x.shape().dims().subList(0, axis));
        dims.addAll(like.shape().dims().subList(axis, x.rank()));
        return call.add("Slice", List.of(x, NONE, ends), from, new Shape(dims));
    }

    private static Value flatten(CaffeLayerCall call) {
        CaffeFields params = call.params("flatten_param");
        Value x = call.input();
        int first = call.axis(params, "axis", 1, x.rank());
        int last = call.axis(params, "end_axis", -1, x.rank());
        if (last < first) {
            throw params.wrong("end_axis", "axis " + last + " is before axis " + first);
        }
        if (first == 1 && last == x.rank() - 1) {
            return call.add("Flatten", List.of(x), new Params().put("axis", 1L));
        }
        return reshaped(call, x, first, List.of(-1L), last + 1);
    }

    private static Value reshape(CaffeLayerCall call) {
        CaffeFields params = call.params("reshape_param");
        Value x = call.input();
        long shuffled = params.size("pixelshuffler", 1, 1);
        if (shuffled > 1) {
            return CaffeResizingLayers.depthToSpace(call, shuffled, "CRD");
        }
        int asked = params.small("axis", 0);
        int first = asked < 0 ? asked + x.rank() + 1 : asked;
        int count = params.small("num_axes", -1);
        int end = count < 0 ? x.rank() : first + count;
        if (first < 0 || end > x.rank() || first > end) {
            throw params.wrong(
                    "axis",
                    "there are " + x.rank() + " axes, but those from " + first + " to " + end + " are to be reshaped");
        }
        return reshaped(call, x, first, params.message("shape").integers("dim", -1), end);
    }

    /** Other axes instead of some; 0 is the size of the axis at this place, -1 what is left. */
    private static Value reshaped(CaffeLayerCall call, Value x, int first, List<Long> dims, int end) {
        boolean samePlaces = first + dims.size() == end;
        if (end == x.rank() || samePlaces) {
            long[] all = LongStream.concat(
                            LongStream.concat(
                                    LongStream.generate(() -> 0).limit(first),
                                    dims.stream().mapToLong(Long::longValue)),
                            LongStream.generate(() -> 0).limit(x.rank() - end))
                    .toArray();
            return call.add("Reshape", List.of(x), new Params().put("shape", all));
        }
        long[] front = LongStream.concat(
                        LongStream.generate(() -> 0).limit(first), dims.stream().mapToLong(Long::longValue))
                .toArray();
        Value target = call.join(List.of(call.vector("shape", front), call.sizes(x, end, x.rank())));
        return call.add("Reshape", List.of(x, target), new Params(), declared(x.shape(), first, dims, end));
    }

    private static Shape declared(Shape x, int first, List<Long> dims, int end) {
        List<Dim> result = new ArrayList<>(x.dims().subList(0, first));
        long rest = 1;
        boolean known = x.dims().subList(first, end).stream().allMatch(Dim::isKnown);
        for (int i = first; i < end && known; i++) {
            rest *= x.size(i);
        }
        for (int i = 0; i < dims.size(); i++) {
            long size = dims.get(i) == 0 && first + i < x.rank() && x.dim(first + i) instanceof Dim.Known same
                    ? same.size()
                    : dims.get(i);
            result.add(size > 0 ? Dim.of(size) : Dim.unknown());
            rest = size > 0 ? rest / size : rest;
        }
        int open = dims.indexOf(-1L);
        if (open >= 0 && known) {
            result.set(first + open, Dim.of(rest));
        }
        result.addAll(x.dims().subList(end, x.rank()));
        return new Shape(result);
    }

    private static Value permute(CaffeLayerCall call) {
        CaffeFields params = call.params("permute_param");
        Value x = call.input();
        List<Long> order = new ArrayList<>(params.integers("order", 0));
        LongStream.range(0, x.rank()).filter(axis -> !order.contains(axis)).forEach(order::add);
        if (order.size() != x.rank()) {
            throw params.wrong("order", "expected different axes below " + x.rank() + ", found " + order);
        }
        long[] perm = order.stream().mapToLong(Long::longValue).toArray();
        return call.add("Transpose", List.of(x), new Params().put("perm", perm));
    }

    private static Value tile(CaffeLayerCall call) {
        CaffeFields params = call.params("tile_param");
        Value x = call.input();
        int axis = call.axis(params, "axis", 1, x.rank());
        long tiles = params.requiredSize("tiles", 1);
        long[] multiples = new long[x.rank()];
        Arrays.fill(multiples, 1);
        multiples[axis] = tiles;
        return call.add("DeePhiTile", List.of(x), new Params().put("multiples", multiples));
    }

    private static Value squeeze(CaffeLayerCall call) {
        CaffeFields params = call.params("squeeze_param");
        long[] axes =
                params.integers("axis", 0).stream().mapToLong(Long::longValue).toArray();
        return call.add("Squeeze", List.of(call.input()), new Params().put("axis", axes));
    }

    /** Zeros before and after each axis. */
    private static Value pad(CaffeLayerCall call) {
        CaffeFields params = call.params("pad_param");
        long[] widths = params.integers("paddings", 0).stream()
                .mapToLong(Long::longValue)
                .toArray();
        return call.add("Pad", List.of(call.input()), new Params().put("pad_with", widths));
    }
}
