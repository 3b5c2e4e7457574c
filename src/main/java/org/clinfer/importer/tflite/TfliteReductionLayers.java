package org.clinfer.importer.tflite;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/** Reductions along axes, and the indices of the largest and the smallest element. */
final class TfliteReductionLayers {

    private static final Map<String, String> REDUCTIONS = Map.of(
            "MEAN", "Mean",
            "SUM", "ReduceSum",
            "REDUCE_PROD", "ReduceProd",
            "REDUCE_MAX", "ReduceMax",
            "REDUCE_MIN", "ReduceMin");

    private TfliteReductionLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        REDUCTIONS.forEach((type, op) -> all.one(type, call -> reduce(call, op)));
        all.one("REDUCE_ANY", call -> ofConditions(call, "ReduceMax"));
        all.one("REDUCE_ALL", call -> ofConditions(call, "ReduceMin"));
        all.one("ARG_MAX", call -> index(call, "ArgMax"));
        all.one("ARG_MIN", call -> index(call, "ArgMin"));
    }

    /** Means and extremes of quantized numbers are those of what they stand for; sums and products are not. */
    private static Value reduce(TfliteCall call, String op) {
        call.requireInputs(2, 2);
        boolean isAffine = op.equals("Mean") || op.equals("ReduceMax") || op.equals("ReduceMin");
        return along(call, op, isAffine ? call.kept(0) : call.real(0));
    }

    private static Value along(TfliteCall call, String op, TfliteValue x) {
        boolean keeps = call.options().flag("keep_dims");
        Params params = new Params().put("keep_dims", keeps).put("noop_with_empty_axis", true);
        Optional<long[]> axes = call.integers(1);
        if (axes.isEmpty()) {
            return call.computed(op, params, call.plain(x), call.plain(1));
        }
        int rank = x.rank();
        int[] reduced = call.axes(axes.get(), rank);
        boolean second = x.second() && (keeps || keepsOrder(reduced, rank));
        TfliteValue operand = second ? x : new TfliteValue(call.plain(x), false);
        long[] held = Arrays.stream(reduced).mapToLong(operand::heldAxis).toArray();
        params.put("axis", held);
        boolean isWhole = op.equals("Mean")
                && call.tensor(0).dtype().isInteger()
                && call.tensor(0).quantization().isEmpty();
        Value result = isWhole ? wholeMean(call, operand.held(), params) : call.add(op, params, operand.held());
        return call.give(result, second && keeps);
    }

    /** The mean of integers without what is behind the point. */
    private static Value wholeMean(TfliteCall call, Value x, Params along) {
        Params wide = new Params().put("to", DType.INT64.label());
        Value numbers = call.add("Cast", wide, x);
        Value ones = call.add("Cast", wide, call.add("Equal", x, x));
        Value quotient = call.add("Div", call.add("ReduceSum", along, numbers), call.add("ReduceSum", along, ones));
        return call.add("Cast", new Params().put("to", call.tensor(0).dtype().label()), quotient);
    }

    /** {@return whether the axes that are left stand in the same order with the channels second} */
    static boolean keepsOrder(int[] removed, int rank) {
        int[] left = IntStream.range(0, rank)
                .filter(axis -> Arrays.stream(removed).noneMatch(each -> each == axis))
                .map(axis -> ChannelAxes.inSecond(axis, rank))
                .toArray();
        return IntStream.range(1, left.length).allMatch(i -> left[i - 1] < left[i]);
    }

    /** The extreme of zeros and ones. */
    private static Value ofConditions(TfliteCall call, String op) {
        call.requireInputs(2, 2);
        Value numbers = call.add("Cast", new Params().put("to", DType.INT32.label()), call.plain(0));
        Value extreme = along(call, op, new TfliteValue(numbers, false));
        return call.add("Cast", new Params().put("to", DType.BOOL.label()), extreme);
    }

    /** Quantized numbers of one scale are in the order of the real ones. */
    private static Value index(TfliteCall call, String op) {
        call.requireInputs(2, 2);
        call.options().ignore("output_type");
        Value x = call.plain(0);
        if (call.tensor(0).quantization().filter(found -> !found.isWhole()).isPresent()) {
            throw call.unsupportedUse("several scales");
        }
        long axis = call.axis(call.requiredInteger(1, "axis"), x.rank());
        Value found = call.add(op, new Params().put("axis", axis).put("keepdims", false), x);
        return call.add("Cast", new Params().put("to", call.output(0).dtype().label()), found);
    }
}
