package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.clinfer.importer.Params;
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
    private static final int PARTS = 5;

    private final Writer graph;
    private final Section layer;
    private final Blob x;
    private final String name;
    private final long classes;

    private Heads(Writer graph, Section layer, String name, Blob x) {
        this.graph = graph;
        this.layer = layer;
        this.name = name;
        this.x = x;
        this.classes = layer.size("classes", 20, 1);
    }

    /** Boxes of YOLO v3 and later. */
    static Blob yolo(Writer graph, Section layer, int number, Blob x, Section net) {
        layer.ignore("jitter", "ignore_thresh", "truth_thresh", "random", "iou_thresh", "cls_normalizer", "max");
        layer.ignore("iou_normalizer", "iou_loss", "nms_kind", "beta_nms", "resize", "max_delta", "obj_normalizer");
        layer.ignore(
                "objectness_smooth", "label_smooth_eps", "num", "map", "focal_loss", "counters_per_class", "max_boxes");
        Heads head = new Heads(graph, layer, "yolo_" + number, x);
        List<Double> anchors = head.anchors(layer.integers("mask"));
        double[] picture = {net.size("width", 416, 1), net.size("height", 416, 1)};
        boolean plain = layer.flag("new_coords", false);
        return head.decoded(number, anchors, picture, plain ? Form.SQUARES : Form.LOGISTIC, head::aboveThreshold);
    }

    /** Boxes of YOLO v2, whose anchors are in cells. */
    static Blob region(Writer graph, Section layer, int number, Blob x) {
        layer.ignore("jitter", "rescore", "object_scale", "noobject_scale", "class_scale", "coord_scale", "absolute");
        layer.ignore("random", "bias_match", "num", "log", "sqrt");
        layer.ignore("thresh"); // of the overlap, in training
        if (layer.size("coords", BOX, 0) != BOX) {
            throw layer.unsupportedUse("'coords' other than 4");
        }
        Heads head = new Heads(graph, layer, "region_" + number, x);
        double[] cells = {x.width(), x.height()};
        Form form = layer.flag("softmax", false) ? Form.SOFTMAX : Form.LOGISTIC;
        return head.decoded(number, head.anchors(List.of()), cells, form, UnaryOperator.identity());
    }

    private enum Form {
        LOGISTIC,
        SOFTMAX,
        /** The input is between 0 and 1 already. */
        SQUARES
    }

    /** Width and height of each anchor in use. */
    private List<Double> anchors(List<Long> mask) {
        List<Double> all = layer.reals("anchors");
        List<Double> used = mask.isEmpty() ? all : new ArrayList<>();
        for (long index : mask) {
            if (index < 0 || 2 * index + 1 >= all.size()) {
                throw layer.wrong("mask", "there is no anchor " + index);
            }
            used.add(all.get((int) (2 * index)));
            used.add(all.get((int) (2 * index) + 1));
        }
        long boxes = used.size() / 2;
        if (boxes == 0 || used.size() % 2 != 0 || x.channels() != boxes * (PARTS + classes)) {
            throw layer.malformed("it has " + x.channels() + " channels for " + used.size() + " sizes of anchors and "
                    + classes + " classes");
        }
        return used;
    }

    /** The rows of all boxes, with the scores of classes that {@code kept} makes of the products of both scores. */
    private Blob decoded(int number, List<Double> anchors, double[] unit, Form form, UnaryOperator<String> kept) {
        long boxes = anchors.size() / 2;
        String last = graph.addNamed(
                layer.source(),
                "permute_" + number,
                "Transpose",
                List.of(x.name()),
                new Params().put("perm", new long[] {0, 2, 3, 1}));
        String cells = add(
                "Reshape",
                new Params().put("shape", new long[] {-1, x.height() * x.width(), boxes, PARTS + classes}),
                last);
        String middle = middle(part(cells, 0, 2), form);
        String size = size(part(cells, 2, BOX), anchors, unit, form);
        String score = part(cells, BOX, PARTS);
        String kinds = part(cells, PARTS, PARTS + classes);
        if (form != Form.SQUARES) {
            score = add("Sigmoid", new Params(), score);
            kinds = form == Form.SOFTMAX
                    ? add("Softmax", new Params().put("axis", -1L), kinds)
                    : add("Sigmoid", new Params(), kinds);
        }
        String product = add("Mul", new Params(), kinds, score);
        String rows = add("Concat", new Params().put("axis", 3L), middle, size, score, kept.apply(product));
        graph.addNamed(layer.source(), name, "Reshape", List.of(rows), new Params().put("shape", new long[] {
                    -1, PARTS + classes
                }));
        return new Blob(name, PARTS + classes, 1, 1);
    }

    /** Scores, or 0 where they are not above the option {@code thresh}. */
    private String aboveThreshold(String scores) {
        String threshold = number("thresh", layer.real("thresh", THRESHOLD));
        String above = add("Greater", new Params(), scores, threshold);
        return add("Where", new Params(), above, scores, number("none", 0));
    }

    private String add(String op, Params params, String... operands) {
        return graph.add(layer.source(), name, op, List.of(operands), params);
    }

    private String number(String what, double value) {
        return graph.constant(name + "/" + what, Tensor.scalar((float) value));
    }

    private String part(String cells, long first, long end) {
        return add(
                "Slice",
                new Params()
                        .put("starts", new long[] {first})
                        .put("ends", new long[] {end})
                        .put("axes", new long[] {3}),
                cells);
    }

    /** The middle of a box: its cell, and where in the cell. */
    private String middle(String raw, Form form) {
        double spread = layer.real("scale_x_y", 1);
        String inside = form == Form.SQUARES ? raw : add("Sigmoid", new Params(), raw);
        if (spread != 1) {
            String wide = add("Mul", new Params(), inside, number("scale_x_y", spread));
            inside = add("Sub", new Params(), wide, number("shift", (spread - 1) / 2));
        }
        int count = Math.toIntExact(x.height() * x.width());
        Tensor grid = Tensor.allocate(DType.FLOAT32, count, 1, 2);
        for (int cell = 0; cell < count; cell++) {
            long row = cell / x.width();
            long column = cell % x.width();
            grid.setDouble(2L * cell, (double) column);
            grid.setDouble(2L * cell + 1, (double) row);
        }
        String placed = add("Add", new Params(), inside, graph.constant(name + "/cells", grid));
        return add("Div", new Params(), placed, pair("grid", (double) x.width(), (double) x.height()));
    }

    private String pair(String what, double first, double second) {
        return graph.constant(name + "/" + what, Tensor.of(new float[] {(float) first, (float) second}, 2));
    }

    private String size(String raw, List<Double> anchors, double[] unit, Form form) {
        Tensor sizes = Tensor.allocate(DType.FLOAT32, anchors.size() / 2, 2);
        double factor = form == Form.SQUARES ? 4 : 1;
        for (int i = 0; i < anchors.size(); i++) {
            sizes.setDouble(i, factor * anchors.get(i) / unit[i % 2]);
        }
        String growth = form == Form.SQUARES ? add("Mul", new Params(), raw, raw) : add("Exp", new Params(), raw);
        return add("Mul", new Params(), growth, graph.constant(name + "/anchors", sizes));
    }
}
