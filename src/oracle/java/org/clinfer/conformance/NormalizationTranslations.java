package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.conformance.Inexpressible.Reason;

/** Normalisations and softmax. */
final class NormalizationTranslations {

    private NormalizationTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "BatchNorm", Translation.single((call, graph) -> normalization("BatchNormalization", call, graph)),
                "InstanceNorm",
                        Translation.single((call, graph) -> normalization("InstanceNormalization", call, graph)),
                "LayerNorm", NormalizationTranslations::layerNorm,
                "RmsNorm", Translation.single(NormalizationTranslations::rmsNorm),
                "Lrn", Translation.single(NormalizationTranslations::lrn),
                "Softmax", Translation.single((call, graph) -> softmax("Softmax", call, graph)),
                "LogSoftmax", Translation.single((call, graph) -> softmax("LogSoftmax", call, graph)));
    }

    private static String normalization(String op, OracleCall call, OnnxGraph graph) {
        if (IntStream.range(0, call.params().inputs()).anyMatch(i -> call.type(i) != call.type(0))) {
            throw new Inexpressible(Reason.SEVERAL_TYPES);
        }
        return graph.step(op, call.inputs()).withReals(call.params(), "epsilon").out();
    }

    private static List<String> layerNorm(OracleCall call, OnnxGraph graph) {
        return graph.step("LayerNormalization", call.inputs())
                .withIntegers(call.params(), "axis")
                .withReals(call.params(), "epsilon")
                .out(call.params().outputs());
    }

    private static String rmsNorm(OracleCall call, OnnxGraph graph) {
        graph.opset(23);
        return graph.step("RMSNormalization", call.inputs())
                .withIntegers(call.params(), "axis")
                .withReals(call.params(), "epsilon")
                .out();
    }

    private static String lrn(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        if (params.integer("size", 1) % 2 == 0 || params.real("alpha", 1) <= 0 || params.real("beta", 1) <= 0) {
            throw new Inexpressible(Reason.VALUE_REFUSED);
        }
        if (call.dims(0).length != 4) {
            throw new Inexpressible(Reason.RANK_REFUSED);
        }
        return graph.step("LRN", call.inputs())
                .withIntegers(params, "size")
                .withReals(params, "alpha", "beta", "bias")
                .out();
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
