package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

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
        all.put("ArgMax", call -> index(call, "ReduceMax"));
        all.put("ArgMin", call -> index(call, "ReduceMin"));
        return all;
    }

    static boolean keeps(Call call) {
        return call.node().flag("keep_dims", false) || call.node().flag("keepdims", false);
    }

    private static void reduce(Call call, String op) {
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
                        .map(axis -> Axes.inSecond((int) axis, rank))
                        .toArray()
                : positive;
        String operand = second ? x.stored() : call.plain(x);
        call.give(op, List.of(operand), params.put("axis", ours), second && keep);
    }

    /** {@return whether the axes that are left stand in the same order with the channels second} */
    static boolean keepsOrder(long[] removed, int rank) {
        int[] left = IntStream.range(0, rank)
                .filter(axis -> Arrays.stream(removed).noneMatch(each -> each == axis))
                .map(axis -> Axes.inSecond(axis, rank))
                .toArray();
        return IntStream.range(1, left.length).allMatch(i -> left[i - 1] < left[i]);
    }

    /** The extreme of zeros and ones. */
    private static void ofConditions(Call call, String op) {
        TfValue x = call.input(0);
        long[] axes = call.axes(call.requiredIntegers(1, "axes"), call.rank(x));
        boolean keep = keeps(call);
        String numbers = call.step("Cast", List.of(call.plain(x)), new Params().put("to", DType.INT32.label()));
        Params params = new Params().put("axis", axes).put("keep_dims", keep).put("noop_with_empty_axis", true);
        String extreme = call.step(op, List.of(numbers), params);
        call.give("Cast", List.of(extreme), new Params().put("to", DType.BOOL.label()));
    }

    private static void halfOfSquares(Call call) {
        TfValue x = call.input(0);
        String sum = call.step("ReduceSumSquare", x.stored());
        String half = call.scalar(x.dtype().orElse(DType.FLOAT32), 0.5);
        call.give("Mul", sum, half);
    }

    /** The smallest index whose element is the extreme one. */
    private static void index(Call call, String extreme) {
        TfValue x = call.input(0);
        int rank = call.rank(x);
        int axis = call.axis(call.requiredInteger(1, "dimension"), rank);
        DType type = call.node().dtype("output_type").orElse(DType.INT64);
        long[] along = {axis};
        String values = call.plain(x);
        Params keeping = new Params().put("axis", along).put("keep_dims", true);
        String found = call.step(extreme, List.of(values), keeping);
        String hit = call.step("Equal", values, found);
        String numbers = numbers(call, x, axis, rank);
        String beyond = call.constant("beyond", Tensor.scalar(Long.MAX_VALUE));
        String numbered = call.step("Where", hit, numbers, beyond);
        String least = call.step("ReduceMin", List.of(numbered), new Params().put("axis", along));
        call.give("Cast", List.of(least), new Params().put("to", type.label()));
    }

    /** The indices along an axis, followed by as many axes of size 1 as there are behind it. */
    private static String numbers(Call call, TfValue x, int axis, int rank) {
        long[] sizes = Axes.ones(rank - axis);
        Optional<Long> size = x.size(axis).filter(known -> known <= 1 << 20);
        if (size.isPresent()) {
            sizes[0] = size.get();
            long[] numbers = Axes.range(0, (int) sizes[0]);
            return call.constant("numbers", Tensor.of(numbers, sizes));
        }
        sizes[0] = -1;
        String shape = call.step("Shape", call.plain(x));
        String position = call.constant("axis", Tensor.scalar((long) axis));
        String count = call.step("Gather", List.of(shape, position), new Params().put("axis", 0));
        String start = call.constant("start", Tensor.scalar(0L));
        String step = call.constant("step", Tensor.scalar(1L));
        String numbers = call.step("Range", start, count, step);
        return call.step("Reshape", List.of(numbers), new Params().put("shape", sizes));
    }
}
