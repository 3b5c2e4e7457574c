package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;

/** Operators that give the same elements another shape, or repeat them. */
final class ShapeTranslators {

    private ShapeTranslators() {}

    static Map<String, Translator> all() {
        return Map.of(
                "Flatten", ShapeTranslators::flatten,
                "Reshape", ShapeTranslators::reshape,
                "Squeeze", (node, graph) -> axes(node, graph, false),
                "Unsqueeze", (node, graph) -> axes(node, graph, true),
                "Transpose", ShapeTranslators::transpose,
                "Expand", ShapeTranslators::expand,
                "Tile", ShapeTranslators::tile,
                "DepthToSpace", ShapeTranslators::depthToSpace,
                "SpaceToDepth", ShapeTranslators::spaceToDepth);
    }

    private static void flatten(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        graph.add(node, "Flatten", node.inputs(), new Params().put("axis", node.integer("axis", 1)));
    }

    private static void reshape(OnnxNode node, GraphWriter graph) {
        if (node.opset() < 5) {
            node.requireInputs(1, 1);
            node.ignore("consumed_inputs");
            graph.add(node, "Reshape", node.inputs(), new Params().put("shape", node.requiredIntegers("shape")));
            return;
        }
        node.requireInputs(2, 2);
        graph.add(node, "Reshape", node.inputs(), new Params().put("allow_zero", node.flag("allowzero", false)));
    }

    private static void axes(OnnxNode node, GraphWriter graph, boolean required) {
        Params params = new Params();
        if (node.opset() >= 13) {
            node.requireInputs(required ? 2 : 1, 2);
            if (node.hasInput(1) && graph.types().rank(node.input(1)).orElse(1) == 0) {
                Steps steps = new Steps(node, graph);
                steps.last(node.op(), node.input(0), steps.add("Reshape", node.input(1), steps.vector(-1)));
                return;
            }
        } else {
            node.requireInputs(1, 1);
            if (required || node.has("axes")) {
                params.put("axis", node.requiredIntegers("axes"));
            }
        }
        graph.add(node, node.op(), node.inputs(), params);
    }

    private static void transpose(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Params params = new Params();
        node.integers("perm").ifPresent(perm -> params.put("perm", perm));
        graph.add(node, "Transpose", node.inputs(), params);
    }

    private static void expand(OnnxNode node, GraphWriter graph) {
        node.requireInputs(2, 2);
        graph.add(node, "Expand", node.inputs(), new Params());
    }

    private static void tile(OnnxNode node, GraphWriter graph) {
        if (node.opset() < 6) {
            throw node.unsupportedUse("tiles and axis of operator set " + node.opset());
        }
        node.requireInputs(2, 2);
        graph.add(node, "DeePhiTile", node.inputs(), new Params());
    }

    private static void depthToSpace(OnnxNode node, GraphWriter graph) {
        reorg(node, graph, true);
    }

    private static void spaceToDepth(OnnxNode node, GraphWriter graph) {
        reorg(node, graph, false);
    }

    private static void reorg(OnnxNode node, GraphWriter graph, boolean reversed) {
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
