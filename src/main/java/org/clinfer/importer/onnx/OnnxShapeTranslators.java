package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;

/** Operators that give the same elements another shape, or repeat them. */
final class OnnxShapeTranslators {

    private OnnxShapeTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "Squeeze", OnnxShapeTranslators::axes,
                "Unsqueeze", OnnxShapeTranslators::axes,
                "Tile", OnnxShapeTranslators::tile,
                "DepthToSpace", OnnxShapeTranslators::depthToSpace,
                "SpaceToDepth", OnnxShapeTranslators::spaceToDepth);
    }

    /** The axes may be one, without an axis of their own. */
    private static void axes(OnnxNode node, OnnxGraphWriter graph) {
        List<String> inputs = new ArrayList<>(node.inputs());
        if (node.hasInput(1) && graph.types().rank(node.input(1)).orElse(1) == 0) {
            Steps steps = new Steps(node, graph);
            inputs.set(1, steps.add("Reshape", node.input(1), steps.vector(-1)));
        }
        DirectTranslators.translate(node, graph, inputs);
    }

    private static void tile(OnnxNode node, OnnxGraphWriter graph) {
        if (node.opset() < 6) {
            throw node.unsupportedUse("tiles and axis of operator set " + node.opset());
        }
        DirectTranslators.translate(node, graph, node.inputs());
    }

    private static void depthToSpace(OnnxNode node, OnnxGraphWriter graph) {
        reorg(node, graph, true);
    }

    private static void spaceToDepth(OnnxNode node, OnnxGraphWriter graph) {
        reorg(node, graph, false);
    }

    private static void reorg(OnnxNode node, OnnxGraphWriter graph, boolean reversed) {
        node.requireInputs(1, 1);
        String order = node.text("mode", "DCR");
        if (!List.of("DCR", "CRD").contains(order)) {
            throw node.unsupportedUse("mode " + order);
        }
        Params params = new Params()
                .put("scale", node.integer("blocksize"))
                .put("reversed", reversed)
                .put("order", order);
        graph.add(node, "Reorg", node.inputs(), params);
    }
}
