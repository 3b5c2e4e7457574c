package org.clinfer.conformance;

import java.util.Map;
import org.clinfer.conformance.Inexpressible.Reason;

/** Softmax and LogSoftmax. */
final class NormalizationTranslations {

    private NormalizationTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "Softmax", Translation.single((call, graph) -> softmax("Softmax", call, graph)),
                "LogSoftmax", Translation.single((call, graph) -> softmax("LogSoftmax", call, graph)));
    }

    /** Before operator set 13, all axes from {@code axis} on counted as one. */
    private static String softmax(String op, OracleCall call, OnnxGraph graph) {
        if (call.dims(0).length == 0) {
            throw new Inexpressible(Reason.RANK_REFUSED);
        }
        if (call.params().flag("flatten", false)) {
            graph.opset(12);
        }
        return graph.step(op, call.input(0)).withIntegers(call.params(), "axis").out();
    }
}
