package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** AffineGrid: the coordinates of a picture's pixels between -1 and 1, moved by a matrix for each picture. */
final class AffineGrid {

    private final OnnxNode node;
    private final Steps steps;
    private final boolean aligned;

    AffineGrid(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        this.node = node;
        this.steps = new Steps(node, graph);
        this.aligned = node.flag("align_corners", false);
    }

    void translate() {
        String theta = node.input(0);
        DType dtype = steps.dtype(theta);
        long axes = steps.knownSize(theta, 1)
                .orElseThrow(() -> node.unsupportedUse("a theta whose shape is not known beforehand"));
        if (axes != 2 && axes != 3) {
            throw node.malformed("theta must have 2 or 3 rows for each picture, but has " + axes);
        }
        String sizes = steps.cast(node.input(1), DType.INT64);
        String spatial = steps.slice(sizes, 0, 2, axes + 2);
        String each = steps.concat(List.of(spatial, steps.vector(1)));
        List<String> parts = new ArrayList<>();
        for (long axis = axes - 1; axis >= 0; axis--) {
            String size = steps.add("Gather", new Params().put("axis", 0L), spatial, steps.whole(axis));
            String coordinates = steps.cast(coordinates(size, axes - axis), dtype);
            parts.add(steps.add("Expand", coordinates, each));
        }
        parts.add(steps.add("Expand", steps.scalar(dtype, 1), each));
        String pixels = steps.add("Concat", new Params().put("axis", -1L), parts.toArray(new String[0]));
        String rows = steps.add("Reshape", pixels, steps.vector(-1, axes + 1));
        String moved = steps.add("MatMul", rows, steps.transposed(theta, 0, 2, 1));
        String batch = steps.slice(sizes, 0, 0, 1);
        steps.last("Reshape", moved, steps.concat(List.of(batch, spatial, steps.vector(axes))));
    }

    /** From -1 to 1 with so many axes of 1 behind: the middles of the first and last pixel, or their outer edges; 0 for one pixel alone. */
    private String coordinates(String size, long behind) {
        String numbers = steps.cast(steps.range(size, behind), DType.FLOAT64);
        String count = steps.cast(size, DType.FLOAT64);
        String one = steps.scalar(DType.FLOAT64, 1);
        String two = steps.scalar(DType.FLOAT64, 2);
        String twice = steps.add("Mul", numbers, two);
        if (aligned) {
            // an axis of one pixel has it in the middle
            String last = steps.add("Sub", count, one);
            String start = steps.add("Min", last, one);
            return steps.add("Sub", steps.add("Div", twice, steps.add("Max", last, one)), start);
        }
        return steps.add("Sub", steps.add("Div", steps.add("Add", twice, one), count), one);
    }
}
