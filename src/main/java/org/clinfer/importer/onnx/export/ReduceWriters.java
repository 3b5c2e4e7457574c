package org.clinfer.importer.onnx.export;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Mean and the reductions. */
final class ReduceWriters {

    private static final List<String> OPERATORS = List.of(
            "ReduceSum",
            "ReduceMax",
            "ReduceMin",
            "ReduceProd",
            "ReduceL1",
            "ReduceL2",
            "ReduceSumSquare",
            "ReduceLogSum",
            "ReduceLogSumExp");

    private ReduceWriters() {}

    static Map<String, NodeWriter> all() {
        Map<String, NodeWriter> all = new HashMap<>();
        OPERATORS.forEach(op -> all.put(op, (use, model) -> reduce(use, model, op)));
        all.put("Mean", ReduceWriters::mean);
        return all;
    }

    /** A mean of integers is rounded, which ONNX leaves open. */
    private static void mean(Use use, ModelWriter model) {
        use.requireFloats();
        reduce(use, model, "ReduceMean");
    }

    private static void reduce(Use use, ModelWriter model, String op) {
        Attributes attributes = new Attributes()
                .put("keepdims", use.flag("keep_dims", false))
                .put("noop_with_empty_axes", use.flag("noop_with_empty_axis", false));
        model.add(use, op, List.of(use.input(0), model.axes(use, 1, "axis")), attributes);
    }
}
