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

    /** The numbers of the parameters of one axis. */
    private record Axis(int kernel, int dilation, int stride, int begin, int end) {}

    private static final Axis WIDTH = new Axis(1, 2, 3, 4, 15);
    private static final Axis HEIGHT = new Axis(11, 12, 13, 14, 16);
    private static final Axis DEPTH = new Axis(21, 22, 23, 24, 17);

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

    private static List<Axis> axes(int spatial) {
        return List.of(DEPTH, HEIGHT, WIDTH).subList(3 - spatial, 3);
    }

    /** A number for each axis, outer ones first; those that are not given are those of the width. */
    private static final class Geometry {

        private final long[] kernel;
        private final long[] strides;
        private final long[] dilations;
        /** Begin and end for each axis. */
        private final long[] pads;

        private Geometry(LayerParams params, int spatial) {
            List<Axis> axes = axes(spatial);
            kernel = new long[spatial];
            strides = new long[spatial];
            dilations = new long[spatial];
            pads = new long[2 * spatial];
            int kernelWidth = params.size(WIDTH.kernel(), 0, 1);
            int dilationWidth = params.size(WIDTH.dilation(), 1, 1);
            int strideWidth = params.size(WIDTH.stride(), 1, 1);
            int left = params.integer(WIDTH.begin(), 0);
            for (int i = 0; i < spatial; i++) {
                Axis axis = axes.get(i);
                kernel[i] = params.size(axis.kernel(), kernelWidth, 1);
                dilations[i] = params.size(axis.dilation(), dilationWidth, 1);
                strides[i] = params.size(axis.stride(), strideWidth, 1);
                int begin = params.integer(axis.begin(), left);
                pads[2 * i] = begin;
                pads[2 * i + 1] = params.integer(axis.end(), begin);
            }
        }

        private long taps(NcnnLayerCall call) {
            long taps = 1;
            for (long side : kernel) {
                taps *= side;
                if (taps > Integer.MAX_VALUE) {
                    throw call.malformed("its window of " + Arrays.toString(kernel) + " is too large");
                }
            }
            return taps;
        }

        private boolean allPads(long value) {
            return LongStream.of(pads).allMatch(pad -> pad == value);
        }

        /** Paddings as numbers. */
        private void requirePlainPads(NcnnLayerCall call) {
            if (LongStream.of(pads).anyMatch(pad -> pad < 0)) {
                throw call.unsupportedUse("padding " + Arrays.toString(pads));
            }
        }

        private long[] every(int first) {
            return LongStream.range(0, pads.length)
                    .filter(i -> i % 2 == first)
                    .map(i -> pads[(int) i])
                    .toArray();
        }
    }

    /** The number of channels of the input of a convolution, as the number of its weights tells. */
    static long inputs(NcnnLayer layer) {
        LayerParams params = new LayerParams(layer);
        long outputs = params.size(OUTPUTS, 0, 1);
        long width = params.size(WIDTH.kernel(), 0, 1);
        long height = params.size(HEIGHT.kernel(), (int) width, 1);
        long group = params.size(GROUPS, 1, 1);
        return params.size(WEIGHTS, 0, 1) / width / height / outputs * group;
    }

    /** The kernel's sides: outputs and inputs of each group. */
    private record Sides(long group, long outputs, long inputs) {

        static Sides of(NcnnLayerCall call, Geometry geometry, boolean grouped) {
            LayerParams params = call.params();
            long outputs = params.size(OUTPUTS, 0, 1);
            long group = grouped ? params.size(GROUPS, 1, 1) : 1;
            long count = params.size(WEIGHTS, 0, 1);
            long perInput = outputs * Math.min(geometry.taps(call), Integer.MAX_VALUE);
            if (outputs % group != 0 || count % perInput != 0) {
                throw params.wrong(
                        WEIGHTS,
                        count + " weights do not fit " + outputs + " outputs in " + group + " groups and a window of "
                                + Arrays.toString(geometry.kernel));
            }
            return new Sides(group, outputs / group, count / perInput);
        }
    }

    private static void requireFloat(NcnnLayerCall call) {
        if (call.params().integer(INT8, 0) != 0) {
            throw call.unsupportedUse("int8 codes");
        }
    }

    private static List<Value> withBias(NcnnLayerCall call, Value x, Value weights) {
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
        Geometry geometry = new Geometry(params, spatial);
        Sides sides = Sides.of(call, geometry, grouped);
        boolean vector = spatial == 2
                && NcnnLayerCall.dims(x) == 1
                && LongStream.of(geometry.kernel).allMatch(side -> side == 1);
        if (!vector && NcnnLayerCall.dims(x) != spatial + 1) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        long[] stored = LongStream.concat(
                        LongStream.of(sides.group() * sides.outputs(), sides.inputs()), LongStream.of(geometry.kernel))
                .toArray();
        if (vector) {
            x = call.add("Reshape", List.of(x), new Params().put("shape", new long[] {0, -1, 1, 1}));
        }
        double around = params.real(18, 0);
        if (around != 0 && !geometry.allPads(0)) {
            x = bordered(call, x, geometry, around);
        }
        Value weights = call.weight("weights", NcnnWeights.Kind.TAGGED, call.shape(stored));
        List<Value> operands = withBias(call, x, weights);
        Value result = spatial == 2
                ? call.add("Conv2d", operands, pictures(call, geometry, sides.group()))
                : call.add("Convolution", operands, anyAxes(call, geometry, sides.group()));
        Value end = NcnnActivationLayers.fused(call, result);
        return vector ? call.add("Flatten", List.of(end), new Params().put("axis", 1L)) : end;
    }

    /** A border of another number than 0. */
    private static Value bordered(NcnnLayerCall call, Value x, Geometry geometry, double value) {
        geometry.requirePlainPads(call);
        long[] widths = LongStream.concat(LongStream.of(0, 0, 0, 0), LongStream.of(geometry.pads))
                .toArray();
        Arrays.fill(geometry.pads, 0);
        return call.add("Pad", List.of(x), new Params().put("pad_with", widths).put("constant_value", value));
    }

    private static Params pictures(NcnnLayerCall call, Geometry geometry, long group) {
        Params params = new Params()
                .put("strides", geometry.strides)
                .put("dilation", geometry.dilations)
                .put("group", group);
        if (geometry.allPads(SAME) || geometry.allPads(SAME_LOWER)) {
            return params.put("pad_mode", geometry.allPads(SAME) ? "SAME" : "SAME_LOWER");
        }
        geometry.requirePlainPads(call);
        return params.put("padding", geometry.pads);
    }

    private static Params anyAxes(NcnnLayerCall call, Geometry geometry, long group) {
        geometry.requirePlainPads(call);
        return new Params()
                .put("strides", geometry.strides)
                .put("pads_begin", geometry.every(0))
                .put("pads_end", geometry.every(1))
                .put("dilations", geometry.dilations)
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
        Geometry geometry = new Geometry(params, spatial);
        geometry.requirePlainPads(call);
        for (int id : spatial == 3 ? new int[] {25, 26, 27} : spatial == 2 ? new int[] {20, 21} : new int[] {20}) {
            if (params.integer(id, 0) != 0) {
                throw call.unsupportedUse("a size of the result");
            }
        }
        Sides sides = Sides.of(call, geometry, grouped);
        Params transposed = new Params()
                .put("strides", geometry.strides)
                .put("padding", geometry.pads)
                .put("dilation", geometry.dilations)
                .put("output_padding", extra(params, spatial))
                .put("group", sides.group());
        List<Value> operands = withBias(call, x, turned(call, geometry, sides));
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
    private static Value turned(NcnnLayerCall call, Geometry geometry, Sides sides) {
        LongStream kernel = LongStream.of(geometry.kernel);
        long taps = geometry.taps(call);
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
