package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Layers that make boxes of the last convolution: a row for each cell and anchor, with the middle, width and height as
 * fractions of the picture, the score of the box, and that of each class; in YOLO v3 and later 0 where it is not above a
 * threshold. Boxes that overlap are all there. The input with the channels last is a value of its own, {@code permute_N}.
 */
final class Heads {

    private static final double THRESHOLD = 0.2;
    private static final int BOX = 4;

    /** Numbers of a box whose places and sizes each have another one that says how uncertain it is. */
    private static final int UNCERTAIN_BOX = 8;

    private static final int PARTS = 5;
    private static final long MOST_CELLS = 1L << 22;

    private final DarknetLayerCall layer;
    private final Section options;
    private final Value x;
    private final long classes;

    /** The numbers of a box in the input. */
    private final int numbers;

    private Heads(DarknetLayerCall layer, int numbers) {
        this.layer = layer;
        this.numbers = numbers;
        this.options = layer.options();
        this.x = layer.input();
        this.classes = options.size("classes", 20, 1);
    }

    static void addTo(LayerTable<DarknetLayerCall> all) {
        all.one("yolo", call -> new Heads(call, BOX).yolo());
        all.one("gaussian_yolo", call -> new Heads(call, UNCERTAIN_BOX).yolo());
        all.one("region", call -> new Heads(call, BOX).region());
    }

    /** Boxes of YOLO v3 and later; of the Gaussian one, classes have scores that fall as the box gets uncertain. */
    private Value yolo() {
        if (numbers == UNCERTAIN_BOX) {
            options.ignore("uc_normalizer", "delta_normalizer", "iou_thresh_kind");
        }
        options.ignore("jitter", "ignore_thresh", "truth_thresh", "random", "iou_thresh", "cls_normalizer", "max");
        options.ignore("iou_normalizer", "iou_loss", "nms_kind", "beta_nms", "resize", "max_delta", "obj_normalizer");
        options.ignore(
                "objectness_smooth", "label_smooth_eps", "num", "map", "focal_loss", "counters_per_class", "max_boxes");
        Value picture = layer.picture();
        double[] unit = {DarknetLayerCall.width(picture), DarknetLayerCall.height(picture)};
        boolean squares = numbers == BOX && options.flag("new_coords", false);
        Form form = squares ? Form.SQUARES : Form.LOGISTIC;
        return decoded(anchors(options.integers("mask")), unit, form, Optional.empty(), this::aboveThreshold);
    }

    /** Boxes of YOLO v2, whose anchors are in cells. */
    private Value region() {
        options.ignore("jitter", "rescore", "object_scale", "noobject_scale", "class_scale", "coord_scale", "absolute");
        options.ignore("random", "bias_match", "num", "log", "sqrt");
        options.ignore("thresh"); // of the overlap, in training
        if (options.size("coords", BOX, 0) != BOX) {
            throw layer.unsupportedUse("'coords' other than 4");
        }
        double[] unit = {DarknetLayerCall.width(x), DarknetLayerCall.height(x)};
        Form form = options.flag("softmax", false) ? Form.SOFTMAX : Form.LOGISTIC;
        return decoded(anchors(List.of()), unit, form, layer.tree(classes), UnaryOperator.identity());
    }

    private enum Form {
        LOGISTIC,
        SOFTMAX,
        /** The input is between 0 and 1 already. */
        SQUARES
    }

    /** Width and height of each anchor in use. */
    private List<Double> anchors(List<Long> mask) {
        List<Double> all = options.reals("anchors");
        List<Double> used = mask.isEmpty() ? all : new ArrayList<>();
        for (long index : mask) {
            if (index < 0 || 2 * index + 1 >= all.size()) {
                throw options.wrong("mask", "there is no anchor " + index);
            }
            used.add(all.get((int) (2 * index)));
            used.add(all.get((int) (2 * index) + 1));
        }
        long boxes = used.size() / 2;
        if (boxes == 0 || used.size() % 2 != 0 || DarknetLayerCall.channels(x) != boxes * (numbers + 1 + classes)) {
            throw layer.malformed("it has " + DarknetLayerCall.channels(x) + " channels for " + used.size()
                    + " sizes of anchors and " + classes + " classes");
        }
        return used;
    }

    /** The rows of all boxes, with the scores of classes that {@code kept} makes of the products of both scores. */
    private Value decoded(
            List<Double> anchors, double[] unit, Form form, Optional<ClassTree> tree, UnaryOperator<Value> kept) {
        long positions = DarknetLayerCall.height(x) * DarknetLayerCall.width(x);
        Value turned = layer.add("Transpose", new Params().put("perm", new long[] {0, 2, 3, 1}), x);
        Value last = layer.renamed(turned, () -> "permute_" + layer.number());
        Value all = layer.reshaped(last, -1, positions, anchors.size() / 2, numbers + 1 + classes);
        Value cells = numbers == BOX ? all : withoutUncertainties(all);
        Value size = size(part(cells, 2, BOX), anchors, unit, form);
        Value middle = shifted(middle(part(cells, 0, 2), form), size);
        Value score = part(cells, BOX, PARTS);
        Value kinds = part(cells, PARTS, PARTS + classes);
        if (form != Form.SQUARES) {
            score = layer.add("Sigmoid", score);
        }
        if (tree.isPresent()) {
            Value rows = layer.reshaped(kinds, -1, classes);
            kinds = layer.reshapedLike(tree.get().products(tree.get().shares(rows)), kinds);
        } else if (form != Form.SQUARES) {
            kinds = form == Form.SOFTMAX
                    ? layer.add("Softmax", new Params().put("axis", -1L), kinds)
                    : layer.add("Sigmoid", kinds);
        }
        Value product = layer.add("Mul", kinds, score);
        Value probabilities = numbers == BOX ? product : layer.add("Mul", product, certainty(all));
        Value shown = kept.apply(probabilities);
        Value rows = layer.add("Concat", new Params().put("axis", 3L), middle, size, score, shown);
        return layer.reshaped(rows, -1, PARTS + classes);
    }

    /** Every other number of the boxes, of which the first ones are places and sizes. */
    private Value everyOther(Value cells, long first) {
        Params params = new Params()
                .put("starts", new long[] {first})
                .put("ends", new long[] {UNCERTAIN_BOX})
                .put("axes", new long[] {3})
                .put("steps", new long[] {2});
        return layer.add("Slice", params, cells);
    }

    private Value withoutUncertainties(Value cells) {
        Value rest = part(cells, UNCERTAIN_BOX, UNCERTAIN_BOX + 1 + classes);
        return layer.add("Concat", new Params().put("axis", 3L), everyOther(cells, 0), rest);
    }

    /** The certainty of a box: 1 less the mean of its four uncertainties. */
    private Value certainty(Value cells) {
        Params last = new Params().put("axis", new long[] {3}).put("keep_dims", true);
        Value mean = layer.add("Mean", last, layer.add("Sigmoid", everyOther(cells, 1)));
        return layer.add("Sub", layer.number("certain", 1), mean);
    }

    /** The middle of a box of which a cell has the corner that the option {@code yolo_point} names. */
    private Value shifted(Value point, Value size) {
        String name = numbers == BOX ? "center" : options.text("yolo_point").orElse("center");
        double share = switch (name) {
            case "center" -> 0;
            case "left_top" -> 0.5;
            case "right_bottom" -> -0.5;
            default -> throw options.wrong("yolo_point", "expected center, left_top or right_bottom");
        };
        return share == 0 ? point : layer.add("Add", point, layer.times("yolo_point", size, share));
    }

    /** Scores, or 0 where they are not above the option {@code thresh}. */
    private Value aboveThreshold(Value scores) {
        Value threshold = layer.number("thresh", options.real("thresh", THRESHOLD));
        return layer.add("Where", layer.add("Greater", scores, threshold), scores, layer.number("none", 0));
    }

    private Value part(Value cells, long first, long end) {
        return layer.slice(cells, new long[] {3}, new long[] {first}, new long[] {end});
    }

    /** The middle of a box: its cell, and where in the cell. */
    private Value middle(Value raw, Form form) {
        double spread = options.real("scale_x_y", 1);
        Value inside = form == Form.SQUARES ? raw : layer.add("Sigmoid", raw);
        if (spread != 1) {
            Value wide = layer.times("scale_x_y", inside, spread);
            inside = layer.add("Sub", wide, layer.number("shift", (spread - 1) / 2));
        }
        long width = DarknetLayerCall.width(x);
        if (DarknetLayerCall.height(x) > MOST_CELLS / width) {
            throw layer.unsupportedUse("more than " + MOST_CELLS + " cells");
        }
        int count = (int) (DarknetLayerCall.height(x) * width);
        Tensor grid = Tensor.allocate(DType.FLOAT32, count, 1, 2);
        for (int cell = 0; cell < count; cell++) {
            long row = cell / width;
            long column = cell % width;
            grid.setDouble(2L * cell, (double) column);
            grid.setDouble(2L * cell + 1, (double) row);
        }
        Value placed = layer.add("Add", inside, layer.constant("cells", grid));
        float[] sides = {(float) width, (float) DarknetLayerCall.height(x)};
        return layer.add("Div", placed, layer.constant("grid", Tensor.of(sides, 2)));
    }

    private Value size(Value raw, List<Double> anchors, double[] unit, Form form) {
        Tensor sizes = Tensor.allocate(DType.FLOAT32, anchors.size() / 2, 2);
        double factor = form == Form.SQUARES ? 4 : 1;
        for (int i = 0; i < anchors.size(); i++) {
            sizes.setDouble(i, factor * anchors.get(i) / unit[i % 2]);
        }
        Value growth = form == Form.SQUARES ? layer.add("Mul", raw, raw) : layer.add("Exp", raw);
        return layer.add("Mul", growth, layer.constant("anchors", sizes));
    }
}
