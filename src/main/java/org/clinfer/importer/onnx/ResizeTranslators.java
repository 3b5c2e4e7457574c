package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;

/** Resize, and Upsample as it was called before. */
final class ResizeTranslators {

    private ResizeTranslators() {}

    static Map<String, Translator> all() {
        return Map.of("Resize", ResizeTranslators::resize, "Upsample", ResizeTranslators::upsample);
    }

    private static void resize(OnnxNode node, GraphWriter graph) {
        if (node.opset() < 11) {
            node.requireInputs(2, 2);
            byScales(node, graph);
            return;
        }
        node.requireInputs(1, 4);
        String coordinates = node.text("coordinate_transformation_mode", "half_pixel");
        Params params = new Params()
                .put("mode", node.text("mode", "nearest"))
                .put("coordinate_mode", coordinates)
                .put("nearest_mode", node.text("nearest_mode", "round_prefer_floor"))
                .put("cubic_coeff_a", node.real("cubic_coeff_a", -0.75f))
                .put("exclude_outside", node.flag("exclude_outside", false))
                .put("extrapolation_value", node.real("extrapolation_value", 0))
                .put("antialias", node.flag("antialias", false))
                .put("keep_aspect_ratio_policy", node.text("keep_aspect_ratio_policy", "stretch"));
        node.integers("axes").ifPresent(axes -> params.put("axes", axes));
        String roi = coordinates.equals("tf_crop_and_resize") ? node.optionalInput(1) : "";
        List<String> inputs = List.of(node.input(0), roi, node.optionalInput(2), node.optionalInput(3));
        graph.add(node, "Resize", inputs, params);
    }

    private static void upsample(OnnxNode node, GraphWriter graph) {
        if (node.has("scales")) {
            node.requireInputs(1, 1);
            double[] scales = node.reals("scales").orElseThrow();
            addLegacy(node, graph, List.of(node.input(0)), Optional.of(scales));
        } else if (node.opset() < 7) {
            node.requireInputs(1, 1);
            double[] scales = {1, 1, node.real("height_scale"), node.real("width_scale")};
            addLegacy(node, graph, List.of(node.input(0)), Optional.of(scales));
        } else {
            node.requireInputs(2, 2);
            byScales(node, graph);
        }
    }

    private static void byScales(OnnxNode node, GraphWriter graph) {
        addLegacy(node, graph, List.of(node.input(0), "", node.input(1)), Optional.empty());
    }

    /**
     * The operator before the modes of operator set 11: output pixel {@code i} is at {@code i / scale}; nearest takes
     * the pixel below where an image grows, and above where it shrinks.
     */
    private static void addLegacy(OnnxNode node, GraphWriter graph, List<String> inputs, Optional<double[]> scales) {
        String mode = node.text("mode", "nearest");
        Params params = new Params()
                .put("mode", mode.equals("bilinear") ? "linear" : mode)
                .put("coordinate_mode", "asymmetric")
                .put("nearest_mode", "simple");
        scales.ifPresent(values -> params.put("scales", values));
        graph.add(node, "Resize", inputs, params);
    }
}
