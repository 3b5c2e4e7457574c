package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Convolutions of one to three axes, and their transposes, with what they do to each element at the end. */
final class NcnnConvolutionLayers {

    private static final int OUTPUTS = 0;
    private static final int BIAS = 5;
    private static final int WEIGHTS = 6;
    private static final int GROUPS = 7;
    private static final int INT8 = 8;

    /** Paddings that mean one that keeps the size, with the odd cell at the end or at the beginning. */
    private static final int SAME = -233;

    private static final int SAME_LOWER = -234;

    private NcnnConvolutionLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        for (int spatial = 1; spatial <= 3; spatial++) {
            int axes = spatial;
            String suffix = axes == 2 ? "" : axes + "D";
            for (boolean grouped : new boolean[] {false, true}) {
                String name = (grouped ? "DepthWise" : "") + suffix;
                all.one("Convolution" + name, call -> plain(call, axes, grouped));
                all.one("Deconvolution" + name, call -> transposed(call, axes, grouped));
            }
        }
    }

    /** The number of channels of the input of a convolution, as the number of its weights tells. */
    static long inputs(NcnnLayer layer) {
        LayerParams params = new LayerParams(layer);
        long outputs = params.size(OUTPUTS, 0, 1);
        long width = params.size(NcnnWindow.WIDTH.kernel(), 0, 1);
        long height = params.size(NcnnWindow.HEIGHT.kernel(), (int) width, 1);
        long group = params.size(GROUPS, 1, 1);
        return params.size(WEIGHTS, 0, 1) / width / height / outputs * group;
    }

    /** The kernel's sides: outputs and inputs of each group. */
    private record Sides(long group, long outputs, long inputs) {

        static Sides of(NcnnLayerCall call, NcnnWindow window, boolean grouped) {
            LayerParams params = call.params();
            long outputs = params.size(OUTPUTS, 0, 1);
            long group = grouped ? params.size(GROUPS, 1, 1) : 1;
            long count = params.size(WEIGHTS, 0, 1);
            long perInput = outputs * Math.min(window.taps(call), Integer.MAX_VALUE);
            if (outputs % group != 0 || count % perInput != 0) {
                throw params.wrong(
                        WEIGHTS,
                        count + " weights do not fit " + outputs + " outputs in " + group + " groups and a window of "
                                + Arrays.toString(window.kernel()));
            }
            return new Sides(group, outputs / group, count / perInput);
        }
    }

    private static void requireFloat(NcnnLayerCall call) {
        if (call.params().integer(INT8, 0) != 0) {
            throw call.unsupportedUse("int8 codes");
        }
    }

    static List<Value> withBias(NcnnLayerCall call, Value x, Value weights) {
        List<Value> operands = new ArrayList<>(List.of(x, weights));
        if (call.params().flag(BIAS, false)) {
            operands.add(call.weight(
                    "bias", NcnnWeights.Kind.RAW, call.shape(call.params().size(OUTPUTS, 0, 1))));
        }
        return operands;
    }

    private static Value plain(NcnnLayerCall call, int spatial, boolean grouped) {
        LayerParams params = call.params();
        requireFloat(call);
        if (params.flag(19, false)) {
            throw call.unsupportedUse("weights that are inputs");
        }
        if (spatial == 2) {
            params.ignore(17); // which algorithm computes it
        }
        Value x = call.input();
        NcnnWindow window = new NcnnWindow(params, spatial);
        Sides sides = Sides.of(call, window, grouped);
        boolean vector = spatial == 2
                && NcnnLayerCall.dims(x) == 1
                && LongStream.of(window.kernel()).allMatch(side -> side == 1);
        if (!vector && NcnnLayerCall.dims(x) != spatial + 1) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        long[] stored = LongStream.concat(
                        LongStream.of(sides.group() * sides.outputs(), sides.inputs()), LongStream.of(window.kernel()))
                .toArray();
        if (vector) {
            x = call.add("Reshape", List.of(x), new Params().put("shape", new long[] {0, -1, 1, 1}));
        }
        double around = params.real(18, 0);
        if (around != 0 && !window.allPads(0)) {
            x = window.bordered(call, x, around);
        }
        Value weights = call.weight("weights", NcnnWeights.Kind.TAGGED, call.shape(stored));
        List<Value> operands = withBias(call, x, weights);
        Value result = spatial == 2
                ? call.add("Conv2d", operands, pictures(call, window, sides.group()))
                : call.add("Convolution", operands, anyAxes(call, window, sides.group()));
        Value end = NcnnActivationLayers.fused(call, result);
        return vector ? call.add("Flatten", List.of(end), new Params().put("axis", 1L)) : end;
    }

    private static Params pictures(NcnnLayerCall call, NcnnWindow window, long group) {
        Params params = new Params()
                .put("strides", window.strides())
                .put("dilation", window.dilations())
                .put("group", group);
        if (window.allPads(SAME) || window.allPads(SAME_LOWER)) {
            return params.put("pad_mode", window.allPads(SAME) ? "SAME" : "SAME_LOWER");
        }
        window.requirePlainPads(call);
        return params.put("padding", window.pads());
    }

    private static Params anyAxes(NcnnLayerCall call, NcnnWindow window, long group) {
        window.requirePlainPads(call);
        return new Params()
                .put("strides", window.strides())
                .put("pads_begin", window.every(0))
                .put("pads_end", window.every(1))
                .put("dilations", window.dilations())
                .put("groups", group)
                .put("data_format", "NCX")
                .put("weights_format", "OIX");
    }

    private static Value transposed(NcnnLayerCall call, int spatial, boolean grouped) {
        LayerParams params = call.params();
        requireFloat(call);
        Value x = call.input();
        if (NcnnLayerCall.dims(x) != spatial + 1) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        NcnnWindow window = new NcnnWindow(params, spatial);
        window.requirePlainPads(call);
        for (int id : spatial == 3 ? new int[] {25, 26, 27} : spatial == 2 ? new int[] {20, 21} : new int[] {20}) {
            if (params.integer(id, 0) != 0) {
                throw call.unsupportedUse("a size of the result");
            }
        }
        Sides sides = Sides.of(call, window, grouped);
        Params transposed = new Params()
                .put("strides", window.strides())
                .put("padding", window.pads())
                .put("dilation", window.dilations())
                .put("output_padding", extra(params, spatial))
                .put("group", sides.group());
        List<Value> operands = withBias(call, x, turned(call, window, sides));
        String op = spatial == 2 ? "Conv2dTranspose" : "ConvTranspose";
        return NcnnActivationLayers.fused(call, call.add(op, operands, transposed));
    }

    /** The sizes that are added at the end of each axis, outer ones first. */
    private static long[] extra(LayerParams params, int spatial) {
        int right = params.size(18, 0, 0);
        long[] all = new long[spatial];
        all[spatial - 1] = right;
        if (spatial > 1) {
            all[spatial - 2] = params.size(19, right, 0);
        }
        if (spatial > 2) {
            all[0] = params.size(20, right, 0);
        }
        return all;
    }

    /** Kernels are kept as [group, out, in, ...] and needed as [group, in, out, ...]. */
    private static Value turned(NcnnLayerCall call, NcnnWindow window, Sides sides) {
        LongStream kernel = LongStream.of(window.kernel());
        long taps = window.taps(call);
        Shape stored = call.shape(sides.group(), sides.outputs(), sides.inputs(), taps);
        Shape needed =
                call.shape(LongStream.concat(LongStream.of(sides.group() * sides.inputs(), sides.outputs()), kernel)
                        .toArray());
        return call.weight("weights", NcnnWeights.Kind.TAGGED, stored, needed, from -> {
            Tensor to = Tensor.allocate(DType.FLOAT32, needed.sizes());
            long target = 0;
            for (long group = 0; group < sides.group(); group++) {
                for (long input = 0; input < sides.inputs(); input++) {
                    for (long output = 0; output < sides.outputs(); output++) {
                        long start = ((group * sides.outputs() + output) * sides.inputs() + input) * taps;
                        for (long tap = 0; tap < taps; tap++) {
                            to.setDouble(target++, from.getDouble(start + tap));
                        }
                    }
                }
            }
            return to;
        });
    }
}
