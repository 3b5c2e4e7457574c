package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;

/** Normalizations, Lrn, Softmax and LogSoftmax. */
final class NormalizationWriters {

    private static final double EPSILON = 1e-5;

    /** The first with RMSNormalization. */
    private static final int RMS = 23;

    private NormalizationWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "BatchNorm", (use, model) -> byChannel(use, model, "BatchNormalization"),
                "InstanceNorm", (use, model) -> byChannel(use, model, "InstanceNormalization"),
                "LayerNorm", NormalizationWriters::layerNorm,
                "RmsNorm", NormalizationWriters::rmsNorm,
                "Lrn", NormalizationWriters::lrn,
                "Softmax", NormalizationWriters::softmax,
                "LogSoftmax", NormalizationWriters::softmax);
    }

    private static void byChannel(Use use, ModelWriter model, String op) {
        model.add(use, op, use.inputs(), new Attributes().put("epsilon", use.real("epsilon", EPSILON)));
    }

    private static Attributes rows(Use use) {
        return new Attributes().put("axis", use.integer("axis", -1)).put("epsilon", use.real("epsilon", EPSILON));
    }

    private static void layerNorm(Use use, ModelWriter model) {
        model.add(use, "LayerNormalization", use.inputs(), use.outputs(), rows(use));
    }

    private static void rmsNorm(Use use, ModelWriter model) {
        model.requireOpset(RMS);
        model.add(use, "RMSNormalization", use.inputs(), rows(use));
    }

    private static void lrn(Use use, ModelWriter model) {
        Attributes attributes = new Attributes()
                .put("size", use.integer("size"))
                .put("alpha", use.real("alpha", 1e-4))
                .put("beta", use.real("beta", 0.75))
                .put("bias", use.real("bias", 1));
        model.add(use, "LRN", use.inputs(), attributes);
    }

    private static void softmax(Use use, ModelWriter model) {
        long axis = use.integer("axis", -1);
        if (!use.flag("flatten", false) || isLast(use, axis)) {
            model.add(use, use.op(), use.inputs(), new Attributes().put("axis", axis));
            return;
        }
        String rows = model.step(use, "Flatten", use.inputs(), new Attributes().put("axis", axis));
        String result = model.step(use, use.op(), List.of(rows), new Attributes().put("axis", -1L));
        String shape = model.step(use, "Shape", use.input(0));
        model.add(use, "Reshape", List.of(result, shape), new Attributes());
    }

    private static boolean isLast(Use use, long axis) {
        return axis == -1
                || use.shape(0).filter(shape -> axis == shape.rank() - 1).isPresent();
    }
}
