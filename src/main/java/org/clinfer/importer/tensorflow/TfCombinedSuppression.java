package org.clinfer.importer.tensorflow;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * CombinedNonMaxSuppression: the boxes of each class that overlap none of their class with a higher score, and of these the
 * ones with the highest scores in each image. All other scores become lower than any; outputs that are left over are 0.
 */
final class TfCombinedSuppression {

    private static final Params FIRST = new Params().put("axis", 0L);

    private final TfCall call;
    private final DType type;
    private final boolean shared;

    /** Scores as images x classes x boxes, and their sizes. */
    private final String scores;

    private final String sizes;

    /** Boxes as images x classes x boxes x 4; of one class if they are those of all. */
    private final String boxes;

    private TfCombinedSuppression(TfCall call) {
        this.call = call;
        TfValue given = call.input(0, 4);
        this.type = call.dtype(given);
        this.shared =
                given.size(2).orElseThrow(() -> call.unsupportedUse("boxes of classes whose number is not known")) == 1;
        this.boxes = turned(call.plain(given), 0, 2, 1, 3);
        this.scores = turned(call.plain(call.input(1, 3)), 0, 2, 1);
        this.sizes = call.step("Shape", scores);
    }

    static void translate(TfCall call) {
        new TfCombinedSuppression(call).write();
    }

    private void write() {
        String rows = call.step("Reshape", kept(), call.constant(0L, -1L));
        long most = most();
        String count = call.step("Min", element(call.step("Shape", rows), 1), call.constant(most));
        List<String> best = call.steps("TopK", List.of(rows, count), new Params(), 2);
        String there = call.step("Greater", best.get(0), least());
        String number = element(sizes, 2);
        String numbers = shared ? call.step("Mod", best.get(1), number) : best.get(1);
        String missing = call.step("Sub", call.constant(most), count);
        result(0, call.step("Unsqueeze", List.of(there), axes(2)), chosen(numbers), missing);
        result(1, there, best.get(0), missing);
        result(2, there, call.cast(call.step("Div", best.get(1), number), type), missing);
        Params along = axes(1).put("keep_dims", false);
        call.give(3, "ReduceSum", List.of(call.cast(there, DType.INT32)), along, false);
    }

    /** The number of outputs. */
    private long most() {
        long most = call.requiredInteger(3, "size");
        if (call.node().flag("pad_per_class", false)) {
            long classes = call.input(1)
                    .size(2)
                    .orElseThrow(() -> call.unsupportedUse("pad_per_class and classes whose number is not known"));
            most = Math.min(most, Math.multiplyExact(call.requiredInteger(2, "size"), classes));
        }
        if (most < 1 || most > Integer.MAX_VALUE) {
            throw call.malformed("it gives " + most + " boxes");
        }
        return most;
    }

    private String turned(String value, long... order) {
        return call.step("Transpose", List.of(value), new Params().put("perm", order));
    }

    private static Params axes(long axis) {
        return new Params().put("axis", new long[] {axis});
    }

    private String element(String vector, long index) {
        return call.step("Gather", List.of(vector, call.constant(index)), FIRST);
    }

    private String least() {
        return call.scalar(type, Double.NEGATIVE_INFINITY);
    }

    /** The scores of the boxes that overlap no better one of their class, and the least one in the places of all others. */
    private String kept() {
        String number = element(sizes, 2);
        String own = shared ? call.step("Squeeze", List.of(boxes), axes(1)) : each(boxes, number, call.constant(4L));
        String single = shared ? scores : each(scores, call.constant(1L), number);
        List<String> limits = List.of(own, single, call.plain(2), call.plain(4), call.plain(5));
        List<String> found = call.steps("NonMaxSuppression", limits, new Params(), 2);
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
        String places = call.step("Slice", List.of(found.get(0), "", found.get(1)), first);
        String none = call.step("Expand", least(), call.step("Shape", single));
        String better = call.step("ScatterND", none, places, call.step("GatherND", single, places));
        return call.step("Reshape", better, sizes);
    }

    /** With each class of each image as an image of its own. */
    private String each(String value, String... behind) {
        List<String> shape = List.of(call.constant(-1L), behind[0], behind[1]);
        return call.step("Reshape", value, call.step("Concat", shape, FIRST));
    }

    /** The boxes of these numbers in each image, within the picture if the node says so. */
    private String chosen(String numbers) {
        String all = call.step("Reshape", boxes, call.constant(0L, -1L, 4L));
        String rows = call.step("Unsqueeze", List.of(numbers), axes(2));
        String chosen = call.step("GatherND", List.of(all, rows), new Params().put("batch_dims", 1L));
        Params picture = new Params().put("min", 0.0).put("max", 1.0);
        return call.node().flag("clip_boxes", true) ? call.step("Clip", List.of(chosen), picture) : chosen;
    }

    /** Gives a value of each box that is there, and 0 for those that are missing. */
    private void result(int port, String there, String values, String missing) {
        String known = call.step("Where", there, values, call.scalar(type, 0));
        String widths = call.step("Concat", List.of(call.constant(0L), missing), FIRST);
        call.give(port, "Pad", List.of(known, widths, "", call.constant(1L)), new Params(), false);
    }
}
