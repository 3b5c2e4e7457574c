package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;

/**
 * Operators whose sizes data decide. ONNX gives as many results as there are; here is room for as many as there may be, -1 where
 * there is none, and their number.
 */
final class CountedWriters {

    private CountedWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "NonMaxSuppression", CountedWriters::nonMaxSuppression,
                "NonZero", CountedWriters::nonZero);
    }

    private static void nonMaxSuppression(Use use, ModelWriter model) {
        String param = "max_output_boxes_per_class";
        long given = use.integer(param, 0);
        String most = use.hasInput(2) ? model.asType(use, 2, DType.INT64) : model.vector(use, "most", given);
        List<String> inputs = List.of(
                boxes(use, model, 0),
                boxes(use, model, 1),
                most,
                threshold(use, model, 3, "iou_threshold"),
                threshold(use, model, 4, "score_threshold"));
        AttributeWriter attributes = new AttributeWriter().put("center_point_box", use.flag("center_point_box", false));
        write(use, model, inputs, attributes, 0);
    }

    private static String boxes(Use use, ModelWriter model, int input) {
        if (use.dtype(input) == DType.FLOAT64) {
            throw use.refused("elements of float64");
        }
        return model.asType(use, input, DType.FLOAT32);
    }

    private static String threshold(Use use, ModelWriter model, int input, String param) {
        if (use.hasInput(input)) {
            use.ignore(param);
            return model.asType(use, input, DType.FLOAT32);
        }
        return use.has(param) ? model.reals(use, param, use.real(param)) : "";
    }

    private static void nonZero(Use use, ModelWriter model) {
        if (use.shape(0).filter(shape -> shape.rank() == 0).isPresent()) {
            throw use.refused("a scalar");
        }
        write(use, model, List.of(use.input(0)), new AttributeWriter(), 1);
    }

    /** @param axis along which the results stand, of two */
    private static void write(Use use, ModelWriter model, List<String> inputs, AttributeWriter attributes, int axis) {
        String count = use.outputs().size() > 1 ? use.outputs().get(1) : "";
        boolean isExact = use.output().isEmpty() || model.isCut(use.output(), count, axis);
        String found = isExact ? use.output() : "";
        if (found.isEmpty()) {
            found = model.step(use, use.op(), inputs, attributes);
        } else {
            model.add(use, use.op(), inputs, attributes);
        }
        AttributeWriter size = new AttributeWriter().put("start", (long) axis).put("end", axis + 1L);
        if (count.isEmpty()) {
            count = model.step(use, "Shape", List.of(found), size);
        } else {
            model.add(use, "Shape", List.of(found), List.of(count), size);
        }
        if (!isExact) {
            pad(use, model, found, count, axis);
        }
    }

    private static void pad(Use use, ModelWriter model, String found, String count, int axis) {
        long room = use.knownOutputSize(axis)
                .orElseThrow(() -> use.refused("room for results whose largest number is not known"));
        String left = model.step(use, "Sub", model.vector(use, "room", room), count);
        String zeros = model.vector(use, "zeros", new long[2 + axis]);
        List<String> widths = axis == 0 ? List.of(zeros, left, model.vector(use, "zero", 0)) : List.of(zeros, left);
        String pads = model.step(use, "Concat", widths, new AttributeWriter().put("axis", 0L));
        String value = model.scalar(use, -1, DType.INT64);
        model.add(use, "Pad", List.of(found, pads, value), new AttributeWriter());
    }
}
