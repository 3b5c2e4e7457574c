package org.clinfer.importer.onnx.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Sums. */
final class BroadcastWriters {

    private BroadcastWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of("Sum", (use, model) -> sum(use, model, use.inputs()), "Eltwise", BroadcastWriters::eltwise);
    }

    private static void eltwise(Use use, ModelWriter model) {
        int count = use.inputs().size();
        long[] factors = use.integers("alpha")
                .orElse(LongStream.generate(() -> 1).limit(count).toArray());
        if (factors.length != count) {
            throw use.refused(factors.length + " coefficients for " + count + " inputs");
        }
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String x = use.input(i);
            terms.add(
                    factors[i] == 1
                            ? x
                            : model.step(use, "Mul", x, model.scalar(use, (double) factors[i], use.dtype(0))));
        }
        sum(use, model, terms);
    }

    /** ONNX's Sum takes floating types alone; others are added one by one. */
    private static void sum(Use use, ModelWriter model, List<String> terms) {
        if (!use.isInteger(0) || terms.size() == 1) {
            model.add(use, terms.size() == 1 ? "Identity" : "Sum", terms, new AttributeWriter());
            return;
        }
        String sum = terms.get(0);
        for (int i = 1; i < terms.size() - 1; i++) {
            sum = model.step(use, "Add", sum, terms.get(i));
        }
        model.add(use, "Add", List.of(sum, terms.get(terms.size() - 1)), new AttributeWriter());
    }
}
