package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * Layers that move elements and leave them as they are. Where a weights file would tell a shape, axes or an order and
 * is not there, the declared sizes do, as far as they leave no doubt.
 */
final class OpenVinoShapeLayers {

    private OpenVinoShapeLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("Reshape", OpenVinoShapeLayers::reshape);
        all.one("Squeeze", OpenVinoShapeLayers::squeeze);
        all.one("Unsqueeze", OpenVinoShapeLayers::unsqueeze);
        all.one("Transpose", OpenVinoShapeLayers::transpose);
        all.one("Concat", OpenVinoShapeLayers::concat);
        all.one("ShapeOf", OpenVinoShapeLayers::shapeOf);
        all.one("Tile", OpenVinoShapeLayers::tile);
        all.one("Broadcast", OpenVinoShapeLayers::broadcast);
        all.one("Pad", OpenVinoShapeLayers::pad);
        all.one("DepthToSpace", call -> blocks(call, true));
        all.one("SpaceToDepth", call -> blocks(call, false));
        all.one("ReorgYolo", OpenVinoShapeLayers::reorg);
        all.one("ShuffleChannels", OpenVinoShapeLayers::shuffle);
    }

    private static Value reshape(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        call.attributes().require("special_zero");
        boolean copied = call.attributes().flag("special_zero", false);
        if (call.isMissing(1)) {
            return declared(call);
        }
        Params params = new Params().put("allow_zero", !copied);
        Optional<Value> known = call.constant(1).map(shape -> call.vector("shape", call.integers(1, "sizes")));
        return call.last("Reshape", List.of(call.input(0), known.orElseGet(() -> call.input(1))), params);
    }

    /** The shape that the file declares; one size may be open. */
    private static Value declared(OpenVinoLayerCall call) {
        Shape shape = call.declared(0);
        long open =
                shape.dims().stream().filter(dim -> !(dim instanceof Dim.Known)).count();
        if (open > 1 || shape.dims().contains(Dim.of(0))) {
            throw new MissingValues(1);
        }
        long[] sizes = shape.dims().stream()
                .mapToLong(dim -> dim instanceof Dim.Known known ? known.size() : -1)
                .toArray();
        return call.last("Reshape", List.of(call.input(0)), new Params().put("shape", sizes));
    }

    private static Value squeeze(OpenVinoLayerCall call) {
        call.requireInputs(1, 2);
        call.attributes().choice("allow_axis_skip", "false", "false");
        Value x = call.input(0);
        if (call.isMissing(1)) {
            return declared(call);
        }
        long[] axes = call.inputCount() == 2 ? call.axes(call.integers(1, "axes"), x.rank()) : new long[0];
        return call.last("Squeeze", List.of(x), new Params().put("axis", axes));
    }

    private static Value unsqueeze(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        if (call.isMissing(1)) {
            return declared(call);
        }
        long[] given = call.integers(1, "axes");
        long[] axes = call.axes(given, x.rank() + given.length);
        return call.last("Unsqueeze", List.of(x), new Params().put("axis", axes));
    }

    /** An empty order is the reverse one. */
    private static Value transpose(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        long[] order = call.isMissing(1) ? order(x.shape(), call.declared(0)) : call.integers(1, "axes");
        long[] perm = order.length == 0
                ? LongStream.range(0, x.rank()).map(i -> x.rank() - 1 - i).toArray()
                : order;
        long[] sorted = LongStream.of(perm).sorted().toArray();
        if (!Arrays.equals(sorted, LongStream.range(0, x.rank()).toArray())) {
            throw call.malformed("the axes " + Arrays.toString(perm) + " are no order of " + x.rank());
        }
        return call.last("Transpose", List.of(x), new Params().put("perm", perm));
    }

    /** The order in which sizes stand; axes of the same size cannot be told apart, but for those of one element. */
    private static long[] order(Shape from, Shape to) {
        long[] perm = new long[to.rank()];
        boolean[] taken = new boolean[from.rank()];
        for (int i = 0; i < perm.length; i++) {
            Dim wanted = to.dim(i);
            int[] fitting = IntStream.range(0, from.rank())
                    .filter(axis -> !taken[axis] && from.dim(axis).equals(wanted))
                    .toArray();
            boolean one = wanted.equals(Dim.of(1));
            if (!(wanted instanceof Dim.Known) || fitting.length == 0 || (fitting.length > 1 && !one)) {
                throw new MissingValues(1);
            }
            perm[i] = fitting[0];
            taken[fitting[0]] = true;
        }
        return perm;
    }

    private static Value concat(OpenVinoLayerCall call) {
        call.requireInputs(1, Integer.MAX_VALUE);
        int rank = call.input(0).rank();
        long axis = call.axis(call.attributes().integer("axis"), rank);
        return call.last("Concat", call.inputs(), new Params().put("axis", axis));
    }

    private static Value shapeOf(OpenVinoLayerCall call) {
        call.requireDeclaredType(0, "output_type", "i64");
        return call.last("Shape", List.of(call.input()), new Params(), DType.INT64);
    }

    private static Value tile(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        long[] repeats = call.integers(1, "repeats");
        if (repeats.length > x.rank()) {
            long[] axes = LongStream.range(0, repeats.length - x.rank()).toArray();
            return tiled(call, call.unsqueezed(x, axes), repeats);
        }
        long[] all = new long[x.rank()];
        Arrays.fill(all, 1);
        System.arraycopy(repeats, 0, all, x.rank() - repeats.length, repeats.length);
        return tiled(call, x, all);
    }

    private static Value tiled(OpenVinoLayerCall call, Value x, long[] repeats) {
        return call.last("DeePhiTile", List.of(x), new Params().put("multiples", repeats));
    }

    private static Value broadcast(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        String mode = call.attributes().choice("mode", "numpy", "numpy", "bidirectional");
        if (call.isMissing(1)) {
            long[] sizes = call.sizes(call.declared(0), "an output");
            return call.last("Expand", List.of(call.input(0)), new Params().put("shape", sizes));
        }
        if (mode.equals("numpy") && call.constant(1).isPresent()) {
            requireGrowth(call, call.input(0), call.integers(1, "sizes"));
        }
        return call.last("Expand", List.of(call.input(0), call.input(1)), new Params());
    }

    /** With numpy's rule the result has the sizes that are asked for, while both may grow otherwise. */
    private static void requireGrowth(OpenVinoLayerCall call, Value x, long[] to) {
        for (int i = 1; i <= x.rank(); i++) {
            if (i > to.length || (to[to.length - i] == 1 && x.sizeOr0(x.rank() - i) > 1)) {
                throw call.malformed(
                        "attribute 'mode': " + x.shape() + " cannot be " + Arrays.toString(to) + " by the rule numpy");
            }
        }
    }

    private static Value pad(OpenVinoLayerCall call) {
        call.requireInputs(3, 4);
        String mode = call.attributes().requiredChoice("pad_mode", "constant", "edge", "reflect", "symmetric");
        Value x = call.input(0);
        Params params = new Params().put("mode", mode.toUpperCase(Locale.ROOT));
        long[] begins = call.integers(1, "widths");
        long[] ends = call.integers(2, "widths");
        if (begins.length != x.rank() || ends.length != x.rank()) {
            throw call.malformed("there must be " + x.rank() + " widths at each side");
        }
        params.put(
                "pads",
                LongStream.concat(LongStream.of(begins), LongStream.of(ends)).toArray());
        if (mode.equals("constant") && call.inputCount() == 4) {
            params.put("constant_value", call.real(3, "value"));
        }
        return call.last("Pad", List.of(x), params);
    }

    private static Value blocks(OpenVinoLayerCall call, boolean toSpace) {
        Value x = call.input();
        String mode = call.attributes().requiredChoice("mode", "blocks_first", "depth_first");
        if (x.rank() != 4) {
            throw call.unsupportedUse("an input of " + x.rank() + " axes");
        }
        Params params = new Params()
                .put("scale", call.attributes().integer("block_size", 1))
                .put("reversed", toSpace)
                .put("order", mode.equals("blocks_first") ? "DCR" : "CRD");
        return call.last("Reorg", List.of(x), params);
    }

    private static Value reorg(OpenVinoLayerCall call) {
        call.attributes().require("stride");
        long[] strides = call.attributes().integers("stride");
        if (strides.length == 0 || Arrays.stream(strides).anyMatch(each -> each != strides[0])) {
            throw call.attributes().unsupported("stride");
        }
        return call.last(
                "Reorg",
                List.of(call.input()),
                new Params().put("scale", strides[0]).put("order", "DARKNET"));
    }

    /** Groups and what is in them change places. */
    private static Value shuffle(OpenVinoLayerCall call) {
        Value x = call.input();
        int axis = call.axis(call.attributes().integer("axis", 1), x.rank());
        long group = call.attributes().integer("group", 1);
        if (group < 1 || (x.sizeOr0(axis) != 0 && x.sizeOr0(axis) % group != 0)) {
            throw call.attributes().unsupported("group");
        }
        Value outside = call.sizes(x, 0, axis);
        Value inside = call.sizes(x, axis + 1, x.rank());
        List<Dim> dims = new ArrayList<>(x.shape().dims());
        dims.set(axis, x.sizeOr0(axis) == 0 ? Dim.unknown() : Dim.of(x.sizeOr0(axis) / group));
        dims.add(axis, Dim.of(group));
        Value parts = call.add(
                "Reshape",
                List.of(x, call.join(List.of(outside, call.vector("groups", group, -1), inside))),
                new Params(),
                new TensorType(x.type().dtype(), new Shape(dims)));
        long[] perm = LongStream.range(0, x.rank() + 1).toArray();
        perm[axis] = axis + 1L;
        perm[axis + 1] = axis;
        Value turned = call.transposed(parts, perm);
        return call.last("Reshape", List.of(turned, call.sizes(x, 0, x.rank())), new Params());
    }
}
