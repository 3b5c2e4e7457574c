package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;

/** Conv2dTranspose, ConvTranspose and Deconvolution. */
final class TransposedConvolutionWriters {

    private TransposedConvolutionWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "Conv2dTranspose", TransposedConvolutionWriters::transposed,
                "ConvTranspose", TransposedConvolutionWriters::transposed,
                "Deconvolution", TransposedConvolutionWriters::deconvolution);
    }

    private static void transposed(Use use, ModelWriter model) {
        use.requireFloats();
        use.ignore("bias_term", "kernel_size"); // both follow from the inputs
        use.ignore("ceil_mode"); // the output has the same size whatever it says
        boolean last = use.text("data_format", "NCX").equals("NXC");
        String weights = use.input(1);
        if (use.text("weights_format", "IOX").equals("XOI")) {
            int rank = use.rank(1);
            int[] perm = IntStream.range(0, rank)
                    .map(axis -> axis < 2 ? rank - 1 - axis : axis - 2)
                    .toArray();
            weights = model.permuted(use, weights, perm);
        }
        AttributeWriter attributes = new AttributeWriter().put("group", use.integer("group", 1));
        putSizes(use, attributes);
        if (!last) {
            model.add(use, "ConvTranspose", List.of(use.input(0), weights, use.input(2)), attributes);
            return;
        }
        int rank = use.rank(1);
        String x = ChannelsLast.toSecond(use, model, use.input(0), rank);
        String y = model.step(use, "ConvTranspose", List.of(x, weights, use.input(2)), attributes);
        ChannelsLast.addFromSecond(use, model, y, rank);
    }

    /** The padding as it is found from the sizes, where these are known: readers of {@code auto_pad} differ. */
    private static void putSizes(Use use, AttributeWriter attributes) {
        Optional<Binding> bound = use.binding().filter(TransposedConvolutionWriters::knowsPads);
        boolean given = use.text("pad_mode", "PADDING").equals("PADDING") && !use.has("output_shape");
        if (bound.isEmpty() || given) {
            if (use.has("output_shape")) {
                throw use.refused("output_shape and an input whose sizes are not known");
            }
            WindowWriter.put(use, attributes);
            use.integers("output_padding").ifPresent(extra -> attributes.put("output_padding", extra));
            return;
        }
        use.ignore("output_shape", "padding", "pad_mode", "strides", "dilation", "output_padding");
        Binding binding = bound.get();
        long[] pads = binding.integers("pads");
        long[] extra = binding.integers("output_padding");
        for (int axis = 0; axis < extra.length; axis++) {
            long end = pads[2 * axis + 1];
            extra[axis] -= Math.min(end, 0);
            pads[2 * axis + 1] = Math.max(end, 0);
        }
        attributes
                .put("strides", binding.integers("strides"))
                .put("dilations", binding.integers("dilation"))
                .put("pads", WindowWriter.beginsThenEnds(pads))
                .put("output_padding", extra);
    }

    private static boolean knowsPads(Binding binding) {
        return binding.value("pads") instanceof ExpressionValue.ListOf list
                && list.elements().stream().allMatch(ExpressionValue.Int.class::isInstance);
    }

    private static void deconvolution(Use use, ModelWriter model) {
        use.requireFloats();
        use.ignore("stride", "stride_h", "stride_w", "pad", "pad_h", "pad_w", "dilation");
        Binding binding = use.binding().orElseThrow(() -> use.refused("an input or weights whose sizes are not known"));
        long[] pads = binding.integers("pads");
        AttributeWriter attributes = new AttributeWriter()
                .put("group", use.integer("group", 1))
                .put("strides", binding.integers("strides"))
                .put("dilations", binding.integers("dilations"))
                .put("pads", new long[] {pads[0], pads[1], pads[0], pads[1]});
        model.add(use, "ConvTranspose", List.of(use.input(0), use.input(1), use.input(2)), attributes);
    }
}
