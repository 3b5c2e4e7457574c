package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Running sums, products and logarithms of sums along an axis. */
final class TfRunningTranslators {

    private TfRunningTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "Cumsum", TfRunningTranslators::sum,
                "Cumprod", TfRunningTranslators::product,
                "CumulativeLogsumexp", TfRunningTranslators::logOfSum);
    }

    private static void sum(TfCall call) {
        Params params = new Params().put("exclusive", isExclusive(call)).put("reverse", isReverse(call));
        call.give("CumSum", List.of(call.plain(0), call.plain(1)), params);
    }

    private static void product(TfCall call) {
        joined(call, 1, (left, right) -> call.step("Mul", left, right));
    }

    private static void logOfSum(TfCall call) {
        DType type = call.dtype(call.input(0));
        joined(call, Double.NEGATIVE_INFINITY, (left, right) -> logOfSum(call, type, left, right));
    }

    /** The larger number and log(1 + e^-distance); of equal ones, which may be infinite, the distance is 0. */
    private static String logOfSum(TfCall call, DType type, String left, String right) {
        String apart = call.step("Abs", call.step("Sub", left, right));
        String equal = call.step("Equal", left, right);
        String distance = call.step("Where", equal, call.scalar(type, 0), apart);
        String share = call.step("Exp", call.step("Neg", distance));
        String more = TfElementTranslators.logOfOneMore(call, share, call.scalar(type, 1));
        return call.step("Add", call.step("Max", left, right), more);
    }

    /** Each element joined with that 1, 2, 4, … places before it, or with the neutral one where there is none. */
    private static void joined(TfCall call, double neutral, BinaryOperator<String> join) {
        TfValue x = call.input(0);
        int axis = call.axis(call.requiredInteger(1, "axis"), call.rank(x));
        long size = x.size(axis).orElseThrow(() -> call.unsupportedUse("an axis whose size is not known"));
        boolean reverse = isReverse(call);
        String all = call.plain(x);
        if (isExclusive(call) && size > 0) {
            all = moved(call, all, axis, reverse ? -1 : 1, neutral);
        }
        for (long by = 1; by < size; by *= 2) {
            all = join.apply(all, moved(call, all, axis, reverse ? -by : by, neutral));
        }
        call.give("Identity", all);
    }

    private static String moved(TfCall call, String value, long axis, long by, double neutral) {
        Params outside = new Params().put("constant_value", neutral);
        return call.step("Pad", List.of(value, call.constant(by, -by), "", call.constant(axis)), outside);
    }

    private static boolean isExclusive(TfCall call) {
        return call.node().flag("exclusive", false);
    }

    private static boolean isReverse(TfCall call) {
        return call.node().flag("reverse", false);
    }
}
