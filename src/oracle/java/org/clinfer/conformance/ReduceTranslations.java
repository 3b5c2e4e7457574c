package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reductions over axes. */
final class ReduceTranslations {

    private static final List<String> SAME = List.of(
            "ReduceL1",
            "ReduceL2",
            "ReduceLogSum",
            "ReduceLogSumExp",
            "ReduceMax",
            "ReduceMin",
            "ReduceProd",
            "ReduceSum",
            "ReduceSumSquare");

    private ReduceTranslations() {}

    static Map<String, Translation> all() {
        Map<String, Translation> all = new TreeMap<>();
        SAME.forEach(op -> all.put(op, reduce(op)));
        all.put("Mean", reduce("ReduceMean"));
        return all;
    }

    private static Translation reduce(String op) {
        return Translation.single((call, graph) -> graph.step(op, call.input(0), call.list(1, "axis"))
                .with("keepdims", call.params().flag("keep_dims", false))
                .with("noop_with_empty_axes", call.params().flag("noop_with_empty_axis", false))
                .out());
    }
}
