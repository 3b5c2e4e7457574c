package org.clinfer.importer.caffe;

import java.util.Arrays;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/**
 * Pooling. The number of windows is rounded up, and a last one that would start in the padding is dropped, but only where there
 * is padding.
 */
final class CaffePoolingLayers {

    /** The number that Caffe adds to a sum of weights so that it is not 0. */
    private static final double TINY = 1.17549435e-38;

    private CaffePoolingLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.several("Pooling", CaffePoolingLayers::translate);
    }

    private static List<Value> translate(CaffeLayerCall call) {
        CaffeFields params = call.params("pooling_param");
        params.ignore("engine");
        Value x = call.input();
        if (x.rank() != 4) {
            throw call.malformed("its bottom must have 4 axes, but has " + x.rank());
        }
        String method = params.choice("pool", "MAX", "MAX", "AVE", "STOCHASTIC", "AVE_EXC_PAD");
        if (call.layer().tops().size() > 1) {
            return MaskedPools.pool(call, params, x);
        }
        Params windows = params.flag("global_pooling", false) ? global(params) : windows(params, method);
        return List.of(
                switch (method) {
                    case "MAX" -> call.add("MaxPool", List.of(x), windows);
                    case "AVE" -> call.add("AvgPool", List.of(x), windows);
                    case "AVE_EXC_PAD" -> call.add("AvgPool", List.of(x), windows.put("count_include_pad", false));
                    default -> stochastic(call, x, windows);
                });
    }

    private static Params global(CaffeFields params) {
        params.ignore("round_mode", "ceil_mode");
        for (String size : List.of("kernel_size", "kernel_h", "kernel_w")) {
            if (params.size(size, 0, 0) != 0) {
                throw params.wrong(size, "there are no windows with global_pooling");
            }
        }
        if (Arrays.stream(CaffeConvolutionLayers.perAxis(params, "stride", "stride", 2, 1, 1))
                .anyMatch(stride -> stride != 1)) {
            throw params.wrong("stride", "there is none with global_pooling, nor stride_h or stride_w");
        }
        if (Arrays.stream(CaffeConvolutionLayers.perAxis(params, "pad", "pad", 2, 0, 0))
                .anyMatch(pad -> pad != 0)) {
            throw params.wrong("pad", "there is none with global_pooling, nor pad_h or pad_w");
        }
        return new Params().put("is_global", true);
    }

    private static Params windows(CaffeFields params, String method) {
        boolean cutsLast = false;
        long[] kernel = CaffeConvolutionLayers.perAxis(params, "kernel_size", "kernel", 2, 0, 1);
        if (kernel[0] == 0 || kernel[1] == 0) {
            throw params.wrong("kernel_size", "it is missing");
        }
        long[] strides = CaffeConvolutionLayers.perAxis(params, "stride", "stride", 2, 1, 1);
        long[] paddings = CaffeConvolutionLayers.pads(params, 2);
        boolean up =
                params.choice("round_mode", "CEIL", "CEIL", "FLOOR").equals("CEIL") && params.flag("ceil_mode", true);
        boolean clipped = Arrays.stream(paddings).anyMatch(pad -> pad > 0)
                || (strides[0] <= kernel[0] && strides[1] <= kernel[1]);
        if (up && !clipped) {
            // as many windows as rounding up gives, even where the last one is empty
            paddings[1] += strides[0] - 1;
            paddings[3] += strides[1] - 1;
            up = false;
            cutsLast = !method.equals("MAX");
        }
        Params windows = new Params()
                .put("kernel_size", kernel)
                .put("strides", strides)
                .put("padding", paddings)
                .put("ceil_mode", up ? "CEIL" : "FLOOR");
        // a mean is of what the picture has of a window
        return cutsLast ? windows.put("count_include_pad", false) : windows;
    }

    /** The mean that elements chosen with their own size as probability have. */
    private static Value stochastic(CaffeLayerCall call, Value x, Params windows) {
        Value squares = call.add("AvgPool", List.of(call.add("Mul", x, x)), windows);
        Value sums = call.add("AvgPool", List.of(x), windows);
        return call.add("Div", squares, call.add("Add", sums, call.number("tiny", TINY)));
    }
}
