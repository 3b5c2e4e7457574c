package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;

/** Operators that give the same elements another shape or order, or repeat them. */
final class ShapeWriters {

    private ShapeWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "Reshape", ShapeWriters::reshape,
                "Flatten", ShapeWriters::flatten,
                "Squeeze", ShapeWriters::axes,
                "Unsqueeze", ShapeWriters::axes,
                "Transpose", ShapeWriters::transpose,
                "Expand", (use, model) -> byNumbers(use, model, "Expand", "shape"),
                "DeePhiTile", (use, model) -> byNumbers(use, model, "Tile", "multiples"));
    }

    private static void reshape(Use use, ModelWriter model) {
        Attributes attributes = new Attributes().put("allowzero", use.flag("allow_zero", false));
        model.add(use, "Reshape", List.of(use.input(0), model.integers(use, 1, "shape")), attributes);
    }

    private static void flatten(Use use, ModelWriter model) {
        model.add(use, "Flatten", use.inputs(), new Attributes().put("axis", use.integer("axis", 1)));
    }

    private static void axes(Use use, ModelWriter model) {
        model.add(use, use.op(), List.of(use.input(0), model.axes(use, 1, "axis")), new Attributes());
    }

    private static void transpose(Use use, ModelWriter model) {
        Attributes attributes = new Attributes();
        use.integers("perm").ifPresent(perm -> attributes.put("perm", perm));
        model.add(use, "Transpose", use.inputs(), attributes);
    }

    private static void byNumbers(Use use, ModelWriter model, String op, String param) {
        model.add(use, op, List.of(use.input(0), model.integers(use, 1, param)), new Attributes());
    }
}
