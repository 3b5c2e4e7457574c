package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.importer.Angle;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/** Functions of the elements of several tensors that stand at one place: arithmetic, comparisons, selection. */
final class TfliteBroadcastLayers {

    private static final Map<String, String> CONDITIONS = Map.of(
            "LESS", "Less",
            "LESS_EQUAL", "LessOrEqual",
            "GREATER", "Greater",
            "GREATER_EQUAL", "GreaterOrEqual",
            "EQUAL", "Equal",
            "LOGICAL_AND", "And",
            "LOGICAL_OR", "Or");

    private TfliteBroadcastLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("ADD", TfliteBroadcastLayers::sum);
        all.one("SUB", TfliteBroadcastLayers::difference);
        all.one("MUL", call -> TfliteActivations.after(call, two(call, "Mul")));
        all.one("DIV", call -> TfliteActivations.after(call, two(call, "Div")));
        all.one("ATAN2", TfliteBroadcastLayers::angle);
        all.one("POW", call -> two(call, "Pow"));
        all.one("BITWISE_XOR", TfliteBroadcastLayers::bits);
        all.one("MAXIMUM", call -> extreme(call, "Max"));
        all.one("MINIMUM", call -> extreme(call, "Min"));
        all.one("ADD_N", TfliteBroadcastLayers::sumOfAll);
        all.one("SQUARED_DIFFERENCE", TfliteBroadcastLayers::squaredDifference);
        all.one("FLOOR_DIV", TfliteBroadcastLayers::floorDivision);
        all.one("FLOOR_MOD", call -> two(call, "Mod"));
        all.one("RIGHT_SHIFT", TfliteBroadcastLayers::rightShift);
        CONDITIONS.forEach((type, op) -> all.one(type, call -> two(call, op)));
        all.one("NOT_EQUAL", TfliteBroadcastLayers::notEqual);
        all.one("SELECT", TfliteBroadcastLayers::select);
        all.one("SELECT_V2", TfliteBroadcastLayers::where);
    }

    private static TfliteOperands reals(TfliteCall call) {
        call.requireInputs(2, 2);
        return TfliteOperands.of(call, List.of(call.real(0), call.real(1)));
    }

    private static Value two(TfliteCall call, String op) {
        TfliteOperands operands = reals(call);
        return held(call, call.add(op, operands.values(), new Params()), operands);
    }

    private static Value held(TfliteCall call, Value result, TfliteOperands operands) {
        return call.give(result, operands.second());
    }

    private static Value sum(TfliteCall call) {
        call.options().ignore("pot_scale_int16");
        call.requireInputs(2, 2);
        boolean second =
                TfliteOperands.of(call, List.of(call.stored(0), call.stored(1))).second();
        Value result = TfliteQuantizedOperators.sum(call).orElseGet(() -> two(call, "Add"));
        return call.give(TfliteActivations.after(call, result), second);
    }

    private static Value difference(TfliteCall call) {
        call.options().ignore("pot_scale_int16");
        TfliteOperands operands = reals(call);
        Value result = call.add("Sub", operands.values(), new Params());
        return held(call, TfliteActivations.after(call, result), operands);
    }

    private static Value angle(TfliteCall call) {
        TfliteOperands operands = reals(call);
        DType type = operands.values().get(0).type().dtype();
        Angle<Value> angle = new Angle<>(
                (op, values) -> call.add(op, values, new Params()), number -> call.scalar("number", type, number));
        List<Value> parts =
                angle.where(operands.values().get(0), operands.values().get(1));
        return held(call, call.add("Where", parts, new Params()), operands);
    }

    private static Value bits(TfliteCall call) {
        call.requireInputs(2, 2);
        TfliteOperands operands = TfliteOperands.of(call, List.of(call.stored(0), call.stored(1)));
        boolean isBool = call.tensor(0).dtype() == DType.BOOL;
        return held(call, call.add(isBool ? "Xor" : "BitwiseXor", operands.values(), new Params()), operands);
    }

    private static Value rightShift(TfliteCall call) {
        call.requireInputs(2, 2);
        DType type = call.tensor(1).dtype();
        TfliteOperands operands = TfliteOperands.of(call, List.of(call.stored(0), bounded(call, call.stored(1), type)));
        Params params = new Params().put("direction", "RIGHT");
        return held(call, call.add("BitShift", operands.values(), params), operands);
    }

    /** A count from 0 to the last bit; beyond there is nothing else to shift. */
    private static TfliteValue bounded(TfliteCall call, TfliteValue count, DType type) {
        Value least = call.add("Max", count.held(), call.scalar("none", type, 0));
        Value most = call.scalar("all", type, call.tensor(0).dtype().bits() - 1);
        return new TfliteValue(call.add("Min", least, most), count.second());
    }

    /** The largest or smallest quantized number is that of the largest or smallest real one. */
    private static Value extreme(TfliteCall call, String op) {
        call.requireInputs(2, 2);
        boolean kept = call.isKept(0) && call.isKept(1);
        TfliteOperands operands = kept ? TfliteOperands.of(call, List.of(call.stored(0), call.stored(1))) : reals(call);
        return held(call, call.add(op, operands.values(), new Params()), operands);
    }

    private static Value sumOfAll(TfliteCall call) {
        call.requireInputs(1, Integer.MAX_VALUE);
        List<TfliteValue> parts =
                IntStream.range(0, call.inputs()).mapToObj(call::real).toList();
        TfliteOperands operands = TfliteOperands.of(call, parts);
        return held(call, call.add("Sum", operands.values(), new Params()), operands);
    }

    private static Value squaredDifference(TfliteCall call) {
        TfliteOperands operands = reals(call);
        Value difference = call.add("Sub", operands.values(), new Params());
        return held(call, call.add("Mul", difference, difference), operands);
    }

    private static Value notEqual(TfliteCall call) {
        TfliteOperands operands = reals(call);
        return held(call, call.add("Not", call.add("Equal", operands.values(), new Params())), operands);
    }

    /** The remainder, with the sign of the divisor, is taken away first, so that integers divide without a rest. */
    private static Value floorDivision(TfliteCall call) {
        TfliteOperands operands = reals(call);
        Value left = operands.values().get(0);
        Value right = operands.values().get(1);
        if (left.type().dtype().isFloating()) {
            return held(call, call.add("Floor", call.add("Div", left, right)), operands);
        }
        Value rest = call.add("Mod", left, right);
        return held(call, call.add("Div", call.add("Sub", left, rest), right), operands);
    }

    /** The old selection: the condition is of the same shape, a scalar, or a vector along the first axis. */
    private static Value select(TfliteCall call) {
        call.requireInputs(3, 3);
        TfliteValue condition = call.stored(0);
        int rank = call.stored(1).rank();
        if (condition.rank() != 1 || rank <= 1) {
            return where(call);
        }
        Value column = call.add("Unsqueeze", new Params().put("axis", ChannelAxes.range(1, rank)), condition.held());
        return selected(call, new TfliteValue(column, false));
    }

    private static Value where(TfliteCall call) {
        call.requireInputs(3, 3);
        return selected(call, call.stored(0));
    }

    private static Value selected(TfliteCall call, TfliteValue condition) {
        boolean kept = call.isKept(1) && call.isKept(2);
        List<TfliteValue> operands = new ArrayList<>(List.of(condition));
        operands.add(kept ? call.stored(1) : call.real(1));
        operands.add(kept ? call.stored(2) : call.real(2));
        TfliteOperands aligned = TfliteOperands.of(call, operands);
        return held(call, call.add("Where", aligned.values(), new Params()), aligned);
    }
}
