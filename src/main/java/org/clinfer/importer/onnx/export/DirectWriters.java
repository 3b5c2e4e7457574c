package org.clinfer.importer.onnx.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.clinfer.importer.onnx.DirectOperators;
import org.clinfer.tensor.DType;

/** The operators of {@link DirectOperators}: the parameters that are given become attributes. */
final class DirectWriters {

    /** Has operators for types that earlier ones leave out. */
    private static final int MORE_TYPES = 28;

    private static final int SEARCHES_OF_BFLOAT16 = 24;

    private static final Set<String> ROUNDING = Set.of("Floor", "Ceil", "Round");

    private DirectWriters() {}

    static Map<String, NodeWriter> all() {
        Map<String, NodeWriter> all = new HashMap<>();
        DirectOperators.all().values().forEach(op -> all.put(op.op(), (use, model) -> write(op, use, model)));
        return all;
    }

    private static void write(DirectOperators.Operator op, Use use, ModelWriter model) {
        requireSayable(op, use);
        model.requireOpset(since(op, use));
        List<String> inputs = new ArrayList<>(use.inputs());
        for (DirectOperators.Elements each : op.elements()) {
            while (inputs.size() <= each.input()) {
                inputs.add("");
            }
            inputs.set(each.input(), given(use, model, each, each.input() < op.least()));
        }
        OptionalInt indices = op.indices();
        if (indices.isPresent()) {
            inputs.set(indices.getAsInt(), model.asType(use, indices.getAsInt(), DType.INT64));
        }
        model.add(use, name(op, use), inputs, outputs(op, use, model), attributes(op, use));
    }

    /** Integers are whole already; ONNX does not round them. */
    private static String name(DirectOperators.Operator op, Use use) {
        return ROUNDING.contains(op.name()) && use.isInteger(0) ? "Identity" : op.name();
    }

    private static AttributeWriter attributes(DirectOperators.Operator op, Use use) {
        AttributeWriter attributes = new AttributeWriter();
        for (DirectOperators.Field field : op.fields()) {
            String name = field.name();
            String param = field.param();
            if (use.has(param) || field.kind() == DirectOperators.Kind.SET_FLAG) {
                switch (field.kind()) {
                    case INTEGER -> attributes.put(name, use.integer(param));
                    case FLAG, SET_FLAG, NONZERO -> attributes.put(name, use.flag(param, false));
                    case REAL -> attributes.put(name, use.real(param));
                    case TEXT -> attributes.put(name, use.text(param, ""));
                    case INTEGERS -> attributes.put(name, use.integers(param).orElseThrow());
                }
            } else if (op.byDefault(field).isEmpty()) {
                throw use.missing(param);
            }
        }
        return attributes;
    }

    /** The operator set that has the operator for its types. */
    private static int since(DirectOperators.Operator op, Use use) {
        Optional<DType> dtype = use.knownDtype(0);
        int typed = switch (op.name()) {
            case "BitShift" -> use.dtype(0).isUnsigned() ? 0 : MORE_TYPES;
            case "Celu" -> dtype.filter(DType.FLOAT32::equals).isPresent() ? 0 : MORE_TYPES;
            case "ReverseSequence" -> dtype.filter(DType.BFLOAT16::equals).isPresent() ? MORE_TYPES : 0;
            case "TopK" -> dtype.filter(DType.BFLOAT16::equals).isPresent() ? SEARCHES_OF_BFLOAT16 : 0;
            default -> 0;
        };
        return Math.max(typed, op.since());
    }

    /** ONNX has Python's remainder for integers alone, and sequences along the first two axes. */
    private static void requireSayable(DirectOperators.Operator op, Use use) {
        if (op.realsAlone()) {
            use.requireFloats();
        } else if (op.name().equals("Mod") && !use.isInteger(0) && !use.flag("fmod", false)) {
            throw use.refused("fmod false for elements that are no integers");
        } else if (op.name().equals("ReverseSequence")
                && (use.integer("batch_axis", 1) > 1 || use.integer("time_axis", 0) > 1)) {
            throw use.refused("axes behind the second");
        }
    }

    /** The input that gives a parameter, or the parameter as a vector; no list is as good as an empty one. */
    private static String given(Use use, ModelWriter model, DirectOperators.Elements elements, boolean needed) {
        String param = elements.param();
        boolean isInput = use.hasInput(elements.input());
        if (elements.single() && !isInput) {
            return use.has(param) ? model.vector(use, param, use.integer(param)) : "";
        }
        boolean isEmpty = !isInput && use.integers(param).orElse(new long[0]).length == 0;
        return isEmpty && !needed ? "" : model.integers(use, elements.input(), param);
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
