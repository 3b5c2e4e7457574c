package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Layers that find boxes. */
final class NcnnDetectionLayers {

    private static final int BOX = 4;
    private static final int PARTS = 5;

    private NcnnDetectionLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("YoloDetectionOutput", call -> yolo(call, Heads.ofCells(call), NcnnDetectionLayers::softScore));
        all.one("Yolov3DetectionOutput", call -> yolo(call, Heads.ofPixels(call), NcnnDetectionLayers::score));
    }

    /** The parameters that all heads have. */
    private record Heads(int classes, int boxes, List<Double> anchors, List<Double> mask, List<Double> scales) {

        /** Heads whose anchors are sizes in pixels, of which each has some. */
        static Heads ofPixels(NcnnLayerCall call) {
            LayerParams params = call.params();
            return new Heads(
                    params.size(0, 20, 1), params.size(1, 5, 1), anchors(params), params.reals(5), params.reals(6));
        }

        /** Heads that all have the same anchors, which are sizes in cells. */
        static Heads ofCells(NcnnLayerCall call) {
            LayerParams params = call.params();
            int boxes = params.size(1, 5, 1);
            int heads = call.inputs(1, Integer.MAX_VALUE).size();
            List<Double> anchors = anchors(params);
            List<Double> mask = IntStream.range(0, heads * Math.min(boxes, anchors.size()))
                    .mapToObj(position -> (double) (position % boxes))
                    .toList();
            return new Heads(params.size(0, 20, 1), boxes, anchors, mask, Collections.nCopies(heads, 1.0));
        }

        private static List<Double> anchors(LayerParams params) {
            List<Double> anchors = params.reals(4);
            if (anchors.size() % 2 != 0) {
                throw params.wrong(4, "widths and heights are not pairs");
            }
            return anchors;
        }

        /** Width or height of an anchor of a head. */
        double anchor(NcnnLayerCall call, int head, int box, int side) {
            int position = head * boxes + box;
            double index = position < mask.size() ? mask.get(position) : -1;
            if (index < 0 || 2 * index + 1 >= anchors.size() || index != Math.rint(index)) {
                throw call.params().wrong(5, "there is no anchor for box " + box + " of head " + head);
            }
            return anchors.get(2 * (int) index + side);
        }
    }

    /** The probability of a box with the best of its classes. */
    @FunctionalInterface
    private interface Scores {
        Value of(NcnnLayerCall call, Value box, Value classes);
    }

    /** Rows of class, score and corners of what one head finds, and the scores alone. */
    private record Found(Value rows, Value scores) {}

    /**
     * Boxes that do not overlap one with a higher score, as rows of class from 1, score, left, top, right, bottom, by falling
     * scores.
     */
    private static Value yolo(NcnnLayerCall call, Heads heads, Scores confidences) {
        LayerParams params = call.params();
        List<Value> inputs = call.inputs(1, Integer.MAX_VALUE);
        double least = params.real(2, 0.01f);
        double overlap = params.real(3, 0.45f);
        List<Value> rows = new ArrayList<>();
        List<Value> scores = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            Found found = head(call, heads, i, call.picture(inputs.get(i)), confidences);
            rows.add(found.rows);
            scores.add(found.scores);
        }
        Value table = joined(call, rows, 1);
        Value confidence = joined(call, scores, 1);
        long count = table.sizeOr0(1);
        Value corners = call.part(table, 2, 2, 6);
        Value perClass = call.add("Reshape", List.of(confidence), new Params().put("shape", new long[] {1, 1, count}));
        Params suppression = new Params()
                .put("max_output_boxes_per_class", count)
                .put("iou_threshold", overlap)
                .put("score_threshold", (double) Math.nextDown((float) least));
        Value indices = kept(call, corners, perClass, suppression);
        return call.add("Gather", List.of(table, indices), new Params().put("axis", 1L));
    }

    /** The indices of boxes of one class that do not overlap one with a higher score. */
    static Value kept(NcnnLayerCall call, Value corners, Value scores, Params suppression) {
        List<Value> chosen = call.addAll("NonMaxSuppression", List.of(corners, scores), suppression, 2);
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
        Shape open = new Shape(List.of(Dim.unknown(), Dim.of(3)));
        Value rows = call.add("Slice", List.of(chosen.get(0), Value.NONE, chosen.get(1)), first, open);
        return call.add("Squeeze", new Params().put("axis", new long[] {1}), call.part(rows, 1, 2, 3));
    }

    private static Value joined(NcnnLayerCall call, List<Value> parts, int axis) {
        return parts.size() == 1 ? parts.get(0) : call.add("Concat", parts, new Params().put("axis", (long) axis));
    }

    private static Found head(NcnnLayerCall call, Heads heads, int number, Value x, Scores confidences) {
        long height = x.sizeOr0(2);
        long width = x.sizeOr0(3);
        int parts = PARTS + heads.classes;
        if (height == 0 || width == 0) {
            throw call.unsupportedUse("blobs of a size that is not known");
        }
        if (x.sizeOr0(1) != (long) heads.boxes * parts) {
            throw call.malformed("it has " + x.shape().dim(1) + " channels for " + heads.boxes + " boxes of "
                    + heads.classes + " classes");
        }
        if (number >= heads.scales.size()) {
            throw call.params().wrong(6, "it has no number for head " + number);
        }
        double scale = heads.scales.get(number);
        long pictureWidth = (long) (scale * width);
        long pictureHeight = (long) (scale * height);
        long cells = height * width;
        if (pictureWidth < 1 || pictureHeight < 1 || cells > NcnnLayerCall.MOST_FILLED / heads.boxes) {
            throw call.malformed("it has " + height + " x " + width + " cells of " + scale + " pixels, with "
                    + heads.boxes + " boxes each");
        }
        Value split =
                call.add("Reshape", List.of(x), new Params().put("shape", new long[] {1, heads.boxes, parts, cells}));
        Value last = call.add("Transpose", List.of(split), new Params().put("perm", new long[] {0, 1, 3, 2}));
        Value inside = call.add("Sigmoid", call.part(last, 3, 0, 2));
        Value middle = call.add(
                "Div",
                call.add("Add", inside, grid(call, number, height, width)),
                call.constant("cells_" + number, Tensor.of(new float[] {width, height}, 2)));
        Value half = call.add(
                "Mul",
                call.add("Exp", call.part(last, 3, 2, BOX)),
                anchors(call, heads, number, pictureWidth, pictureHeight));
        Value classes = call.part(last, 3, PARTS, parts);
        Value score = confidences.of(call, call.part(last, 3, BOX, PARTS), classes);
        Value best = call.add("ArgMax", List.of(classes), new Params().put("axis", 3L));
        Value label = call.add(
                "Add",
                call.add("Cast", List.of(best), new Params().put("to", DType.FLOAT32.toString())),
                call.number("one", 1));
        List<Value> columns = List.of(label, score, call.add("Sub", middle, half), call.add("Add", middle, half));
        Value rows = call.add("Concat", columns, new Params().put("axis", 3L));
        long all = heads.boxes * cells;
        return new Found(
                call.add("Reshape", List.of(rows), new Params().put("shape", new long[] {1, all, 6})),
                call.add("Reshape", List.of(score), new Params().put("shape", new long[] {1, all})));
    }

    /** {@code 1 / (1 + exp(-box) (1 + exp(-class)))}, which is not the product of the two probabilities. */
    private static Value score(NcnnLayerCall call, Value box, Value classes) {
        Value one = call.number("one", 1);
        Value perClass = call.add("Add", one, call.add("Exp", call.add("Neg", highest(call, classes))));
        Value perBox = call.add("Exp", call.add("Neg", box));
        return call.add("Reciprocal", call.add("Add", one, call.add("Mul", perBox, perClass)));
    }

    /** The product of a box's probability and that of its best class among all classes. */
    private static Value softScore(NcnnLayerCall call, Value box, Value classes) {
        Value shares = call.add("Softmax", new Params().put("axis", 3L), classes);
        return call.add("Mul", call.add("Sigmoid", box), highest(call, shares));
    }

    private static Value highest(NcnnLayerCall call, Value classes) {
        Params along = new Params().put("axis", new long[] {3}).put("keep_dims", true);
        return call.add("ReduceMax", along, classes);
    }

    /** Column and row of each cell. */
    private static Value grid(NcnnLayerCall call, int number, long height, long width) {
        Tensor grid = Tensor.allocate(DType.FLOAT32, height * width, 2);
        for (long cell = 0; cell < height * width; cell++) {
            long column = cell % width;
            long row = cell / width;
            grid.setDouble(2 * cell, (double) column);
            grid.setDouble(2 * cell + 1, (double) row);
        }
        return call.constant("grid_" + number, grid);
    }

    /** Half of each anchor's width and height, as fractions of the picture. */
    private static Value anchors(NcnnLayerCall call, Heads heads, int number, long width, long height) {
        Tensor sizes = Tensor.allocate(DType.FLOAT32, heads.boxes, 1, 2);
        for (int box = 0; box < heads.boxes; box++) {
            sizes.setDouble(2L * box, heads.anchor(call, number, box, 0) / width / 2);
            sizes.setDouble(2L * box + 1, heads.anchor(call, number, box, 1) / height / 2);
        }
        return call.constant("anchors_" + number, sizes);
    }
}
