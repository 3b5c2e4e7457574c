package org.clinfer.conformance;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clinfer.conformance.Inexpressible.Reason;
import org.clinfer.tensor.DType;

/** Operators that move or make elements. */
final class MovementTranslations {

    private MovementTranslations() {}

    static Map<String, Translation> all() {
        return Map.ofEntries(
                Map.entry(
                        "Concat",
                        Translation.single((call, graph) -> graph.step("Concat", call.inputs())
                                .with("axis", call.params().integer("axis", 1))
                                .out())),
                Map.entry("Split", MovementTranslations::split),
                Map.entry("Pad", Translation.single(MovementTranslations::pad)),
                Map.entry("Reorg", Translation.single(MovementTranslations::reorg)),
                Map.entry("ConstantOfShape", Translation.single(MovementTranslations::constantOfShape)),
                Map.entry("Range", Translation.single(MovementTranslations::range)));
    }

    private static List<String> split(OracleCall call, OnnxGraph graph) {
        String sizes = call.list(1, "split");
        OnnxGraph.Step step = graph.step("Split", call.input(0), sizes).withIntegers(call.params(), "axis");
        if (sizes.isEmpty()) {
            step.with("num_outputs", call.params().integer("num_outputs", 1));
        }
        return step.out(call.params().outputs());
    }

    private static String pad(OracleCall call, OnnxGraph graph) {
        String mode = call.params().text("mode", "CONSTANT");
        if (mode.equals("SYMMETRIC")) {
            throw new Inexpressible(Reason.NO_SYMMETRIC_PADDING);
        }
        double[] values = call.params().reals("constant_values");
        if (Arrays.stream(values).distinct().count() > 1) {
            throw new Inexpressible(Reason.ONE_PADDING_VALUE);
        }
        String value = call.input(2);
        if (values.length > 0 || call.params().has("constant_value")) {
            double constant = values.length > 0 ? values[0] : call.params().real("constant_value", 0);
            value = graph.scalar(call.type(0), constant);
        }
        String pads = call.params().has("pad_with")
                ? graph.ints(beginsThenEnds(call.params().ints("pad_with")))
                : call.list(1, "pads");
        return graph.step("Pad", call.input(0), pads, value, call.list(3, "axes"))
                .with("mode", mode.toLowerCase(Locale.ROOT))
                .out();
    }

    /** Pairs per axis as ONNX orders them. */
    static long[] beginsThenEnds(long[] pairs) {
        long[] ordered = new long[pairs.length];
        for (int axis = 0; axis < pairs.length / 2; axis++) {
            ordered[axis] = pairs[2 * axis];
            ordered[pairs.length / 2 + axis] = pairs[2 * axis + 1];
        }
        return ordered;
    }

    private static String reorg(OracleCall call, OnnxGraph graph) {
        String order = call.params().text("order", "DCR");
        boolean back = call.params().flag("reversed", false);
        if (order.equals("DARKNET") || (!back && !order.equals("DCR"))) {
            throw new Inexpressible(Reason.NO_SUCH_ORDER);
        }
        OnnxGraph.Step step = graph.step(back ? "DepthToSpace" : "SpaceToDepth", call.input(0))
                .with("blocksize", call.params().integer("scale", 1));
        return back ? step.with("mode", order).out() : step.out();
    }

    private static String constantOfShape(OracleCall call, OnnxGraph graph) {
        DType type = DType.of(call.params().text("dtype", "float32")).orElseThrow();
        Array value = new Array(new long[] {1}, new double[] {call.params().real("value", 0)});
        return graph.step("ConstantOfShape", call.list(0, "shape"))
                .with("value", value, type)
                .out();
    }

    private static String range(OracleCall call, OnnxGraph graph) {
        String[] bounds = {"start", "limit", "delta"};
        String[] inputs = new String[bounds.length];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = call.params().has(bounds[i])
                    ? graph.scalar(DType.FLOAT32, call.params().real(bounds[i], 0))
                    : call.input(i);
        }
        return graph.step("Range", inputs).out();
    }
}
