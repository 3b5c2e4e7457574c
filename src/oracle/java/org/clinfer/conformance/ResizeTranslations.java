package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Map;
import org.clinfer.tensor.DType;

/** Resampling. */
final class ResizeTranslations {

    private ResizeTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "Resize", Translation.single(ResizeTranslations::resize),
                "Upsample", Translation.single((call, graph) -> byFactors(call, graph, false)),
                "DeePhiDownsample", Translation.single((call, graph) -> byFactors(call, graph, true)));
    }

    private static String byFactors(OracleCall call, OnnxGraph graph, boolean down) {
        double[] scales = {1, 1, 1, 1};
        long[] factors = call.params().ints("scale", 1, 1);
        for (int i = 0; i < 2; i++) {
            scales[2 + i] = down ? 1.0 / factors[i] : factors[i];
        }
        boolean linear = call.params().text("mode", "BILINEAR").equals("BILINEAR");
        return graph.step("Resize", call.input(0), "", graph.reals(scales))
                .with("mode", linear ? "linear" : "nearest")
                .with("coordinate_transformation_mode", linear ? "half_pixel" : "asymmetric")
                .with("nearest_mode", "floor")
                .out();
    }

    private static String resize(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        if (params.text("nearest_mode", "").equals("simple")) {
            return opset10(call, graph);
        }
        if (params.text("coordinate_mode", "").equals("tf_half_pixel_for_nn")) {
            return opset12(call, graph);
        }
        OnnxGraph.Step step = graph.step(
                "Resize",
                call.input(0),
                reals(call, graph, 1, "roi"),
                reals(call, graph, 2, "scales"),
                call.list(3, "sizes"));
        if (params.has("axes")) {
            step.with("axes", params.ints("axes"));
        }
        if (params.has("antialias")) {
            step.with("antialias", params.flag("antialias", false));
        }
        if (params.has("keep_aspect_ratio_policy")) {
            step.with("keep_aspect_ratio_policy", params.text("keep_aspect_ratio_policy", ""));
        }
        return sampled(step, params).out();
    }

    /** What operator sets 11 and later say in the same way. */
    private static OnnxGraph.Step sampled(OnnxGraph.Step step, Call params) {
        if (params.has("mode")) {
            step.with("mode", params.text("mode", ""));
        }
        if (params.has("coordinate_mode")) {
            step.with("coordinate_transformation_mode", params.text("coordinate_mode", ""));
        }
        if (params.has("nearest_mode")) {
            step.with("nearest_mode", params.text("nearest_mode", ""));
        }
        if (params.has("exclude_outside")) {
            step.with("exclude_outside", params.flag("exclude_outside", false));
        }
        return step.withReals(params, "cubic_coeff_a", "extrapolation_value");
    }

    private static String reals(OracleCall call, OnnxGraph graph, int index, String param) {
        return call.params().has(param) ? graph.reals(call.params().reals(param)) : call.input(index);
    }

    /** The last set with {@code tf_half_pixel_for_nn}; it has no axes. */
    private static String opset12(OracleCall call, OnnxGraph graph) {
        long[] sizes = call.dims(0);
        long[] axes = call.params().ints("axes");
        long[] given = call.params().ints("sizes");
        for (int i = 0; i < axes.length; i++) {
            sizes[Math.toIntExact(axes[i])] = given[i];
        }
        String none = graph.constant(new Array(new long[] {0}, new double[0]), DType.FLOAT32);
        graph.opset(12);
        return sampled(graph.step("Resize", call.input(0), none, none, graph.ints(sizes)), call.params())
                .out();
    }

    /** Operator set 10 knows scales alone. */
    private static String opset10(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        if (!params.text("coordinate_mode", "half_pixel").equals("asymmetric")) {
            throw new Inexpressible(Inexpressible.Reason.SIMPLE_ROUNDING_OF_CENTRES);
        }
        double[] scales = params.reals("scales");
        if (scales.length == 0) {
            long[] in = call.dims(0);
            long[] out = params.ints("sizes");
            scales = Arrays.stream(out).mapToDouble(v -> v).toArray();
            for (int axis = 0; axis < scales.length; axis++) {
                scales[axis] /= in[axis];
            }
        }
        graph.opset(10);
        return graph.step("Resize", call.input(0), graph.reals(scales))
                .with("mode", params.text("mode", "nearest"))
                .out();
    }
}
