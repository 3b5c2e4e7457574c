package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;

/** Softmax and LogSoftmax. */
final class NormalizationWriters {

    private NormalizationWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of("Softmax", NormalizationWriters::softmax, "LogSoftmax", NormalizationWriters::softmax);
    }

    private static void softmax(Use use, ModelWriter model) {
        long axis = use.integer("axis", -1);
        if (!use.flag("flatten", false) || isLast(use, axis)) {
            model.add(use, use.op(), use.inputs(), new AttributeWriter().put("axis", axis));
            return;
        }
        String rows = model.step(use, "Flatten", use.inputs(), new AttributeWriter().put("axis", axis));
        String result = model.step(use, use.op(), List.of(rows), new AttributeWriter().put("axis", -1L));
        String shape = model.step(use, "Shape", use.input(0));
        model.add(use, "Reshape", List.of(result, shape), new AttributeWriter());
    }

    private static boolean isLast(Use use, long axis) {
        return axis == -1
                || use.shape(0).filter(shape -> axis == shape.rank() - 1).isPresent();
    }
}
