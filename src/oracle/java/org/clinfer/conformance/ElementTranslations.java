package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.clinfer.conformance.Inexpressible.Reason;
import org.clinfer.tensor.DType;

/** Element-wise operators that ONNX says otherwise. */
final class ElementTranslations {

    private ElementTranslations() {}

    static Map<String, Translation> all() {
        Map<String, Translation> all = new TreeMap<>();
        all.put("Gelu", Translation.single(ElementTranslations::gelu));
        all.put("Swish", Translation.single(ElementTranslations::swish));
        all.put("Clip", Translation.single(ElementTranslations::clip));
        all.put(
                "Relu6",
                Translation.single((call, graph) -> graph.step(
                                "Clip", call.input(0), graph.scalar(call.type(0), 0), graph.scalar(call.type(0), 6))
                        .out()));
        all.put("PRelu", Translation.single(ElementTranslations::prelu));
        all.put("Cast", Translation.single(ElementTranslations::cast));
        all.put("Dropout", Translation.single(ElementTranslations::dropout));
        all.put("Eltwise", Translation.single(ElementTranslations::eltwise));
        return all;
    }

    private static String gelu(OracleCall call, OnnxGraph graph) {
        return graph.step("Gelu", call.input(0))
                .with("approximate", call.params().text("approximate", "NONE").toLowerCase(Locale.ROOT))
                .out();
    }

    /** Operator set 24 has it, which ONNX Runtime has not. */
    private static String swish(OracleCall call, OnnxGraph graph) {
        String scaled = graph.step(
                        "Mul",
                        call.input(0),
                        graph.scalar(call.type(0), call.params().real("alpha", 1)))
                .out();
        return graph.step("Mul", call.input(0), graph.step("Sigmoid", scaled).out())
                .out();
    }

    /** ONNX repeats a vector along the last axis. */
    private static String prelu(OracleCall call, OnnxGraph graph) {
        long[] sizes = call.dims(0);
        long[] slope = call.dims(1);
        boolean fits = slope.length == 1 && sizes.length > 2 && slope[0] == sizes[1];
        if (!fits || !call.params().flag("per_channel", true)) {
            return graph.step("PRelu", call.inputs()).out();
        }
        long[] behind = LongStream.range(1, sizes.length - 1).toArray();
        String slopes =
                graph.step("Unsqueeze", call.input(1), graph.ints(behind)).out();
        return graph.step("PRelu", call.input(0), slopes).out();
    }

    private static String cast(OracleCall call, OnnxGraph graph) {
        DType to = DType.of(call.params().text("to", "")).orElseThrow();
        if (!to.isGeneral()) {
            throw new Inexpressible(Reason.NOT_IMPLEMENTED); // of codes there are public recordings
        }
        boolean whole = to.isInteger() && call.type(0).isFloating();
        if (whole && !Arrays.stream(call.values(0)).allMatch(value -> fits(value, to))) {
            throw new Inexpressible(Reason.UNDEFINED_CONVERSION);
        }
        return graph.step("Cast", call.input(0))
                .with("to", OnnxGraph.number(to))
                .out();
    }

    private static boolean fits(double value, DType type) {
        return value > type.lowest() - 1.0 && value < type.highest() + 1.0;
    }

    private static String dropout(OracleCall call, OnnxGraph graph) {
        double ratio = call.params().real("ratio", 0.5);
        if (!call.type(0).isFloating()) {
            throw new Inexpressible(Reason.FLOATING_ALONE);
        }
        if (ratio == 1) {
            throw new Inexpressible(Reason.VALUE_REFUSED);
        }
        return graph.step("Dropout", call.input(0), graph.scalar(DType.FLOAT32, ratio))
                .out();
    }

    private static String clip(OracleCall call, OnnxGraph graph) {
        return graph.step("Clip", call.input(0), bound(call, graph, 1, "min"), bound(call, graph, 2, "max"))
                .out();
    }

    private static String bound(OracleCall call, OnnxGraph graph, int index, String param) {
        return call.params().has(param)
                ? graph.scalar(call.type(0), call.params().real(param, 0))
                : call.input(index);
    }

    /** Each input times its coefficient, then their sum. */
    private static String eltwise(OracleCall call, OnnxGraph graph) {
        String[] terms = call.inputs();
        double[] alpha = call.params().reals("alpha");
        for (int i = 0; i < alpha.length; i++) {
            terms[i] = graph.step("Mul", terms[i], graph.scalar(call.type(0), alpha[i]))
                    .out();
        }
        return graph.step("Sum", terms).out();
    }
}
