package org.clinfer.importer.ncnn;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Attention, whose rows are positions, and what turns their features by angles. */
final class NcnnAttentionLayers {

    private NcnnAttentionLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("MultiHeadAttention", NcnnAttentionLayers::multiHead);
        all.one("SDPA", NcnnAttentionLayers::scaledDotProduct);
        all.one("RotaryEmbed", NcnnAttentionLayers::rotated);
    }

    /** Blobs of (positions, features): queries, then keys and values where they are others, and a mask. */
    private static Value multiHead(NcnnLayerCall call) {
        LayerParams params = call.params();
        boolean masked = params.flag(5, false);
        requirePlain(call);
        List<Value> inputs = call.inputs(masked ? 2 : 1, masked ? 4 : 3);
        int width = params.size(0, 0, 1);
        int heads = params.size(1, 1, 1);
        int count = params.size(2, 0, 1);
        if (width % heads != 0 || count % width != 0) {
            throw params.wrong(2, count + " weights do not fit " + heads + " heads of " + width + " features in all");
        }
        int features = count / width;
        int blobs = inputs.size() - (masked ? 1 : 0);
        Value query = rows(call, inputs.get(0));
        Value key = rows(call, inputs.get(blobs > 1 ? 1 : 0));
        Value value = rows(call, inputs.get(blobs - 1));
        Value queries = projected(call, query, "query", features, width);
        Value keys = projected(call, key, "key", params.size(3, width, 1), width);
        Value values = projected(call, value, "value", params.size(4, width, 1), width);
        int each = width / heads;
        double scale = params.real(6, 1 / Math.sqrt(each));
        Value scaled = call.add("Mul", queries, call.number("scale", scale));
        Value scores = call.add(
                "MatMul",
                split(call, scaled, heads, width),
                transposed(call, split(call, keys, heads, width), 0, 1, 3, 2));
        Value shares = shares(call, scores, masked ? List.of(inputs.get(blobs)) : List.of());
        Value heard = call.add("MatMul", shares, split(call, values, heads, width));
        Value joined = reshaped(call, transposed(call, heard, 0, 2, 1, 3), query, 1, width);
        return projected(call, joined, "out", width, features);
    }

    /**
     * Pairs of the features of every head turned by angles, which stand side by side or half of all features apart. Cosines and
     * sines are those of pairs, or where features are half apart those of all features.
     */
    private static Value rotated(NcnnLayerCall call) {
        boolean interleaved = call.params().flag(0, false);
        List<Value> inputs = call.inputs(3, 3);
        Value x = call.picture(inputs.get(0));
        long width = x.sizeOr0(3);
        long positions = x.sizeOr0(2);
        if (width == 0 || width % 2 != 0 || positions == 0) {
            throw call.unsupportedUse("a blob of " + x.shape().dim(2) + " positions of "
                    + x.shape().dim(3) + " features");
        }
        long half = width / 2;
        Value cosines = angles(call, inputs.get(1), positions, half, interleaved);
        Value sines = angles(call, inputs.get(2), positions, half, interleaved);
        boolean perFeature = cosines.sizeOr0(2) == width;
        Value pairs = interleaved ? call.reshaped(x, 0, 0, 0, half, 2) : x;
        Value first = interleaved ? call.reshaped(call.part(pairs, 4, 0, 1), 0, 0, 0, half) : call.part(x, 3, 0, half);
        Value second =
                interleaved ? call.reshaped(call.part(pairs, 4, 1, 2), 0, 0, 0, half) : call.part(x, 3, half, width);
        Value real = call.add(
                "Sub",
                call.add("Mul", first, perFeature ? call.part(cosines, 2, 0, half) : cosines),
                call.add("Mul", second, perFeature ? call.part(sines, 2, 0, half) : sines));
        Value imaginary = call.add(
                "Add",
                call.add("Mul", first, perFeature ? call.part(sines, 2, half, width) : sines),
                call.add("Mul", second, perFeature ? call.part(cosines, 2, half, width) : cosines));
        if (!interleaved) {
            return call.add("Concat", new Params().put("axis", 3L), real, imaginary);
        }
        Params last = new Params().put("axis", new long[] {4});
        Value both = call.add(
                "Concat",
                new Params().put("axis", 4L),
                call.add("Unsqueeze", last, real),
                call.add("Unsqueeze", last, imaginary));
        return call.reshaped(both, 0, 0, 0, width);
    }

    /** The first rows of a table, as many as there are positions. */
    private static Value angles(NcnnLayerCall call, Value table, long positions, long half, boolean pairsAlone) {
        boolean fits = NcnnLayerCall.dims(table) == 2
                && table.sizeOr0(1) >= positions
                && (table.sizeOr0(2) == half || (!pairsAlone && table.sizeOr0(2) == 2 * half));
        if (!fits) {
            throw call.unsupportedUse("a table of angles " + table.shape() + " for " + positions + " positions of "
                    + 2 * half + " features");
        }
        return table.sizeOr0(1) == positions ? table : call.part(table, 1, 0, positions);
    }

    /** Blobs of (heads, positions, features): queries, keys, values and a mask; several heads may share keys and values. */
    private static Value scaledDotProduct(NcnnLayerCall call) {
        LayerParams params = call.params();
        boolean masked = params.flag(5, false);
        requirePlain(call);
        int count = masked ? 4 : 3;
        List<Value> inputs = call.inputs(count, count);
        Value query = call.picture(inputs.get(0));
        Value key = call.picture(inputs.get(1));
        Value value = call.picture(inputs.get(2));
        long heads = size(call, query, 1, "heads");
        long groups = size(call, key, 1, "heads");
        if (heads % groups != 0) {
            throw call.malformed(heads + " heads of queries do not fit " + groups + " of keys");
        }
        double given = params.real(6, 0);
        double scale = given == 0 ? 1 / Math.sqrt((double) size(call, query, 3, "features")) : given;
        Value scaled = call.add("Mul", query, call.number("scale", scale));
        Value scores = call.add("MatMul", scaled, transposed(call, shared(call, key, heads / groups), 0, 1, 3, 2));
        Value shares = shares(call, scores, masked ? List.of(inputs.get(3)) : List.of());
        return call.add("MatMul", shares, shared(call, value, heads / groups));
    }

    private static void requirePlain(NcnnLayerCall call) {
        if (call.params().flag(7, false)) {
            throw call.unsupportedUse("keys and values of earlier positions");
        }
        if (call.params().integer(18, 0) != 0) {
            throw call.unsupportedUse("weights as codes");
        }
    }

    private static Value rows(NcnnLayerCall call, Value x) {
        if (NcnnLayerCall.dims(x) != 2) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes instead of (positions, features)");
        }
        return x;
    }

    private static long size(NcnnLayerCall call, Value x, int axis, String what) {
        if (x.sizeOr0(axis) == 0) {
            throw call.unsupportedUse(what + " whose number is not known");
        }
        return x.sizeOr0(axis);
    }

    /** The next weights and biases of the file, applied to rows. */
    private static Value projected(NcnnLayerCall call, Value x, String name, int from, int to) {
        Value weights = call.weight(name + "_weights", NcnnWeights.Kind.TAGGED, call.shape(to, from));
        Value bias = call.weight(name + "_bias", NcnnWeights.Kind.RAW, call.shape(to));
        return call.add("Add", call.add("MatMul", x, call.add("Transpose", weights)), bias);
    }

    /** {@code [1, heads, positions, features of one]}. */
    private static Value split(NcnnLayerCall call, Value x, int heads, int width) {
        return transposed(call, reshaped(call, x, x, heads, width / heads), 0, 2, 1, 3);
    }

    /** As many positions as another value has, of some parts, or of one without an axis of its own. */
    private static Value reshaped(NcnnLayerCall call, Value x, Value like, int parts, int features) {
        Dim positions = like.shape().dim(1);
        boolean one = parts == 1 && x.rank() == 4;
        Shape shape = one
                ? new Shape(List.of(Dim.of(1), positions, Dim.of(features)))
                : new Shape(List.of(Dim.of(1), positions, Dim.of(parts), Dim.of(features)));
        long[] sizes = one ? new long[] {1, -1, features} : new long[] {1, -1, parts, features};
        return call.add("Reshape", List.of(x), new Params().put("shape", sizes), shape);
    }

    private static Value transposed(NcnnLayerCall call, Value x, long... order) {
        return call.add("Transpose", new Params().put("perm", order), x);
    }

    /** Each head so many times, one after another. */
    private static Value shared(NcnnLayerCall call, Value x, long times) {
        if (times == 1) {
            return x;
        }
        Value apart = call.add("Unsqueeze", new Params().put("axis", new long[] {2}), x);
        Value repeated = call.add("DeePhiTile", new Params().put("multiples", new long[] {1, 1, times, 1, 1}), apart);
        Dim heads = Dim.of(x.sizeOr0(1) * times);
        Shape shape =
                new Shape(List.of(Dim.of(1), heads, x.shape().dim(2), x.shape().dim(3)));
        long[] sizes = {1, x.sizeOr0(1) * times, -1, size(call, x, 3, "features")};
        return call.add("Reshape", List.of(repeated), new Params().put("shape", sizes), shape);
    }

    /** The part that each key has in each query, of scores to which a mask is added. */
    private static Value shares(NcnnLayerCall call, Value scores, List<Value> mask) {
        Value all = scores;
        for (Value each : mask) {
            boolean ofHeads = NcnnLayerCall.dims(each) == 3;
            all = call.add(
                    "Add", all, ofHeads ? each : call.add("Unsqueeze", new Params().put("axis", new long[] {1}), each));
        }
        return call.add("Softmax", new Params().put("axis", -1L), all);
    }
}
