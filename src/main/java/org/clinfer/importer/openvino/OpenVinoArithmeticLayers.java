package org.clinfer.importer.openvino;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/** Operators of two values, selections between two, and quantization. */
final class OpenVinoArithmeticLayers {

    private static final Map<String, String> NUMBERS = Map.of(
            "Add", "Add",
            "Subtract", "Sub",
            "Multiply", "Mul",
            "Maximum", "Max",
            "Minimum", "Min",
            "Power", "Pow",
            "BitwiseAnd", "BitwiseAnd",
            "BitwiseOr", "BitwiseOr",
            "BitwiseXor", "BitwiseXor");

    private static final Map<String, String> TRUTHS = Map.of(
            "Equal", "Equal",
            "Less", "Less",
            "LessEqual", "LessOrEqual",
            "Greater", "Greater",
            "GreaterEqual", "GreaterOrEqual",
            "LogicalAnd", "And",
            "LogicalOr", "Or",
            "LogicalXor", "Xor",
            "Xor", "Xor");

    private OpenVinoArithmeticLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        NUMBERS.forEach((type, op) -> all.one(type, call -> binary(call, op)));
        TRUTHS.forEach((type, op) -> all.one(type, call -> call.last(op, operands(call), new Params(), DType.BOOL)));
        all.one("NotEqual", OpenVinoArithmeticLayers::notEqual);
        all.one("Divide", OpenVinoArithmeticLayers::divide);
        all.one("Mod", call -> remainder(call, true));
        all.one("FloorMod", call -> remainder(call, false));
        all.one("SquaredDifference", OpenVinoArithmeticLayers::squaredDifference);
        all.one("Select", OpenVinoArithmeticLayers::select);
        all.one("FakeQuantize", OpenVinoArithmeticLayers::fakeQuantize);
    }

    private static List<Value> operands(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        requireNumpy(call);
        return call.inputs();
    }

    /** Without broadcasting all have the same sizes, for which numpy's rule is the same. */
    private static void requireNumpy(OpenVinoLayerCall call) {
        String rule = call.attributes().choice("auto_broadcast", "numpy", "numpy", "none");
        Value first = call.input(0);
        if (rule.equals("none") && !call.inputs().stream().allMatch(other -> mayBeAlike(first, other))) {
            throw call.attributes().unsupported("auto_broadcast");
        }
    }

    /** {@return whether no sizes that are known are different} */
    private static boolean mayBeAlike(Value a, Value b) {
        return a.rank() == b.rank()
                && IntStream.range(0, a.rank())
                        .allMatch(i -> a.sizeOr0(i) == b.sizeOr0(i) || a.sizeOr0(i) == 0 || b.sizeOr0(i) == 0);
    }

    private static Value binary(OpenVinoLayerCall call, String op) {
        return call.last(op, operands(call), new Params());
    }

    private static Value notEqual(OpenVinoLayerCall call) {
        return call.last("Not", call.add("Equal", operands(call), new Params()));
    }

    /** Of whole numbers rounded down, unless the file says that it is rounded towards zero. */
    private static Value divide(OpenVinoLayerCall call) {
        boolean down = call.attributes().flag("m_pythondiv", true);
        List<Value> operands = operands(call);
        Value a = operands.get(0);
        Value b = operands.get(1);
        if (!down || a.type().dtype().isFloating()) {
            return call.last("Div", a, b);
        }
        return call.last("Div", call.add("Sub", a, call.add("Mod", a, b)), b);
    }

    private static Value remainder(OpenVinoLayerCall call, boolean towardsZero) {
        return call.last("Mod", operands(call), new Params().put("fmod", towardsZero));
    }

    private static Value squaredDifference(OpenVinoLayerCall call) {
        Value difference = call.add("Sub", operands(call), new Params());
        return call.last("Mul", difference, difference);
    }

    private static Value select(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        requireNumpy(call);
        return call.last(
                "Where", call.inputs(), new Params(), call.input(1).type().dtype());
    }

    /** Places of a grid between two inputs are those of another grid between two outputs; halves go to the even place. */
    private static Value fakeQuantize(OpenVinoLayerCall call) {
        call.requireInputs(5, 5);
        requireNumpy(call);
        long levels = call.attributes().integer("levels");
        if (levels < 2) {
            throw call.malformed("there must be 2 levels at least, but there are " + levels);
        }
        Value x = call.input(0);
        Value low = call.input(1);
        Value high = call.input(2);
        requireOrder(call);
        Value steps = call.like(x, "steps", levels - 1.0);
        Value held = call.add("Max", call.add("Min", x, high), low);
        Value part = call.add("Div", call.add("Sub", held, low), call.add("Sub", high, low));
        Value place = call.add("Round", call.add("Mul", part, steps));
        Value range = call.add("Sub", call.input(4), call.input(3));
        return call.last("Add", call.add("Mul", call.add("Div", place, steps), range), call.input(3));
    }

    private static void requireOrder(OpenVinoLayerCall call) {
        if (call.isMissing(1) || call.isMissing(2)) {
            return;
        }
        double[] low = bounds(call, 1);
        double[] high = bounds(call, 2);
        if (low.length != high.length && low.length != 1 && high.length != 1) {
            throw call.unsupportedUse("bounds of different sizes");
        }
        for (int i = 0; i < Math.max(low.length, high.length); i++) {
            if (!(low[low.length == 1 ? 0 : i] < high[high.length == 1 ? 0 : i])) {
                throw call.unsupportedUse("a lower bound that is not below the upper one");
            }
        }
    }

    private static double[] bounds(OpenVinoLayerCall call, int input) {
        return call.constant(input)
                .orElseThrow(() -> call.unsupportedUse("bounds that are no constants"))
                .toDoubleArray();
    }
}
