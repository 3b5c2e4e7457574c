package org.clinfer.importer.onnx.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.clinfer.importer.onnx.DirectOperators;
import org.clinfer.tensor.DType;

/** The operators of {@link DirectOperators}: the parameters that are given become attributes. */
final class DirectWriters {

    private static final int SHIFTS_WITH_SIGNS = 28;

    private DirectWriters() {}

    static Map<String, NodeWriter> all() {
        Map<String, NodeWriter> all = new HashMap<>();
        DirectOperators.all().values().forEach(op -> all.put(op.name(), (use, model) -> write(op, use, model)));
        return all;
    }

    private static void write(DirectOperators.Operator op, Use use, ModelWriter model) {
        model.requireOpset(since(op, use));
        List<String> inputs = new ArrayList<>(use.inputs());
        op.given().forEach((param, place) -> {
            while (inputs.size() <= place) {
                inputs.add("");
            }
            inputs.set(place, given(use, model, place, param));
        });
        requireSayable(op, use);
        OptionalInt indices = op.indices();
        if (indices.isPresent()) {
            inputs.set(indices.getAsInt(), model.asType(use, indices.getAsInt(), DType.INT64));
        }
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
        model.add(use, op.name(), inputs, outputs(op, use, model), attributes);
    }

    /** The operator set that has the operator for its types. */
    private static int since(DirectOperators.Operator op, Use use) {
        boolean signed = op.name().equals("BitShift") && !use.dtype(0).isUnsigned();
        return signed ? SHIFTS_WITH_SIGNS : op.since();
    }

    /** ONNX has Python's remainder for integers alone, and sequences along the first two axes. */
    private static void requireSayable(DirectOperators.Operator op, Use use) {
        if (op.name().equals("Mod") && !use.isInteger(0) && !use.flag("fmod", false)) {
            throw use.refused("fmod false for elements that are no integers");
        } else if (op.name().equals("ReverseSequence")
                && (use.integer("batch_axis", 1) > 1 || use.integer("time_axis", 0) > 1)) {
            throw use.refused("axes behind the second");
        }
    }

    /** The input that gives a parameter, or the parameter as a vector of one. */
    private static String given(Use use, ModelWriter model, int input, String param) {
        if (use.hasInput(input)) {
            use.ignore(param);
            return model.asType(use, input, DType.INT64);
        }
        return use.has(param) ? model.vector(use, param, use.integer(param)) : "";
    }

    /** ONNX has no TopK without the places. */
    private static List<String> outputs(DirectOperators.Operator op, Use use, ModelWriter model) {
        List<String> outputs = new ArrayList<>(use.outputs());
        while (op.name().equals("TopK") && outputs.size() < 2) {
            outputs.add(model.freshName(use.name() + "/unused"));
        }
        return outputs;
    }
}
