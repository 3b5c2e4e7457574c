package org.clinfer.importer.tensorflow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.clinfer.importer.Angle;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Element-wise operators with several inputs: arithmetic, comparisons, selection. */
final class TfBroadcastTranslators {

    private static final Map<String, String> ARITHMETIC = Map.ofEntries(
            Map.entry("Add", "Add"),
            Map.entry("AddV2", "Add"),
            Map.entry("Sub", "Sub"),
            Map.entry("Mul", "Mul"),
            Map.entry("RealDiv", "Div"),
            Map.entry("TruncateDiv", "Div"),
            Map.entry("Pow", "Pow"),
            Map.entry("Maximum", "Max"),
            Map.entry("Minimum", "Min"),
            Map.entry("AddN", "Sum"),
            Map.entry("AccumulateNV2", "Sum"),
            Map.entry("BitwiseAnd", "BitwiseAnd"),
            Map.entry("BitwiseOr", "BitwiseOr"),
            Map.entry("BitwiseXor", "BitwiseXor"));

    private static final Map<String, String> CONDITIONS = Map.of(
            "Less", "Less",
            "LessEqual", "LessOrEqual",
            "Greater", "Greater",
            "GreaterEqual", "GreaterOrEqual",
            "Equal", "Equal",
            "LogicalAnd", "And",
            "LogicalOr", "Or",
            "LogicalXor", "Xor");

    private TfBroadcastTranslators() {}

    static Map<String, TfTranslator> all() {
        Map<String, TfTranslator> all = new HashMap<>();
        ARITHMETIC.forEach((op, ours) -> all.put(op, call -> arithmetic(call, ours)));
        CONDITIONS.forEach((op, ours) -> all.put(op, call -> condition(call, ours)));
        all.put("Div", call -> arithmetic(call, "Div"));
        all.put("FloorDiv", TfBroadcastTranslators::floorDivision);
        all.put("FloorMod", call -> remainder(call, false));
        all.put("Mod", call -> remainder(call, true));
        all.put("TruncateMod", call -> remainder(call, true));
        all.put("NotEqual", TfBroadcastTranslators::notEqual);
        all.put("ApproximateEqual", TfBroadcastTranslators::near);
        all.put("Cross", TfBroadcastTranslators::cross);
        all.put("SquaredDifference", TfBroadcastTranslators::squaredDifference);
        all.put("DivNoNan", TfBroadcastTranslators::divisionWithoutNan);
        all.put("MulNoNan", TfBroadcastTranslators::productWithoutNan);
        all.put("Xdivy", call -> ofOtherThanZero(call, "Div", y -> y));
        all.put("Xlogy", call -> ofOtherThanZero(call, "Mul", y -> call.step("Log", y)));
        all.put("Xlog1py", call -> ofOtherThanZero(call, "Mul", y -> logOfOneMore(call, y)));
        all.put("LeftShift", call -> shift(call, "LEFT"));
        all.put("RightShift", call -> shift(call, "RIGHT"));
        all.put("Atan2", TfBroadcastTranslators::angle);
        all.put("Prelu", TfBroadcastTranslators::slopes);
        all.put("BiasAdd", TfBroadcastTranslators::biasAdd);
        all.put("BiasAddV1", TfBroadcastTranslators::biasAdd);
        all.put("Select", TfBroadcastTranslators::select);
        all.put("SelectV2", TfBroadcastTranslators::where);
        all.put("ClipByValue", TfBroadcastTranslators::clip);
        return all;
    }

    private static Operands operands(TfCall call, int least) {
        call.input(least - 1);
        return Operands.of(call, call.inputs());
    }

    private static void arithmetic(TfCall call, String op) {
        Operands operands = operands(call, op.equals("Sum") ? 1 : 2);
        call.give(op, operands.names(), new Params(), operands.second());
    }

    private static void condition(TfCall call, String op) {
        Operands operands = operands(call, 2);
        call.give(op, operands.names(), new Params(), operands.second());
    }

    private static void notEqual(TfCall call) {
        Operands operands = operands(call, 2);
        String equal = call.step("Equal", operands.names(), new Params());
        call.give("Not", List.of(equal), new Params(), operands.second());
    }

    private static void near(TfCall call) {
        Operands operands = operands(call, 2);
        String distance = call.step("Abs", call.step("Sub", operands.names(), new Params()));
        String tolerance = call.scalar(requiredType(call), call.node().real("tolerance", 1e-5f));
        call.give("LessOrEqual", List.of(distance, tolerance), new Params(), operands.second());
    }

    /** The vector product along the last axis, which has 3 elements: its parts follow by turning the axis. */
    private static void cross(TfCall call) {
        int rank = call.rank(call.input(0));
        Params axis = new Params().put("axis", rank - 1L);
        String next = call.constant(1L, 2L, 0L);
        String last = call.constant(2L, 0L, 1L);
        String a = call.plain(0);
        String b = call.plain(1);
        String first = call.step(
                "Mul", call.step("Gather", List.of(a, next), axis), call.step("Gather", List.of(b, last), axis));
        String second = call.step(
                "Mul", call.step("Gather", List.of(a, last), axis), call.step("Gather", List.of(b, next), axis));
        call.give("Sub", first, second);
    }

    private static DType requiredType(TfCall call) {
        return call.inputs().stream()
                .flatMap(input -> input.dtype().stream())
                .findFirst()
                .orElseThrow(() -> call.unsupportedUse("an input whose data type is not known"));
    }

    /** The quotient rounded down. */
    private static void floorDivision(TfCall call) {
        Operands operands = operands(call, 2);
        String left = operands.names().get(0);
        String right = operands.names().get(1);
        DType type = requiredType(call);
        String quotient = call.step("Div", left, right);
        if (type.isFloating()) {
            call.give("Floor", List.of(quotient), new Params(), operands.second());
            return;
        }
        String zero = call.scalar(type, 0);
        String product = call.step("Mul", quotient, right);
        String rest = call.step("Sub", left, product);
        String exact = call.step("Equal", rest, zero);
        String restBelow = call.step("Less", rest, zero);
        String rightBelow = call.step("Less", right, zero);
        String signsDiffer = call.step("Xor", restBelow, rightBelow);
        String inexact = call.step("Not", exact);
        String below = call.step("And", inexact, signsDiffer);
        String one = call.step("Cast", List.of(below), new Params().put("to", type.label()));
        call.give("Sub", List.of(quotient, one), new Params(), operands.second());
    }

    /** @param truncated whether the remainder has the sign of the dividend, as in C, rather than that of the divisor */
    private static void remainder(TfCall call, boolean truncated) {
        Operands operands = operands(call, 2);
        call.give("Mod", operands.names(), new Params().put("fmod", truncated), operands.second());
    }

    private static void clip(TfCall call) {
        Operands operands = operands(call, 3);
        String below =
                call.step("Min", operands.names().get(0), operands.names().get(2));
        call.give("Max", List.of(below, operands.names().get(1)), new Params(), operands.second());
    }

    private static void squaredDifference(TfCall call) {
        Operands operands = operands(call, 2);
        String difference = call.step("Sub", operands.names(), new Params());
        call.give("Mul", List.of(difference, difference), new Params(), operands.second());
    }

    private static void divisionWithoutNan(TfCall call) {
        Operands operands = operands(call, 2);
        String zero = call.scalar(requiredType(call), 0);
        String right = operands.names().get(1);
        String none = call.step("Equal", right, zero);
        String quotient = call.step("Div", operands.names(), new Params());
        call.give("Where", List.of(none, zero, quotient), new Params(), operands.second());
    }

    private static void productWithoutNan(TfCall call) {
        Operands operands = operands(call, 2);
        String zero = call.scalar(requiredType(call), 0);
        String none = call.step("Equal", operands.names().get(1), zero);
        String product = call.step("Mul", operands.names(), new Params());
        call.give("Where", List.of(none, zero, product), new Params(), operands.second());
    }

    /** An operator of x and a function of y; 0 where x is 0, whatever y is. */
    private static void ofOtherThanZero(TfCall call, String op, UnaryOperator<String> function) {
        Operands operands = operands(call, 2);
        String x = operands.names().get(0);
        String y = operands.names().get(1);
        String zero = call.scalar(requiredType(call), 0);
        String other = call.step(op, x, function.apply(y));
        call.give("Where", List.of(call.step("Equal", x, zero), zero, other), new Params(), operands.second());
    }

    private static String logOfOneMore(TfCall call, String y) {
        return TfElementTranslators.logOfOneMore(call, y, call.scalar(requiredType(call), 1));
    }

    private static void shift(TfCall call, String direction) {
        Operands operands = operands(call, 2);
        call.give("BitShift", operands.names(), new Params().put("direction", direction), operands.second());
    }

    private static void angle(TfCall call) {
        Operands operands = operands(call, 2);
        DType type = requiredType(call);
        Angle<String> angle =
                new Angle<>((op, names) -> call.step(op, names, new Params()), number -> call.scalar(type, number));
        List<String> parts =
                angle.where(operands.names().get(0), operands.names().get(1));
        call.give("Where", parts, new Params(), operands.second());
    }

    /** Slopes that broadcast, those of channels along the last axis. */
    private static void slopes(TfCall call) {
        Operands operands = operands(call, 2);
        call.give("PRelu", operands.names(), new Params().put("per_channel", false), operands.second());
    }

    /** Along the last axis, or along the second one of a value that is held so in the file already. */
    private static void biasAdd(TfCall call) {
        TfValue x = call.input(0);
        TfValue bias = call.input(1, 1);
        if (DataFormat.of(call).second()) {
            arithmetic(call, "Add");
            return;
        }
        String column = Operands.perChannel(call, bias, call.rank(x));
        call.give("Add", call.plain(x), column);
    }

    /** The old selection: the condition is of the same shape, a scalar, or a vector along the first axis. */
    private static void select(TfCall call) {
        call.input(2);
        Optional<long[]> known = call.integers(0).filter(condition -> condition.length == 1);
        if (known.isPresent()) {
            call.give(0, call.input(known.get()[0] != 0 ? 1 : 2));
            return;
        }
        TfValue condition = call.input(0);
        int rank = call.rank(call.input(1));
        if (!condition.hasRank(1) || rank <= 1) {
            where(call);
            return;
        }
        long[] behind = ChannelAxes.range(1, rank);
        String column = call.step("Unsqueeze", List.of(call.plain(condition)), new Params().put("axis", behind));
        Operands operands = Operands.of(call, call.inputs().subList(1, 3));
        call.give(
                "Where",
                List.of(column, operands.names().get(0), operands.names().get(1)),
                new Params(),
                operands.second());
    }

    private static void where(TfCall call) {
        Operands operands = operands(call, 3);
        call.give("Where", operands.names(), new Params(), operands.second());
    }
}
