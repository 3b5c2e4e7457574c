package org.clinfer.importer.onnx.export;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.Tensor;

/** Operators that join, cut or pad along axes. */
final class SelectionWriters {

    /** The first with Pad's mode wrap. */
    private static final int WRAP = 19;

    private SelectionWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "Concat", SelectionWriters::concat,
                "Split", SelectionWriters::split,
                "Pad", SelectionWriters::pad);
    }

    private static void concat(Use use, ModelWriter model) {
        model.add(use, "Concat", use.inputs(), new AttributeWriter().put("axis", use.integer("axis", 1)));
    }

    private static void split(Use use, ModelWriter model) {
        use.ignore("num_outputs"); // as many as the node has
        AttributeWriter attributes = new AttributeWriter().put("axis", use.integer("axis", 0));
        String sizes = model.integers(use, 1, "split");
        if (sizes.isEmpty()) {
            attributes.put("num_outputs", (long) use.outputs().size());
        }
        List<String> outputs = use.outputs().stream()
                .map(name -> name.isEmpty() ? model.freshName(use.name() + "/unused") : name)
                .toList();
        model.add(use, "Split", List.of(use.input(0), sizes), outputs, attributes);
    }

    private static void pad(Use use, ModelWriter model) {
        String mode = use.text("mode", "CONSTANT");
        if (mode.equals("SYMMETRIC")) {
            throw use.refused("mode SYMMETRIC");
        } else if (mode.equals("WRAP")) {
            model.requireOpset(WRAP);
        }
        Optional<long[]> byAxis = use.integers("pad_with");
        String widths = byAxis.isPresent()
                ? model.vector(use, "pads", WindowWriter.beginsThenEnds(byAxis.get()))
                : model.integers(use, 1, "pads");
        String axes = byAxis.isPresent() ? "" : model.integers(use, 3, "axes");
        String value = mode.equals("CONSTANT") ? padding(use, model) : "";
        use.ignore("axes", "pads", "constant_value", "constant_values"); // other modes need no constant
        AttributeWriter attributes = new AttributeWriter().put("mode", mode.toLowerCase(Locale.ROOT));
        model.add(use, "Pad", List.of(use.input(0), widths, value, axes), attributes);
    }

    /** A scalar of the type of the input; {@code ""} for 0. */
    private static String padding(Use use, ModelWriter model) {
        Optional<double[]> many = use.reals("constant_values");
        if (many.isPresent() && Arrays.stream(many.get()).distinct().count() > 1) {
            throw use.refused("several constant_values");
        }
        if (many.isEmpty() && use.hasInput(2)) {
            Optional<Tensor> constant = model.constant(use.input(2));
            return constant.isPresent() && constant.get().elements() == 1
                    ? scalar(use, model, constant.get().getDouble(0))
                    : model.asType(use, 2, use.dtype(0));
        }
        double one = many.filter(values -> values.length > 0)
                .map(values -> values[0])
                .orElseGet(() -> use.real("constant_value", 0));
        return one == 0 ? "" : scalar(use, model, one);
    }

    /** Truncated where the elements are integers. */
    private static String scalar(Use use, ModelWriter model, double value) {
        double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
        return model.scalar(use, use.isInteger(0) ? whole : value, use.dtype(0));
    }
}
