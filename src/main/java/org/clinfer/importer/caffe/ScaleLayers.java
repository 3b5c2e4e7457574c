package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Factors and addends that line up with some axes of a value: trained ones, or another value. */
final class ScaleLayers {

    private ScaleLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("Scale", ScaleLayers::scale);
        all.one("Bias", ScaleLayers::bias);
    }

    private static Value scale(CaffeLayerCall call) {
        CaffeFields params = call.params("scale_param");
        List<Value> inputs = call.inputs(1, 2);
        Value x = inputs.get(0);
        int axis = axis(call, params, x);
        boolean trained = inputs.size() == 1;
        Filler filler = params.has("filler") ? Filler.of(params, "filler") : Filler.UNKNOWN;
        Value factor = trained ? weight(call, params, axis, 0, "scale", filler) : inputs.get(1);
        boolean bias = params.flag("bias_term", false);
        params.ignore("bias_filler");
        if (trained && axis == 1 && factor.rank() == 1 && factor.shape().isKnown()) {
            Value addend = bias
                    ? weight(call, params, axis, 1, "bias", Filler.of(params, "bias_filler"))
                    : call.filled("bias", factor.shape(), 0);
            return perChannel(call, x, factor, addend);
        }
        Value result = call.add("Mul", x, aligned(call, x, axis, factor));
        if (!bias) {
            return result;
        }
        Filler addends = Filler.of(params, "bias_filler");
        if (trained) {
            Value addend = weight(call, params, axis, 1, "bias", addends);
            return call.add("Add", result, aligned(call, x, axis, addend));
        }
        Value addend = call.weight(0, "bias", factor.shape(), addends);
        return call.add("Add", result, aligned(call, x, axis, addend));
    }

    /** A factor and an addend for each channel: a normalisation that has nothing to normalise. */
    static Value perChannel(CaffeLayerCall call, Value x, Value factor, Value addend) {
        Value mean = call.filled("mean", factor.shape(), 0);
        Value variance = call.filled("variance", factor.shape(), 1);
        return call.add("BatchNorm", List.of(x, factor, addend, mean, variance), new Params().put("epsilon", 0.0));
    }

    private static Value bias(CaffeLayerCall call) {
        CaffeFields params = call.params("bias_param");
        List<Value> inputs = call.inputs(1, 2);
        Value x = inputs.get(0);
        int axis = axis(call, params, x);
        Value addend =
                inputs.size() == 2 ? inputs.get(1) : weight(call, params, axis, 0, "bias", Filler.of(params, "filler"));
        if (inputs.size() == 1
                && axis == 1
                && addend.rank() == 1
                && addend.shape().isKnown()) {
            return perChannel(call, x, call.filled("scale", addend.shape(), 1), addend);
        }
        return call.add("Add", x, aligned(call, x, axis, addend));
    }

    /** The first axis that the factors line up with; a scalar may stand at the end. */
    private static int axis(CaffeLayerCall call, CaffeFields params, Value x) {
        params.ignore("num_axes", "filler");
        return x.rank() == 1 && params.small("axis", 1) == 1 ? 0 : call.axis(params, "axis", 1, x.rank());
    }

    private static Value weight(
            CaffeLayerCall call, CaffeFields params, int axis, int number, String name, Filler filler) {
        Value x = call.inputs().get(0);
        if (number < call.blobs().size()) {
            Shape stored = call.stored(number);
            int axes = axes(params, x, axis);
            boolean old = stored.rank() == 4 && axes == 1;
            if (!old && stored.rank() != axes) {
                throw params.wrong("num_axes", "the weights are " + stored + ", and not of " + axes + " axes");
            }
            return call.weight(number, name, old ? Shape.of(stored.elements()) : stored, filler);
        }
        int end = axis + axes(params, x, axis);
        if (end > x.rank()) {
            throw params.wrong("num_axes", "there are " + x.rank() + " axes, but " + end + " are needed");
        }
        Shape shape = new Shape(x.shape().dims().subList(axis, end));
        if (shape.isKnown()) {
            return call.weight(number, name, shape, filler);
        }
        return call.weight(number, name, List.of(call.sizes(x, axis, end)), shape, filler);
    }

    private static int axes(CaffeFields params, Value x, int axis) {
        int axes = params.small("num_axes", 1);
        return axes < 0 ? x.rank() - axis : axes;
    }

    /** The factors with axes of size 1 behind them, so that they line up with the axes of x from one on. */
    private static Value aligned(CaffeLayerCall call, Value x, int axis, Value factor) {
        int behind = factor.rank() == 0 ? 0 : x.rank() - axis - factor.rank();
        if (behind < 0) {
            throw call.malformed(
                    "its factors have " + factor.rank() + " axes from axis " + axis + " on, but there are " + x.rank());
        }
        return withAxesBehind(call, factor, behind);
    }

    /** The same value with axes of size 1 at the end. */
    static Value withAxesBehind(CaffeLayerCall call, Value value, int count) {
        if (count == 0) {
            return value;
        }
        List<Dim> dims = new ArrayList<>(value.shape().dims());
        dims.addAll(Collections.nCopies(count, Dim.of(1)));
        long[] axes = LongStream.range(value.rank(), value.rank() + count).toArray();
        return call.add("Unsqueeze", List.of(value), new Params().put("axis", axes), new Shape(dims));
    }
}
