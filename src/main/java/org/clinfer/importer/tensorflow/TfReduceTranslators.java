package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Reductions along axes, and the indices of the largest and the smallest element. */
final class TfReduceTranslators {

    private TfReduceTranslators() {}

    static Map<String, TfTranslator> all() {
        Map<String, TfTranslator> all = new HashMap<>();
        Map.of(
                        "Mean", "Mean",
                        "Sum", "ReduceSum",
                        "Max", "ReduceMax",
                        "Min", "ReduceMin",
                        "Prod", "ReduceProd",
                        "EuclideanNorm", "ReduceL2")
                .forEach((op, ours) -> all.put(op, call -> reduce(call, ours)));
        all.put("All", call -> ofConditions(call, "ReduceMin"));
        all.put("Any", call -> ofConditions(call, "ReduceMax"));
        all.put("L2Loss", TfReduceTranslators::halfOfSquares);
        all.put("ArgMax", call -> index(call, "ArgMax"));
        all.put("ArgMin", call -> index(call, "ArgMin"));
        return all;
    }

    static boolean keeps(TfCall call) {
        return call.node().flag("keep_dims", false) || call.node().flag("keepdims", false);
    }

    private static void reduce(TfCall call, String op) {
        TfValue x = call.input(0);
        boolean keep = keeps(call);
        Optional<long[]> axes = call.integers(1);
        Params params = new Params().put("keep_dims", keep).put("noop_with_empty_axis", true);
        if (axes.isEmpty() || x.shape().isEmpty()) {
            axes.ifPresent(known -> params.put("axis", known));
            List<String> operands = axes.isPresent() ? List.of(call.plain(x)) : List.of(call.plain(x), call.plain(1));
            call.give(op, operands, params);
            return;
        }
        int rank = call.rank(x);
        long[] positive = Arrays.stream(call.axes(axes.get(), rank)).distinct().toArray();
        boolean second = x.second() && (keep || keepsOrder(positive, rank));
        long[] ours = second
                ? Arrays.stream(positive)
                        .map(axis -> ChannelAxes.inSecond((int) axis, rank))
                        .toArray()
                : positive;
        String operand = second ? x.stored() : call.plain(x);
        params.put("axis", ours);
        if (op.equals("Mean") && x.dtype().filter(DType::isInteger).isPresent()) {
            call.give(
                    "Cast",
                    List.of(wholeMean(call, operand, params)),
                    to(x.dtype().get()),
                    second && keep);
        } else {
            call.give(op, List.of(operand), params, second && keep);
        }
    }

    /** The mean of integers without what is behind the point, in int64. */
    private static String wholeMean(TfCall call, String x, Params along) {
        String numbers = call.step("Cast", List.of(x), to(DType.INT64));
        String ones = call.step("Cast", List.of(call.step("Equal", x, x)), to(DType.INT64));
        return call.step(
                "Div", call.step("ReduceSum", List.of(numbers), along), call.step("ReduceSum", List.of(ones), along));
    }

    private static Params to(DType dtype) {
        return new Params().put("to", dtype.label());
    }

    /** {@return whether the axes that are left stand in the same order with the channels second} */
    static boolean keepsOrder(long[] removed, int rank) {
        int[] left = IntStream.range(0, rank)
                .filter(axis -> Arrays.stream(removed).noneMatch(each -> each == axis))
                .map(axis -> ChannelAxes.inSecond(axis, rank))
                .toArray();
        return IntStream.range(1, left.length).allMatch(i -> left[i - 1] < left[i]);
    }

    /** The extreme of zeros and ones. */
    private static void ofConditions(TfCall call, String op) {
        TfValue x = call.input(0);
        long[] axes = call.axes(call.requiredIntegers(1, "axes"), call.rank(x));
        boolean keep = keeps(call);
        String numbers = call.step("Cast", List.of(call.plain(x)), new Params().put("to", DType.INT32.label()));
        Params params = new Params().put("axis", axes).put("keep_dims", keep).put("noop_with_empty_axis", true);
        String extreme = call.step(op, List.of(numbers), params);
        call.give("Cast", List.of(extreme), new Params().put("to", DType.BOOL.label()));
    }

    private static void halfOfSquares(TfCall call) {
        TfValue x = call.input(0);
        String sum = call.step("ReduceSumSquare", x.stored());
        String half = call.scalar(x.dtype().orElse(DType.FLOAT32), 0.5);
        call.give("Mul", sum, half);
    }

    /** The first index whose element is the extreme one. */
    private static void index(TfCall call, String op) {
        TfValue x = call.input(0);
        long axis = call.axis(call.requiredInteger(1, "dimension"), call.rank(x));
        DType type = call.node().dtype("output_type").orElse(DType.INT64);
        Params params = new Params().put("axis", axis).put("keepdims", false);
        String found = call.step(op, List.of(call.plain(x)), params);
        call.give("Cast", List.of(found), new Params().put("to", type.label()));
    }
}
