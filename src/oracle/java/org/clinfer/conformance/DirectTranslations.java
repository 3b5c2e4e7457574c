package org.clinfer.conformance;

import java.util.Map;
import java.util.TreeMap;
import org.clinfer.importer.onnx.DirectOperators;

/** Operators that ONNX has under the same name, with the same inputs and attributes. */
final class DirectTranslations {

    private DirectTranslations() {}

    static Map<String, Translation> all() {
        Map<String, Translation> all = new TreeMap<>();
        DirectOperators.all()
                .values()
                .forEach(op -> all.put(op.name(), (call, graph) -> {
                    OnnxGraph.Step step = graph.step(op.name(), call.inputs());
                    for (DirectOperators.Field field : op.fields()) {
                        if (call.params().has(field.name())) {
                            put(step, field, call.params());
                        }
                    }
                    return step.out(call.params().outputs());
                }));
        return all;
    }

    private static void put(OnnxGraph.Step step, DirectOperators.Field field, Call params) {
        String name = field.name();
        switch (field.kind()) {
            case INTEGER -> step.with(name, params.integer(name, 0));
            case FLAG -> step.with(name, params.flag(name, false));
            case REAL -> step.with(name, params.real(name, 0));
            case TEXT -> step.with(name, params.text(name, ""));
            case INTEGERS -> step.with(name, params.ints(name));
        }
    }
}
