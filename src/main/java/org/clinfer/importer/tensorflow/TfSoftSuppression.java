package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * NonMaxSuppressionV5 with scores that fall with the overlap, one choice after the other: the box of the highest score is taken,
 * and the scores of the others are multiplied by what their overlap with it leaves of them. No overlap is too
 * large.
 */
final class TfSoftSuppression {

    /** So many choices are written out. */
    private static final long MOST_CHOICES = 512;

    private static final Params FIRST = new Params().put("axis", 0L);
    private static final Params LAST = new Params().put("axis", 1L);

    private final TfCall call;
    private final DType dtype;

    TfSoftSuppression(TfCall call) {
        this.call = call;
        this.dtype = call.dtype(call.input(1));
    }

    void translate(boolean padded) {
        long most = call.requiredInteger(2, "max_output_size");
        if (most < 1 || most > MOST_CHOICES) {
            throw call.unsupportedUse("scores that fall with the overlap, and " + most + " boxes");
        }
        String given = call.plain(1);
        String numbers = numbers(given);
        String left = left(call.plain(0));
        String none = call.scalar(dtype, Double.NEGATIVE_INFINITY);
        String scores = given;
        String alive = call.step("Greater", given, call.plain(4));
        List<String> boxes = new ArrayList<>();
        List<String> best = new ArrayList<>();
        Params row = new Params().put("axis", 0L).put("keepdims", true);
        Params all = new Params().put("axis", new long[] {0}).put("keep_dims", true);
        for (long i = 0; i < most; i++) {
            String masked = call.step("Where", alive, scores, none);
            String box = call.step("ArgMax", List.of(masked), row);
            boxes.add(box);
            best.add(call.step("ReduceMax", List.of(masked), all));
            String falls = call.step(
                    "Squeeze",
                    List.of(call.step("Gather", List.of(left, box), FIRST)),
                    new Params().put("axis", new long[] {0}));
            scores = call.step("Mul", scores, falls);
            String isOther = call.step("Not", call.step("Equal", numbers, box));
            String isHigh = call.step("Greater", scores, call.plain(4));
            alive = call.step("And", call.step("And", alive, isOther), isHigh);
        }
        give(call.step("Concat", boxes, FIRST), call.step("Concat", best, FIRST), none, padded);
    }

    /** The chosen boxes and their scores stand in front of those that are none. */
    private void give(String boxes, String scores, String none, boolean padded) {
        String there = call.step("Greater", scores, none);
        Params all = new Params().put("axis", new long[] {0}).put("keep_dims", true);
        String count = call.step("ReduceSum", List.of(call.cast(there, DType.INT64)), all);
        String places = call.step("Where", there, boxes, call.scalar(DType.INT64, 0));
        String values = call.step("Where", there, scores, call.scalar(dtype, 0));
        if (!padded) {
            Params start = new Params().put("axes", new long[] {0});
            places = call.step("Slice", List.of(places, call.constant(0L), count), start);
            values = call.step("Slice", List.of(values, call.constant(0L), count), start);
        }
        call.give(0, "Cast", List.of(places), new Params().put("to", DType.INT32.label()), false);
        call.give(1, "Identity", List.of(values), new Params(), false);
        TfSuppressionTranslators.giveCount(call, 2, count);
    }

    private String numbers(String scores) {
        String count = call.step("Squeeze", call.step("Shape", scores));
        return call.step("Range", call.scalar(DType.INT64, 0), count, call.scalar(DType.INT64, 1));
    }

    /** The part that each box leaves of another one's score: of all pairs, by their overlap. */
    private String left(String boxes) {
        String[] sides = new String[4];
        for (int i = 0; i < 4; i++) {
            sides[i] = call.step("Gather", List.of(boxes, call.constant((long) i)), LAST);
        }
        String[] low = {call.step("Min", sides[0], sides[2]), call.step("Min", sides[1], sides[3])};
        String[] high = {call.step("Max", sides[0], sides[2]), call.step("Max", sides[1], sides[3])};
        String zero = call.scalar(dtype, 0);
        String common = "";
        String area = "";
        for (int axis = 0; axis < 2; axis++) {
            String end = call.step("Min", high[axis], row(high[axis]));
            String start = call.step("Max", low[axis], row(low[axis]));
            String width = call.step("Max", call.step("Sub", end, start), zero);
            String size = call.step("Sub", high[axis], low[axis]);
            common = axis == 0 ? width : call.step("Mul", common, width);
            area = axis == 0 ? size : call.step("Mul", area, size);
        }
        String whole = call.step("Sub", call.step("Add", area, row(area)), common);
        String isSome = call.step("Greater", common, zero);
        String overlap = call.step(
                "Where",
                isSome,
                call.step("Div", common, call.step("Where", isSome, whole, call.scalar(dtype, 1))),
                zero);
        String factor = call.step("Div", call.scalar(dtype, -0.5), call.plain(5));
        return call.step("Exp", call.step("Mul", call.step("Mul", overlap, overlap), factor));
    }

    private String row(String column) {
        return call.step("Transpose", List.of(column), new Params().put("perm", new long[] {1, 0}));
    }
}
