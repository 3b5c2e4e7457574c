package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Convolutions and transposed ones; groups are an axis of their own in front of the weights. */
final class OpenVinoConvolutionLayers {

    /** The operator set from which on deformable convolutions may fade. */
    private static final int WITH_FADING = 8;

    private OpenVinoConvolutionLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("Convolution", call -> convolution(call, false));
        all.one("GroupConvolution", call -> convolution(call, true));
        all.one("ConvolutionBackpropData", call -> transposed(call, false));
        all.one("GroupConvolutionBackpropData", call -> transposed(call, true));
        all.one("BinaryConvolution", OpenVinoConvolutionLayers::binary);
        all.one("DeformableConvolution", OpenVinoConvolutionLayers::deformable);
    }

    private static int spatial(OpenVinoLayerCall call) {
        int spatial = call.input(0).rank() - 2;
        if (spatial < 1 || spatial > 3) {
            throw call.unsupportedUse("an input of " + (spatial + 2) + " axes");
        }
        return spatial;
    }

    /** The weights; groups are joined with the axis behind them. */
    private static Value weights(OpenVinoLayerCall call, boolean grouped, int spatial) {
        Value weights = call.input(1);
        int rank = spatial + (grouped ? 3 : 2);
        if (weights.rank() != rank) {
            throw call.malformed("its weights must have " + rank + " axes, but are " + weights.type());
        }
        if (!grouped) {
            return weights;
        }
        long[] sizes = call.sizes(weights.shape(), "weights");
        long[] joined = Arrays.copyOfRange(sizes, 1, rank);
        try {
            joined[0] = Math.multiplyExact(sizes[0], sizes[1]);
        } catch (ArithmeticException large) {
            throw call.malformed("its weights " + weights.type() + " are too large");
        }
        return call.reshaped(weights, Shape.of(joined));
    }

    private static long groups(OpenVinoLayerCall call, boolean grouped) {
        return grouped ? call.size(call.input(1), 0, "groups") : 1;
    }

    private static Value convolution(OpenVinoLayerCall call, boolean grouped) {
        call.requireInputs(2, 2);
        call.attributes().require("dilations");
        int spatial = spatial(call);
        OpenVinoWindow window = new OpenVinoWindow(call, spatial);
        window.requireNoOutputPadding();
        List<Value> operands = List.of(call.input(0), weights(call, grouped, spatial));
        long groups = groups(call, grouped);
        if (spatial == 2) {
            Params params = window.sides(new Params().put("group", groups));
            return call.last("Conv2d", operands, params);
        }
        Params params = new Params()
                .put("data_format", "NCX")
                .put("weights_format", "OIX")
                .put("groups", groups);
        return call.last("Convolution", operands, window.ends(params, "none"));
    }

    private static Value transposed(OpenVinoLayerCall call, boolean grouped) {
        call.requireInputs(2, 3);
        call.attributes().require("dilations");
        int spatial = spatial(call);
        OpenVinoWindow window = new OpenVinoWindow(call, spatial);
        long[] extra = call.attributes().integers("output_padding", spatial, 0);
        Value weights = weights(call, grouped, spatial);
        Params params = new Params()
                .put("group", groups(call, grouped))
                .put("strides", window.strides())
                .put("dilation", window.dilations())
                .put("output_padding", extra);
        if (call.inputCount() == 3) {
            params.put("padding", cut(call, window, weights, extra));
        } else if (window.mode().equals("PADDING")) {
            params.put("padding", window.padding());
        } else if (window.mode().equals("VALID")) {
            params.put("padding", new long[2 * spatial]);
        } else {
            throw call.attributes().unsupported("auto_pad");
        }
        return call.last(spatial == 2 ? "Conv2dTranspose" : "ConvTranspose", List.of(call.input(0), weights), params);
    }

    /**
     * The sizes cut from the full result, so that a given size is left. An odd pixel is cut at the begin with
     * SAME_UPPER and at the end with SAME_LOWER, as TensorFlow's SAME is written: the other way round than the padding
     * of convolutions.
     */
    private static long[] cut(OpenVinoLayerCall call, OpenVinoWindow window, Value weights, long[] extra) {
        int spatial = extra.length;
        long[] wanted = wanted(call, spatial);
        long[] padding = new long[2 * spatial];
        for (int i = 0; i < spatial; i++) {
            long side = call.size(call.input(0), i + 2, "pixels");
            long kernel = (call.size(weights, i + 2, "taps") - 1) * window.dilations()[i] + 1;
            long total = (side - 1) * window.strides()[i] + kernel + extra[i] - wanted[i];
            if (total < 0) {
                throw call.unsupportedUse("an output of " + wanted[i] + " pixels, more than there are");
            }
            if (total % 2 != 0 && !window.mode().startsWith("SAME")) {
                throw call.unsupportedUse("an output shape that cuts an odd number of pixels");
            }
            padding[2 * i] = window.mode().equals("SAME") ? total - total / 2 : total / 2;
            padding[2 * i + 1] = total - padding[2 * i];
        }
        return padding;
    }

    private static long[] wanted(OpenVinoLayerCall call, int spatial) {
        if (call.isMissing(2)) {
            Shape declared = call.declared(0);
            List<Dim> sizes = declared.dims().subList(Math.min(2, declared.rank()), declared.rank());
            return requireCount(call, call.sizes(new Shape(sizes), "an output"), spatial);
        }
        return requireCount(call, call.integers(2, "sizes of the output"), spatial);
    }

    private static long[] requireCount(OpenVinoLayerCall call, long[] sizes, int spatial) {
        if (sizes.length != spatial) {
            throw call.malformed("there must be " + spatial + " sizes of the output, but there are " + sizes.length);
        }
        return sizes;
    }

    private static Value binary(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        OpenVinoAttributes attributes = call.attributes();
        attributes.require("strides", "pads_begin", "pads_end", "dilations");
        OpenVinoWindow window = new OpenVinoWindow(call, 2);
        Value weights = call.input(1);
        if (weights.type().dtype() != DType.U1) {
            throw call.unsupportedUse("weights of " + weights.type().dtype());
        }
        Params params = new Params()
                .put("mode", attributes.requiredChoice("mode", "xnor-popcount"))
                .put("pad_value", attributes.real("pad_value"));
        List<Value> operands = List.of(call.input(0), weights);
        return call.last("BinaryConvolution", operands, window.ends(params, "explicit"));
    }

    /** Offsets for each tap, and perhaps a factor; places within one pixel of the picture fade to 0. */
    private static Value deformable(OpenVinoLayerCall call) {
        call.requireInputs(3, 4);
        OpenVinoAttributes attributes = call.attributes();
        if (call.opset() < WITH_FADING || !attributes.flag("bilinear_interpolation_pad", false)) {
            throw call.unsupportedUse("a picture that ends sharply (bilinear_interpolation_pad=false)");
        }
        OpenVinoWindow window = new OpenVinoWindow(call, 2);
        if (window.mode().startsWith("SAME")) {
            throw attributes.unsupported("auto_pad");
        }
        long offsetGroup = attributes.integer("deformable_group", 1);
        requireOffsets(call, window, offsetGroup);
        Params params = new Params()
                .put("strides", window.strides())
                .put("dilations", window.dilations())
                .put("pads", window.mode().equals("VALID") ? new long[4] : window.beginsAndEnds())
                .put("group", attributes.integer("group", 1))
                .put("offset_group", offsetGroup);
        List<Value> operands = new ArrayList<>(List.of(call.input(0), call.input(2), call.input(1)));
        if (call.inputCount() == 4) {
            operands.add(Value.NONE);
            operands.add(call.input(3));
        }
        return call.last("DeformConv", operands, params);
    }

    /** Refuses offsets that are not those of the places of the window. */
    private static void requireOffsets(OpenVinoLayerCall call, OpenVinoWindow window, long groups) {
        Shape x = call.input(0).shape();
        Shape offsets = call.input(1).shape();
        Shape weights = call.input(2).shape();
        if (!x.isKnown() || !offsets.isKnown() || !weights.isKnown()) {
            return;
        }
        if (x.rank() != 4 || offsets.rank() != 4 || weights.rank() != 4) {
            throw call.malformed("it takes a picture, offsets and filters of 4 axes, but is given " + x + ", " + offsets
                    + " and " + weights);
        }
        boolean fits = groups >= 1 && offsets.size(1) / groups == 2 * weights.size(2) * weights.size(3);
        for (int i = 0; i < 2; i++) {
            fits &= offsets.size(2 + i) == window.count(i, x.size(2 + i), weights.size(2 + i));
        }
        if (!fits) {
            throw call.malformed("its offsets " + offsets + " are not those of filters " + weights + " on " + x
                    + " with " + window + " and deformable_group=" + groups);
        }
    }
}
