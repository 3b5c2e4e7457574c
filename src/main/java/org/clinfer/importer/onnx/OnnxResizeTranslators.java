package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Resize, and Upsample as it was called before. */
final class OnnxResizeTranslators {

    /** The producer that PyTorch's exporters name. */
    private static final String PYTORCH = "pytorch";

    private final boolean isByPyTorch;

    /** @param producer the program that wrote the file, as the file names it */
    OnnxResizeTranslators(String producer) {
        this.isByPyTorch = producer.equals(PYTORCH);
    }

    Map<String, OnnxTranslator> all() {
        return Map.of("Resize", this::resize, "Upsample", OnnxResizeTranslators::upsample);
    }

    private void resize(OnnxNode node, OnnxGraphWriter graph) {
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
        if (isByPyTorch && coordinates.equals("align_corners") && node.hasInput(2) && !node.hasInput(3)) {
            addBySizes(node, graph, params);
            return;
        }
        List<String> inputs = List.of(node.input(0), roi, node.optionalInput(2), node.optionalInput(3));
        add(node, graph, inputs, params);
    }

    /**
     * Aligned corners of the sizes that the scales give. ONNX aligns the ends of the unrounded size, PyTorch those of the
     * size rounded down, and its exporters write the scale all the same.
     */
    private static void addBySizes(OnnxNode node, OnnxGraphWriter graph, Params params) {
        String x = node.input(0);
        Optional<long[]> given = node.integers("axes");
        Map<Long, Long> sizes = graph.constant(node.input(2))
                .map(scales -> scaled(graph.types().of(x), given, scales.toDoubleArray()))
                .orElse(Map.of());
        if (!sizes.isEmpty()) {
            params.put("axes", longs(sizes.keySet())).put("sizes", longs(sizes.values()));
            add(node, graph, List.of(x), params);
            return;
        }
        Steps steps = new Steps(node, graph);
        String shape = given.map(axes -> steps.sizes(x, axes)).orElseGet(() -> steps.shape(x));
        String reals = steps.add("Mul", steps.cast(shape, DType.FLOAT32), node.input(2));
        add(node, graph, List.of(x, "", "", steps.cast(steps.add("Floor", reals), DType.INT64)), params);
    }

    private static long[] longs(Collection<Long> values) {
        return values.stream().mapToLong(value -> value).toArray();
    }

    /** The axes that are scaled with their new sizes; none unless all of them are known. */
    private static Map<Long, Long> scaled(KnownType x, Optional<long[]> given, double[] scales) {
        if (x.rank().isEmpty()) {
            return Map.of();
        }
        int rank = x.rank().getAsInt();
        long[] axes = given.orElseGet(() -> LongStream.range(0, rank).toArray());
        if (axes.length != scales.length) {
            return Map.of();
        }
        Map<Long, Long> sizes = new LinkedHashMap<>();
        for (int i = 0; i < axes.length; i++) {
            if (scales[i] == 1) {
                continue;
            }
            long axis = axes[i] < 0 ? axes[i] + rank : axes[i];
            Optional<Long> size = axis < 0 || axis >= rank ? Optional.empty() : x.size((int) axis);
            if (size.isEmpty() || sizes.containsKey(axes[i])) {
                return Map.of();
            }
            sizes.put(axes[i], (long) ((float) (long) size.get() * (float) scales[i]));
        }
        return sizes;
    }

    /**
     * Linear sums of integers are computed as real numbers and cut to integers, as ONNX Runtime has them; with {@code
     * antialias} it rounds, as ONNX's reference always does, and so do cubic ones, which it has not without.
     */
    private static void add(OnnxNode node, OnnxGraphWriter graph, List<String> inputs, Params params) {
        Optional<DType> integer = graph.types().of(inputs.get(0)).dtype().filter(DType::isInteger);
        boolean isLinear = node.text("mode", "nearest").equals("linear");
        if (integer.isEmpty() || !isLinear || node.flag("antialias", false)) {
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
