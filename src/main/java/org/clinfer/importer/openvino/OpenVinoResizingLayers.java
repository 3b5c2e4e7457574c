package org.clinfer.importer.openvino;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;

/** Resampling. */
final class OpenVinoResizingLayers {

    private OpenVinoResizingLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("Interpolate", OpenVinoResizingLayers::interpolate);
        all.one("GridSample", OpenVinoResizingLayers::gridSample);
    }

    private static Value interpolate(OpenVinoLayerCall call) {
        for (String pads : List.of("pads_begin", "pads_end")) {
            if (Arrays.stream(call.attributes().integers(pads)).anyMatch(each -> each != 0)) {
                throw call.attributes().unsupported(pads);
            }
        }
        if (call.attributes().flag("antialias", false)) {
            throw call.attributes().unsupported("antialias");
        }
        return call.opset() < 4 ? first(call) : later(call);
    }

    /** Without antialiasing both kinds of linear interpolation are the same. */
    private static Value later(OpenVinoLayerCall call) {
        boolean both = call.opset() < 11;
        call.requireInputs(both ? 3 : 2, both ? 4 : 3);
        OpenVinoAttributes attributes = call.attributes();
        Value x = call.input(0);
        String mode = attributes.requiredChoice("mode", "nearest", "linear", "linear_onnx", "cubic");
        Params params = new Params()
                .put("mode", mode.equals("linear_onnx") ? "linear" : mode)
                .put(
                        "coordinate_mode",
                        attributes.choice(
                                "coordinate_transformation_mode",
                                "half_pixel",
                                "half_pixel",
                                "pytorch_half_pixel",
                                "asymmetric",
                                "tf_half_pixel_for_nn",
                                "align_corners"))
                .put(
                        "nearest_mode",
                        attributes.choice(
                                "nearest_mode",
                                "round_prefer_floor",
                                "round_prefer_floor",
                                "round_prefer_ceil",
                                "floor",
                                "ceil",
                                "simple"))
                .put("cubic_coeff_a", attributes.real("cube_coeff", -0.75));
        boolean bySizes = attributes
                .requiredChoice("shape_calculation_mode", "sizes", "scales")
                .equals("sizes");
        int axesInput = both ? 3 : 2;
        int given = both && !bySizes ? 2 : 1;
        long[] axes = axes(call, x, axesInput);
        params.put("axes", axes);
        if (bySizes || call.isMissing(given)) {
            params.put("sizes", call.isMissing(given) ? declared(call, axes) : call.integers(given, "sizes"));
        } else {
            Tensor scales = call.constant(given).orElseThrow(() -> call.unsupportedUse("scales that are no constants"));
            params.put("scales", scales.toDoubleArray());
        }
        return call.last("Resize", List.of(x), params);
    }

    /** The axes; where a file would tell them that is not there, those along which input and output differ. */
    private static long[] axes(OpenVinoLayerCall call, Value x, int input) {
        if (call.inputCount() <= input) {
            return LongStream.range(0, x.rank()).toArray();
        }
        if (!call.isMissing(input)) {
            return call.axes(call.integers(input, "axes"), x.rank());
        }
        if (call.declared(0).rank() != x.rank()) {
            throw call.malformed("it declares " + call.declared(0) + " for an input " + x.type());
        }
        return LongStream.range(0, x.rank())
                .filter(axis ->
                        !x.shape().dim((int) axis).equals(call.declared(0).dim((int) axis)))
                .toArray();
    }

    private static long[] declared(OpenVinoLayerCall call, long[] axes) {
        return LongStream.of(axes)
                .map(axis -> {
                    if (axis < call.declared(0).rank() && call.declared(0).dim((int) axis) instanceof Dim.Known known) {
                        return known.size();
                    }
                    throw new MissingValues(1);
                })
                .toArray();
    }

    /** Only what has one meaning: corners that are aligned, and pixels that are repeated. */
    private static Value first(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        OpenVinoAttributes attributes = call.attributes();
        Value x = call.input(0);
        String mode = attributes.requiredChoice("mode", "nearest", "linear");
        attributes.require("axes");
        long[] axes = call.axes(attributes.integers("axes"), x.rank());
        boolean corners = attributes.flag("align_corners", true) && mode.equals("linear");
        long[] sizes = call.isMissing(1) ? declared(call, axes) : call.integers(1, "sizes");
        if (sizes.length != axes.length) {
            throw call.malformed("there must be " + axes.length + " sizes, but there are " + sizes.length);
        }
        if (!corners) {
            requireRepeated(call, mode, x, axes, sizes);
        }
        Params params = new Params()
                .put("mode", mode)
                .put("coordinate_mode", corners ? "align_corners" : "asymmetric")
                .put("nearest_mode", "floor")
                .put("axes", axes)
                .put("sizes", sizes);
        return call.last("Resize", List.of(x), params);
    }

    private static void requireRepeated(OpenVinoLayerCall call, String mode, Value x, long[] axes, long[] sizes) {
        boolean corners = call.attributes().flag("align_corners", true);
        if (!mode.equals("nearest") || corners) {
            throw call.unsupportedUse("mode='" + mode + "' and align_corners='" + corners + "'");
        }
        for (int i = 0; i < axes.length; i++) {
            long side = call.size(x, (int) axes[i], "pixels");
            if (side == 0 || sizes[i] % side != 0) {
                throw call.unsupportedUse("sizes that are no multiples of those of the input");
            }
        }
    }

    private static Value gridSample(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        OpenVinoAttributes attributes = call.attributes();
        String mode = attributes.choice("mode", "bilinear", "bilinear", "nearest", "bicubic");
        Params params = new Params()
                .put("mode", mode.equals("bilinear") ? "linear" : mode.equals("bicubic") ? "cubic" : mode)
                .put("padding_mode", attributes.choice("padding_mode", "zeros", "zeros", "border", "reflection"))
                .put("align_corners", attributes.flag("align_corners", false));
        return call.last("GridSample", call.inputs(), params);
    }
}
