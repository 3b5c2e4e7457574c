package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Convolutions, and their transposes; several bottoms share one kernel. */
final class CaffeConvolutionLayers {

    private static final int MOST_SPATIAL = 3;

    private CaffeConvolutionLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.several("Convolution", call -> translate(call, Kind.PLAIN));
        all.several("ConvolutionDepthwise", call -> translate(call, Kind.DEPTHWISE));
        all.several("DepthwiseConvolution", call -> translate(call, Kind.DEPTHWISE));
        all.several("Deconvolution", call -> translate(call, Kind.TRANSPOSED));
        all.one("Padding", CaffeConvolutionLayers::padding);
    }

    private enum Kind {
        PLAIN,
        /** As many groups as channels, unless it says otherwise. */
        DEPTHWISE,
        TRANSPOSED
    }

    /** A number for each axis. */
    private static final class Geometry {

        private final long[] kernel;
        private final long[] strides;
        /** Begin and end for each axis. */
        private final long[] pads;

        private final long[] dilations;

        private Geometry(long[] kernel, long[] strides, long[] pads, long[] dilations) {
            this.kernel = kernel;
            this.strides = strides;
            this.pads = pads;
            this.dilations = dilations;
        }

        static Geometry of(CaffeFields params, int spatial) {
            long[] kernel = perAxis(params, "kernel_size", "kernel", spatial, 0, 1);
            if (Arrays.stream(kernel).anyMatch(size -> size == 0)) {
                throw params.wrong("kernel_size", "it is missing");
            }
            return new Geometry(
                    kernel,
                    perAxis(params, "stride", "stride", spatial, 1, 1),
                    pads(params, spatial),
                    perAxis(params, "dilation", "dilation", spatial, 1, 1));
        }

        private long[] every(int first) {
            return LongStream.range(0, pads.length)
                    .filter(i -> i % 2 == first)
                    .map(i -> pads[(int) i])
                    .toArray();
        }
    }

    /** A number for each axis: a list, one for all, or those of height and width by their own names. */
    static long[] perAxis(CaffeFields params, String list, String stem, int axes, long otherwise, long least) {
        String height = stem + "_h";
        String width = stem + "_w";
        List<Long> given = params.integers(list, least);
        if (params.has(height) || params.has(width)) {
            if (axes != 2) {
                throw params.wrong(height, "it belongs to two axes, but there are " + axes);
            }
            if (!given.isEmpty()) {
                throw params.wrong(list, "it is given beside " + height + " and " + width);
            }
            return new long[] {params.size(height, otherwise, least), params.size(width, otherwise, least)};
        }
        if (given.size() > 1 && given.size() != axes) {
            throw params.wrong(list, "it has " + given.size() + " numbers, but there are " + axes + " axes");
        }
        long[] all = new long[axes];
        for (int axis = 0; axis < axes; axis++) {
            all[axis] = given.isEmpty() ? otherwise : given.get(Math.min(axis, given.size() - 1));
        }
        return all;
    }

    /** Padding at the begin and end of each axis, which some write for each side. */
    static long[] pads(CaffeFields params, int spatial) {
        boolean sides = Stream.of("pad_t", "pad_b", "pad_l", "pad_r").anyMatch(params::has);
        long[] both = perAxis(params, "pad", "pad", spatial, 0, 0);
        if (!sides) {
            return Arrays.stream(both).flatMap(pad -> LongStream.of(pad, pad)).toArray();
        }
        if (spatial != 2) {
            throw params.wrong("pad_t", "it belongs to two axes, but there are " + spatial);
        }
        return new long[] {
            params.size("pad_t", both[0], 0),
            params.size("pad_b", both[0], 0),
            params.size("pad_l", both[1], 0),
            params.size("pad_r", both[1], 0)
        };
    }

    private static List<Value> translate(CaffeLayerCall call, Kind kind) {
        CaffeFields params = call.params("convolution_param");
        params.ignore("engine", "force_nd_im2col", "cudnn_convolution_algo_seeker", "cudnn_convolution_algo");
        params.ignore("bias_filler", "blobs_lr", "weight_decay");
        List<Value> inputs = call.inputs(1, Integer.MAX_VALUE);
        Value first = inputs.get(0);
        int spatial = first.rank() - 2;
        if (call.axis(params, "axis", 1, first.rank()) != 1 || spatial < 1 || spatial > MOST_SPATIAL) {
            throw call.unsupportedUse("'axis' other than the second of three to five");
        }
        long outputs = params.requiredSize("num_output", 1);
        long group = params.size("group", kind == Kind.DEPTHWISE ? channels(first, outputs) : 1, 1);
        if (outputs % group != 0) {
            throw params.wrong("group", outputs + " outputs cannot be divided into " + group + " groups");
        }
        Geometry geometry = Geometry.of(params, spatial);
        List<Value> weights = new ArrayList<>();
        weights.add(kernel(call, params, geometry, new Channels(first, outputs, group, kind == Kind.TRANSPOSED)));
        if (params.flag("bias_term", true)) {
            weights.add(call.weight(1, "bias", Shape.of(outputs), Filler.of(params, "bias_filler")));
        }
        List<Value> results = new ArrayList<>();
        for (Value x : inputs) {
            List<Value> operands = new ArrayList<>(List.of(x));
            operands.addAll(weights);
            results.add(
                    kind == Kind.TRANSPOSED
                            ? transposed(call, operands, geometry, group)
                            : plain(call, operands, geometry, group));
        }
        return results;
    }

    private static long channels(Value x, long otherwise) {
        return x.shape().dim(1) instanceof Dim.Known known && known.size() > 0 ? known.size() : otherwise;
    }

    private static Value plain(CaffeLayerCall call, List<Value> operands, Geometry geometry, long group) {
        if (geometry.kernel.length == 2) {
            Params params = new Params()
                    .put("strides", geometry.strides)
                    .put("padding", geometry.pads)
                    .put("dilation", geometry.dilations)
                    .put("group", group);
            return call.add("Conv2d", operands, params);
        }
        Params params = new Params()
                .put("strides", geometry.strides)
                .put("pads_begin", geometry.every(0))
                .put("pads_end", geometry.every(1))
                .put("dilations", geometry.dilations)
                .put("groups", group)
                .put("data_format", "NCX")
                .put("weights_format", "OIX");
        return call.add("Convolution", operands, params);
    }

    private static Value transposed(CaffeLayerCall call, List<Value> operands, Geometry geometry, long group) {
        Params params = new Params()
                .put("strides", geometry.strides)
                .put("padding", geometry.pads)
                .put("dilation", geometry.dilations)
                .put("group", group);
        return call.add(geometry.kernel.length == 2 ? "Conv2dTranspose" : "ConvTranspose", operands, params);
    }

    private record Channels(Value x, long outputs, long group, boolean transposed) {}

    /** The kernel: {@code [out, in / group, spatial...]}, of a transposed convolution {@code [in, out / group, spatial...]}. */
    private static Value kernel(CaffeLayerCall call, CaffeFields params, Geometry geometry, Channels channels) {
        Filler filler = Filler.of(params, "weight_filler");
        long taps = Arrays.stream(geometry.kernel).reduce(1, (left, right) -> Math.min(left * right, 1L << 31));
        long own = channels.transposed ? channels.outputs / channels.group : channels.outputs;
        if (!call.blobs().isEmpty()) {
            long other = Blobs.elements(call.blobs().get(0)) / (own * taps);
            return call.weight(0, "weights", shape(geometry, channels, Dim.of(other)), filler);
        }
        if (channels.x.shape().dim(1) instanceof Dim.Known inputs) {
            Dim other = Dim.of(channels.transposed ? inputs.size() : inputs.size() / channels.group);
            return call.weight(0, "weights", shape(geometry, channels, other), filler);
        }
        Value given = call.sizes(channels.x, 1, 2);
        if (!channels.transposed && channels.group > 1) {
            given = call.add("Div", given, call.vector("group", channels.group));
        }
        Value side = call.vector("num_output", own);
        List<Value> sizes = new ArrayList<>(channels.transposed ? List.of(given, side) : List.of(side, given));
        sizes.add(call.vector("kernel_size", geometry.kernel));
        return call.weight(0, "weights", sizes, shape(geometry, channels, Dim.unknown()), filler);
    }

    private static Shape shape(Geometry geometry, Channels channels, Dim other) {
        List<Dim> dims = new ArrayList<>();
        dims.add(channels.transposed ? other : Dim.of(channels.outputs));
        dims.add(channels.transposed ? Dim.of(channels.outputs / channels.group) : other);
        Arrays.stream(geometry.kernel).forEach(size -> dims.add(Dim.of(size)));
        return new Shape(dims);
    }

    /** Zeros around the picture, which the oldest networks add by a layer of its own. */
    private static Value padding(CaffeLayerCall call) {
        CaffeFields params = call.params("padding_param");
        long pad = params.size("pad", 0, 0);
        return call.add(
                "Pad", List.of(call.input()), new Params().put("pad_with", new long[] {0, 0, 0, 0, pad, pad, pad, pad
                        }));
    }
}
