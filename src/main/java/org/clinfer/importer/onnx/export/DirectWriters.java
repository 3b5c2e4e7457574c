package org.clinfer.importer.onnx.export;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.onnx.DirectOperators;

/** The operators of {@link DirectOperators}: the parameters that are given become attributes. */
final class DirectWriters {

    private DirectWriters() {}

    static Map<String, NodeWriter> all() {
        Map<String, NodeWriter> all = new HashMap<>();
        DirectOperators.all()
                .values()
                .forEach(op -> all.put(op.name(), (use, model) -> write(op, use, model, use.inputs())));
        return all;
    }

    private static void write(DirectOperators.Operator op, Use use, ModelWriter model, List<String> inputs) {
        model.requireOpset(op.since());
        Attributes attributes = new Attributes();
        for (DirectOperators.Field field : op.fields()) {
            String name = field.name();
            if (use.has(name)) {
                switch (field.kind()) {
                    case INTEGER -> attributes.put(name, use.integer(name));
                    case FLAG -> attributes.put(name, use.flag(name, false));
                    case REAL -> attributes.put(name, use.real(name));
                    case TEXT -> attributes.put(name, use.text(name, ""));
                    case INTEGERS -> attributes.put(name, use.integers(name).orElseThrow());
                }
            }
        }
        model.add(use, op.name(), inputs, use.outputs(), attributes);
    }
}
