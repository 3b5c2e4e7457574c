package org.clinfer.importer.onnx;

import static java.util.Map.entry;

import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** The experimental operators of ONNX's first versions, which converters of Core ML and WinML still write. */
final class ExperimentalTranslators {

    private ExperimentalTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.ofEntries(
                entry("Affine", ExperimentalTranslators::affine),
                entry("Crop", ExperimentalTranslators::crop),
                entry("ImageScaler", ExperimentalTranslators::imageScaler),
                entry("ParametricSoftplus", ExperimentalTranslators::parametricSoftplus),
                entry("Scale", ExperimentalTranslators::scale),
                entry("ScaledTanh", ExperimentalTranslators::scaledTanh));
    }

    private static String scalar(OnnxNode node, Steps steps, String attribute, double otherwise) {
        return steps.scalar(steps.dtype(node.input(0)), node.real(attribute, (float) otherwise));
    }

    private static void affine(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String product = steps.add("Mul", node.input(0), scalar(node, steps, "alpha", 1));
        steps.last("Add", product, scalar(node, steps, "beta", 0));
    }

    private static void scale(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        steps.last("Mul", node.input(0), scalar(node, steps, "scale", 1));
    }

    private static void scaledTanh(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String inner = steps.add("Mul", node.input(0), scalar(node, steps, "beta", 1));
        steps.last("Mul", steps.add("Tanh", inner), scalar(node, steps, "alpha", 1));
    }

    private static void parametricSoftplus(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String inner = steps.add("Mul", node.input(0), scalar(node, steps, "beta", 1));
        steps.last("Mul", steps.add("Softplus", inner), scalar(node, steps, "alpha", 1));
    }

    /** A factor, and an addend for each channel. */
    private static void imageScaler(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        double[] addends = node.reals("bias").orElse(new double[] {0});
        String product = steps.add("Mul", node.input(0), scalar(node, steps, "scale", 1));
        steps.last("Add", product, steps.constant(MlAttributes.tensor(dtype, addends, addends.length, 1, 1)));
    }

    /** The border is left, top, right and bottom; with {@code scale} the size stands there and right and bottom do not count. */
    private static void crop(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        long[] border = node.requiredIntegers("border");
        long[] size = node.integers("scale").orElse(new long[0]);
        if (border.length != 4 || (size.length != 0 && size.length != 2)) {
            throw node.malformed("border must be 4 numbers and scale 2");
        }
        boolean isSized = size.length == 2;
        long bottom = isSized ? border[1] + size[0] : border[3] == 0 ? Long.MAX_VALUE : -border[3];
        long right = isSized ? border[0] + size[1] : border[2] == 0 ? Long.MAX_VALUE : -border[2];
        Params params = new Params()
                .put("starts", new long[] {border[1], border[0]})
                .put("ends", new long[] {bottom, right})
                .put("axes", new long[] {2, 3});
        graph.add(node, "Slice", node.inputs(), params);
    }
}
