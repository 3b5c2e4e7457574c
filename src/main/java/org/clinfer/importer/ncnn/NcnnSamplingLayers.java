package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;

/** Layers that take elements from places between others, or blocks of them as columns. */
final class NcnnSamplingLayers {

    /** Elements of a block, each of which is an operator. */
    private static final long MOST_TAPS = 1 << 12;

    private static final int CUBIC = 3;
    private static final int REFLECTION = 3;

    private NcnnSamplingLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("GridSample", NcnnSamplingLayers::sample);
        all.one("DeformableConv2D", NcnnSamplingLayers::deformable);
        all.one("Unfold", NcnnSamplingLayers::unfold);
        all.one("Fold", NcnnSamplingLayers::fold);
    }

    private static int choice(LayerParams params, int id) {
        int value = params.integer(id, 1);
        if (value < 1 || value > 3) {
            throw params.wrong(id, "expected 1, 2 or 3, found " + value);
        }
        return value;
    }

    /**
     * Elements at the places that a grid names. What is mirrored is so once, beside which there is nothing or the border; halfway,
     * the nearest is the later one.
     */
    private static Value sample(NcnnLayerCall call) {
        LayerParams params = call.params();
        int mode = choice(params, 0);
        int padding = choice(params, 1);
        boolean aligned = params.flag(2, false);
        List<Value> inputs = call.inputs(2, 2);
        Value x = inputs.get(0);
        Value grid = inputs.get(1);
        int dims = NcnnLayerCall.dims(x);
        if ((dims != 3 && dims != 4) || NcnnLayerCall.dims(grid) != dims || (dims == 4 && mode == CUBIC)) {
            throw call.unsupportedUse(
                    "blobs of " + dims + " and " + NcnnLayerCall.dims(grid) + " axes in mode " + mode);
        }
        if (params.flag(3, false)) {
            long[] last = LongStream.concat(LongStream.of(0), LongStream.rangeClosed(2, dims))
                    .toArray();
            grid = call.add("Transpose", new Params().put("perm", append(last, 1)), grid);
        }
        String outside = List.of("zeros", "border", "reflection").get(padding - 1);
        if (padding == REFLECTION && mode != CUBIC) {
            Value one = call.number("one", 1);
            Value two = call.number("two", 2);
            Value half = call.add("Abs", call.add("Div", call.add("Add", grid, one), two));
            Value mirrored = call.add("Sub", one, call.add("Abs", call.add("Sub", half, one)));
            grid = call.add("Sub", call.add("Mul", mirrored, two), one);
            outside = aligned ? "zeros" : "border";
        }
        Params sampling = new Params()
                .put("mode", List.of("linear", "nearest", "cubic").get(mode - 1))
                .put("padding_mode", outside);
        boolean nearest = mode == 2;
        return call.add(
                "GridSample",
                sampling.put("align_corners", aligned && !nearest),
                x,
                nearest ? wholePlaces(call, x, grid, aligned) : grid);
    }

    private static long[] append(long[] values, long last) {
        return LongStream.concat(LongStream.of(values), LongStream.of(last)).toArray();
    }

    /** A grid whose places are the middles of elements, for pixels whose edges are at -1 and 1. */
    private static Value wholePlaces(NcnnLayerCall call, Value x, Value grid, boolean aligned) {
        Value one = call.number("first", 1);
        Value half = call.number("half", 0.5);
        Value two = call.number("double", 2);
        Value sizes = call.part(call.sizes(x, 2, x.rank()), 0, -1, Long.MIN_VALUE, -1);
        Value size = call.add("Cast", new Params().put("to", DType.FLOAT32.toString()), sizes);
        Value share = call.add("Div", call.add("Add", grid, one), two);
        Value place = aligned
                ? call.add("Mul", share, call.add("Sub", size, one))
                : call.add("Sub", call.add("Mul", share, size), half);
        Value whole = call.add("Floor", call.add("Add", place, half));
        Value middle = call.add("Div", call.add("Add", call.add("Mul", whole, two), one), size);
        return call.add("Sub", middle, one);
    }

    /** A convolution with offsets for its taps, down and across, and perhaps a factor for each. */
    private static Value deformable(NcnnLayerCall call) {
        LayerParams params = call.params();
        List<Value> inputs = call.inputs(2, 3);
        inputs.forEach(call::picture);
        NcnnWindow window = new NcnnWindow(params, 2);
        window.requirePlainPads(call);
        long outputs = params.size(0, 0, 1);
        long count = params.size(6, 0, 1);
        long each = outputs * window.taps(call);
        if (count % each != 0) {
            throw params.wrong(6, count + " weights do not fit " + outputs + " outputs");
        }
        long[] kernel = window.kernel();
        Shape shape = call.shape(outputs, count / each, kernel[0], kernel[1]);
        Value weights = call.weight("weights", NcnnWeights.Kind.TAGGED, shape);
        List<Value> operands = new ArrayList<>(List.of(inputs.get(0), weights, inputs.get(1)));
        operands.add(
                params.flag(5, false) ? call.weight("bias", NcnnWeights.Kind.RAW, call.shape(outputs)) : Value.NONE);
        if (inputs.size() == 3) {
            operands.add(inputs.get(2));
        }
        Params convolution = new Params()
                .put("strides", window.strides())
                .put("dilations", window.dilations())
                .put("pads", window.beginsAndEnds());
        return NcnnActivationLayers.fused(call, call.add("DeformConv", operands, convolution));
    }

    /** A column for each place of a window, with the elements of the window of every channel. */
    private static Value unfold(NcnnLayerCall call) {
        Value x = call.picture();
        NcnnWindow window = new NcnnWindow(call.params(), 2);
        window.requirePlainPads(call);
        double around = call.params().real(18, 0);
        long channels = x.sizeOr0(1);
        if (channels == 0) {
            throw call.unsupportedUse("a number of channels that is not known");
        }
        if (window.taps(call) > MOST_TAPS) {
            throw call.unsupportedUse("a window of more than " + MOST_TAPS + " elements");
        }
        if (!window.allPads(0)) {
            x = window.bordered(call, x, around);
        }
        List<Value> taps = new ArrayList<>();
        Params third = new Params().put("axis", new long[] {2});
        for (long row = 0; row < window.kernel()[0]; row++) {
            Value rows = every(call, x, window, 0, row);
            for (long column = 0; column < window.kernel()[1]; column++) {
                taps.add(call.add("Unsqueeze", third, every(call, rows, window, 1, column)));
            }
        }
        Value all = taps.size() == 1 ? taps.get(0) : call.add("Concat", taps, new Params().put("axis", 2L));
        return call.reshaped(all, 0, channels * taps.size(), -1);
    }

    /** The elements that one row or column of the window meets. */
    private static Value every(NcnnLayerCall call, Value x, NcnnWindow window, int axis, long tap) {
        long dilation = window.dilations()[axis];
        long behind = (window.kernel()[axis] - 1 - tap) * dilation;
        long end = behind == 0 ? Long.MAX_VALUE : -behind;
        return call.part(x, axis + 2, tap * dilation, end, window.strides()[axis]);
    }

    /** The picture that columns of windows add up to. */
    private static Value fold(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        if (NcnnLayerCall.dims(x) != 2) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        NcnnWindow window = new NcnnWindow(params, 2);
        window.requirePlainPads(call);
        long width = params.size(20, 0, 1);
        long height = params.size(21, (int) width, 1);
        Params columns = new Params()
                .put("strides", window.strides())
                .put("dilations", window.dilations())
                .put("pads", window.beginsAndEnds());
        return call.add(
                "Col2Im", columns, x, call.vector("size", height, width), call.vector("window", window.kernel()));
    }
}
