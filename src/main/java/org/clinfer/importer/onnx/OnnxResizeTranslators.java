package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Resize, and Upsample as it was called before. */
final class OnnxResizeTranslators {

    private OnnxResizeTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of("Resize", OnnxResizeTranslators::resize, "Upsample", OnnxResizeTranslators::upsample);
    }

    private static void resize(OnnxNode node, OnnxGraphWriter graph) {
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
        add(node, graph, inputs, params);
    }

    /**
     * Weighted sums of integers are computed as real numbers and cut to integers, as ONNX Runtime has them; with {@code
     * antialias} it rounds, as ONNX's reference always does.
     */
    private static void add(OnnxNode node, OnnxGraphWriter graph, List<String> inputs, Params params) {
        Optional<DType> integer = graph.types().of(inputs.get(0)).dtype().filter(DType::isInteger);
        boolean isNearest = node.text("mode", "nearest").equals("nearest");
        if (integer.isEmpty() || isNearest || node.flag("antialias", false)) {
            graph.add(node, "Resize", inputs, params);
            return;
        }
        List<String> reals = new ArrayList<>(inputs);
        reals.set(0, graph.addStep(node, "Cast", inputs.subList(0, 1), new Params().put("to", DType.FLOAT32.label())));
        String resized = graph.addStep(node, "Resize", reals, params);
        if (integer.get().bits() <= Short.SIZE) {
            // a sum of equal numbers that came out a little short is not cut to the number below
            String more = new Steps(node, graph).scalar(DType.FLOAT32, 1 + 0x1p-20);
            resized = graph.addStep(node, "Mul", List.of(resized, more), new Params());
        }
        graph.add(
                node,
                "Cast",
                List.of(resized),
                new Params().put("to", integer.get().label()));
    }

    private static void upsample(OnnxNode node, OnnxGraphWriter graph) {
        if (node.has("scales") || node.opset() == 7) {
            node.requireInputs(1, 1);
            double[] scales = node.requiredReals("scales");
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

    private static void byScales(OnnxNode node, OnnxGraphWriter graph) {
        addLegacy(node, graph, List.of(node.input(0), "", node.input(1)), Optional.empty());
    }

    /**
     * The operator before the modes of operator set 11: output pixel {@code i} is at {@code i / scale}; nearest takes
     * the pixel below where an image grows, and above where it shrinks.
     */
    private static void addLegacy(
            OnnxNode node, OnnxGraphWriter graph, List<String> inputs, Optional<double[]> scales) {
        String mode = node.text("mode", "nearest");
        Params params = new Params()
                .put("mode", mode.equals("bilinear") ? "linear" : mode)
                .put("coordinate_mode", "asymmetric")
                .put("nearest_mode", "simple");
        scales.ifPresent(values -> params.put("scales", values));
        add(node, graph, inputs, params);
    }
}
