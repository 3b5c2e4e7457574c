package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** Transposed convolutions; their kernels are {@code [spatial..., out, in]}. */
final class TransposedConvolutionLayers {

    private TransposedConvolutionLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        for (int spatial = 1; spatial <= 3; spatial++) {
            int axes = spatial;
            all.one("Conv" + axes + "DTranspose", call -> translate(call, axes));
            all.one("Convolution" + axes + "DTranspose", call -> translate(call, axes));
        }
    }

    private static Value translate(TfjsLayerCall call, int spatial) {
        call.config().require("filters", "kernel_size");
        int rank = spatial + 2;
        Value x = call.input(rank);
        String name = call.weightName("kernel", 0);
        Tensor kernel = call.weight(name, rank);
        TfjsConvolutionLayers.requireKernel(call, kernel, spatial);
        TfjsConvolutionLayers.requireSize(call, "filters", kernel, spatial);
        if (call.config().integer("groups", 1) != 1) {
            throw call.unsupportedUse("groups");
        }
        Optional<Value> bias = TfjsConvolutionLayers.bias(call, 1);
        Params params = params(call, spatial);
        List<Value> operands = new ArrayList<>(List.of(x, call.shared(name, () -> kernel)));
        bias.ifPresent(operands::add);
        return TfjsActivations.fused(call, call.add("ConvTranspose", operands, params));
    }

    /**
     * The part of the full result that is cut away does not depend on the size of the input, so that padding says it: of the
     * effective kernel k and the stride s, the output {@code in * s} of {@code same} leaves k - s, half of it in front, and
     * {@code valid} cuts nothing and is {@code in * s} long at least. With an output padding p, {@code same} pads k / 2 on
     * both sides.
     */
    private static Params params(TfjsLayerCall call, int spatial) {
        TfjsFields config = call.config();
        long[] strides = config.perAxis("strides", spatial, 1).orElse(TfjsConvolutionLayers.ones(spatial));
        long[] dilations = config.perAxis("dilation_rate", spatial, 1).orElse(TfjsConvolutionLayers.ones(spatial));
        long[] kernel = config.perAxis("kernel_size", spatial, 1).orElseThrow();
        Optional<long[]> extra = config.perAxis("output_padding", spatial, 0);
        boolean same = config.choice("padding", "valid", "same").equals("same");
        long[] padding = new long[2 * spatial];
        long[] outputPadding = new long[spatial];
        for (int axis = 0; axis < spatial; axis++) {
            long effective = (kernel[axis] - 1) * dilations[axis] + 1;
            long cut = same ? effective - strides[axis] : Math.min(effective - strides[axis], 0);
            if (extra.isPresent()) {
                cut = (same ? effective / 2 * 2 : 0) - extra.get()[axis];
            }
            padding[2 * axis] = Math.max(cut, 0) / 2;
            padding[2 * axis + 1] = Math.max(cut, 0) - padding[2 * axis];
            outputPadding[axis] = Math.max(-cut, 0);
        }
        return new Params()
                .put("data_format", call.isChannelsFirst() ? "NCX" : "NXC")
                .put("weights_format", "XOI")
                .put("strides", strides)
                .put("dilation", dilations)
                .put("padding", padding)
                .put("output_padding", outputPadding);
    }
}
