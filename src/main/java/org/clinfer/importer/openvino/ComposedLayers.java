package org.clinfer.importer.openvino;

import java.util.Arrays;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Layers that a few operators say exactly: tests, shifts, blocks, attention, means of windows of different sizes. */
final class ComposedLayers {

    private static final long MOST_ELEMENTS = 1L << 24;

    private ComposedLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("IsNaN", call -> call.last("Not", List.of(isNumber(call)), new Params(), DType.BOOL));
        all.one("IsInf", ComposedLayers::isInfinite);
        all.one("IsFinite", ComposedLayers::isFinite);
        all.one("ReduceLogicalAnd", call -> truths(call, "ReduceMin"));
        all.one("ReduceLogicalOr", call -> truths(call, "ReduceMax"));
        all.one("BitwiseLeftShift", call -> shifted(call, "LEFT"));
        all.one("BitwiseRightShift", call -> shifted(call, "RIGHT"));
        all.one("Roll", ComposedLayers::roll);
        all.one("SpaceToBatch", ComposedLayers::spaceToBatch);
        all.one("BatchToSpace", ComposedLayers::batchToSpace);
        all.one("GRN", ComposedLayers::acrossChannels);
        all.one("AdaptiveAvgPool", ComposedLayers::adaptiveMean);
        all.one("ScaledDotProductAttention", ComposedLayers::attention);
    }

    /** A NaN alone does not equal itself. */
    private static Value isNumber(OpenVinoLayerCall call) {
        Value x = call.input();
        return call.add("Equal", x, x);
    }

    private static Value isInfinite(OpenVinoLayerCall call) {
        Value x = call.input();
        boolean negative = call.attributes().flag("detect_negative", true);
        boolean positive = call.attributes().flag("detect_positive", true);
        if (!negative && !positive) {
            return call.last("Less", List.of(x, x), new Params(), DType.BOOL);
        }
        Value sized = negative && positive ? call.add("Abs", x) : x;
        Value infinity = call.like(x, "infinity", positive ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
        return call.last("Equal", List.of(sized, infinity), new Params(), DType.BOOL);
    }

    private static Value isFinite(OpenVinoLayerCall call) {
        Value size = call.add("Abs", call.input());
        Value infinity = call.like(size, "infinity", Double.POSITIVE_INFINITY);
        return call.last("Less", List.of(size, infinity), new Params(), DType.BOOL);
    }

    private static Value truths(OpenVinoLayerCall call, String op) {
        call.requireInputs(2, 2);
        Value x = call.cast(call.input(0), DType.UINT8);
        Params params = new Params()
                .put("axis", call.axes(call.integers(1, "axes"), x.rank()))
                .put("keep_dims", call.attributes().flag("keep_dims", false));
        return call.last(op, List.of(x), params);
    }

    private static Value shifted(OpenVinoLayerCall call, String direction) {
        call.requireInputs(2, 2);
        call.attributes().choice("auto_broadcast", "numpy", "numpy");
        return call.last("BitShift", call.inputs(), new Params().put("direction", direction));
    }

    private static Value part(OpenVinoLayerCall call, Value x, long axis, long start, long end) {
        Params params = new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {end})
                .put("axes", new long[] {axis});
        return call.add("Slice", List.of(x), params);
    }

    /** The end of each axis in front of its beginning. */
    private static Value roll(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        Value x = call.input(0);
        long[] axes = call.axes(call.integers(2, "axes"), x.rank());
        long[] shifts = call.integers(1, "shifts");
        if (shifts.length != 1 && shifts.length != axes.length) {
            throw call.malformed("there are " + shifts.length + " shifts for " + axes.length + " axes");
        }
        Value y = x;
        for (int i = 0; i < axes.length; i++) {
            long size = call.size(x, (int) axes[i], "elements");
            long by = size == 0 ? 0 : Math.floorMod(shifts[shifts.length == 1 ? 0 : i], size);
            if (by != 0) {
                List<Value> parts =
                        List.of(part(call, y, axes[i], size - by, size), part(call, y, axes[i], 0, size - by));
                y = call.add("Concat", parts, new Params().put("axis", axes[i]));
            }
        }
        return call.last("Identity", y);
    }

    private static long[] block(OpenVinoLayerCall call) {
        call.requireInputs(4, 4);
        long[] block = call.integers(1, "blocks");
        int rank = call.input(0).rank();
        if (block.length != rank || Arrays.stream(block).anyMatch(size -> size < 1) || block[0] != 1) {
            throw call.malformed("its blocks are " + Arrays.toString(block) + " for " + rank + " axes");
        }
        return block;
    }

    /** Begins and ends of all axes. */
    private static long[] borders(OpenVinoLayerCall call, int rank) {
        long[] begins = call.integers(2, "begins");
        long[] ends = call.integers(3, "ends");
        if (begins.length != rank || ends.length != rank) {
            throw call.malformed(
                    "there are " + begins.length + " begins and " + ends.length + " ends for " + rank + " axes");
        }
        long[] both = Arrays.copyOf(begins, 2 * rank);
        System.arraycopy(ends, 0, both, rank, rank);
        return both;
    }

    private static Value spaceToBatch(OpenVinoLayerCall call) {
        long[] block = block(call);
        int rank = block.length;
        Value padded = call.add("Pad", List.of(call.input(0)), new Params().put("pads", borders(call, rank)));
        long[] sizes = call.sizes(padded.shape(), "a value");
        long[] apart = new long[2 * rank - 1];
        long[] perm = new long[2 * rank - 1];
        apart[0] = sizes[0];
        perm[rank - 1] = 0;
        for (int axis = 1; axis < rank; axis++) {
            if (sizes[axis] % block[axis] != 0) {
                throw call.malformed("axis " + axis + " of size " + sizes[axis] + " has no blocks of " + block[axis]);
            }
            apart[2 * axis - 1] = sizes[axis] / block[axis];
            apart[2 * axis] = block[axis];
            perm[axis - 1] = 2L * axis;
            perm[rank - 1 + axis] = 2L * axis - 1;
        }
        Value turned = call.transposed(call.reshaped(padded, Shape.of(apart)), perm);
        long[] result = new long[rank];
        result[0] = Arrays.stream(block).reduce(sizes[0], (a, b) -> a * b);
        for (int axis = 1; axis < rank; axis++) {
            result[axis] = sizes[axis] / block[axis];
        }
        return call.last("Reshape", List.of(turned), new Params().put("shape", result));
    }

    private static Value batchToSpace(OpenVinoLayerCall call) {
        long[] block = block(call);
        int rank = block.length;
        long[] sizes = call.sizes(call.input(0).shape(), "a value");
        long all = Arrays.stream(block).reduce(1, (a, b) -> a * b);
        if (sizes[0] % all != 0) {
            throw call.malformed(sizes[0] + " batches are no blocks of " + all);
        }
        long[] apart = new long[2 * rank - 1];
        long[] perm = new long[2 * rank - 1];
        perm[0] = rank - 1L;
        apart[rank - 1] = sizes[0] / all;
        long[] whole = new long[rank];
        whole[0] = sizes[0] / all;
        for (int axis = 1; axis < rank; axis++) {
            apart[axis - 1] = block[axis];
            apart[rank - 1 + axis] = sizes[axis];
            perm[2 * axis - 1] = rank - 1L + axis;
            perm[2 * axis] = axis - 1L;
            whole[axis] = sizes[axis] * block[axis];
        }
        Value turned = call.transposed(call.reshaped(call.input(0), Shape.of(apart)), perm);
        long[] borders = borders(call, rank);
        long[] ends = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            ends[axis] = whole[axis] - borders[rank + axis];
        }
        Params params = new Params().put("starts", Arrays.copyOf(borders, rank)).put("ends", ends);
        return call.last("Slice", List.of(call.reshaped(turned, Shape.of(whole))), params);
    }

    private static Value acrossChannels(OpenVinoLayerCall call) {
        Value x = call.input();
        Params channels = new Params().put("axis", new long[] {1}).put("keep_dims", true);
        Value sum = call.add("ReduceSumSquare", List.of(x), channels);
        Value root = call.add(
                "Sqrt",
                call.add("Add", sum, call.like(x, "bias", call.attributes().real("bias"))));
        return call.last("Div", x, root);
    }

    /** Windows that cover an axis evenly, as a product with the shares of its elements. */
    private static Value adaptiveMean(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        long[] sizes = call.integers(1, "sizes");
        if (sizes.length != x.rank() - 2) {
            throw call.malformed("there are " + sizes.length + " sizes for " + x.shape());
        }
        Value y = x;
        int last = x.rank() - 1;
        for (int i = 0; i < sizes.length; i++) {
            long[] exchanged = new long[x.rank()];
            Arrays.setAll(exchanged, axis -> axis);
            exchanged[i + 2] = last;
            exchanged[last] = i + 2L;
            Value shares = shares(call, x, i, sizes[i]);
            Value turned = i + 2 == last ? y : call.transposed(y, exchanged);
            Value product = call.add("MatMul", turned, shares);
            y = i + 2 == last ? product : call.transposed(product, exchanged);
        }
        return call.last("Identity", y);
    }

    private static Value shares(OpenVinoLayerCall call, Value x, int axis, long windows) {
        long size = call.size(x, axis + 2, "elements");
        if (windows < 1 || size < 1 || windows > MOST_ELEMENTS / size) {
            throw call.unsupportedUse(windows + " windows of " + size + " elements");
        }
        Tensor shares = Tensor.allocate(x.type().dtype(), size, windows);
        for (long window = 0; window < windows; window++) {
            long start = window * size / windows;
            long end = ((window + 1) * size + windows - 1) / windows;
            for (long i = start; i < end; i++) {
                shares.setDouble(i * windows + window, 1.0 / (end - start));
            }
        }
        return call.constant("shares" + axis, shares);
    }

    /** A mask of truths hides keys, one of numbers is added; causal ones hide what is later. */
    private static Value attention(OpenVinoLayerCall call) {
        call.requireInputs(3, 5);
        Value query = call.input(0);
        Value key = call.input(1);
        boolean isCausal = call.attributes().flag("causal", false);
        int rank = key.rank();
        long[] perm = new long[rank];
        Arrays.setAll(perm, axis -> axis);
        perm[rank - 1] = rank - 2L;
        perm[rank - 2] = rank - 1L;
        Value scale = call.inputCount() == 5
                ? call.input(4)
                : call.like(query, "scale", 1 / Math.sqrt((double) call.size(query, query.rank() - 1, "features")));
        Value scores = call.add("MatMul", call.add("Mul", query, scale), call.transposed(key, perm));
        Value hidden = call.like(query, "hidden", Double.NEGATIVE_INFINITY);
        if (isCausal) {
            scores = call.add("Where", notLater(call, query, key), scores, hidden);
        } else if (call.inputCount() > 3) {
            Value mask = call.input(3);
            boolean isTruth = mask.type().dtype() == DType.BOOL;
            scores = isTruth ? call.add("Where", mask, scores, hidden) : call.add("Add", scores, mask);
        }
        Value shares = call.add("Softmax", List.of(scores), new Params().put("axis", -1L));
        return call.last("MatMul", shares, call.input(2));
    }

    private static Value notLater(OpenVinoLayerCall call, Value query, Value key) {
        long queries = call.size(query, query.rank() - 2, "queries");
        long keys = call.size(key, key.rank() - 2, "keys");
        if (keys > 0 && queries > MOST_ELEMENTS / keys) {
            throw call.unsupportedUse(queries + " queries of " + keys + " keys");
        }
        Tensor seen = Tensor.allocate(DType.BOOL, queries, keys);
        for (long i = 0; i < queries; i++) {
            for (long j = 0; j <= Math.min(i, keys - 1); j++) {
                seen.setLong(i * keys + j, 1);
            }
        }
        return call.constant("seen", seen);
    }
}
