package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.RandomNetwork.Value;

/**
 * Detection heads: predictions of several feature maps are brought into one list and decoded to boxes, of which some are
 * selected. Networks are cut at boxes and scores, so that both sides order the same scores.
 */
final class RandomDetections {

    private static final int SIDES = 4;

    private RandomDetections() {}

    /** A trunk with feature maps of falling sizes, a head, and what selects boxes. */
    static void fill(RandomNetwork network) {
        Value x = convolved(network, network.newest(), network.one(4, 8, 12), 3, 1);
        int maps = network.between(1, 3);
        int classes = network.between(1, 5);
        int anchors = network.between(1, 3);
        boolean isByAnchors = network.chance(0.5);
        List<Value> boxes = new ArrayList<>();
        List<Value> scores = new ArrayList<>();
        for (int i = 0; i < maps; i++) {
            if (i > 0) {
                x = convolved(network, x, network.one(8, 12), 3, 2);
            }
            if (isByAnchors) {
                anchored(network, x, anchors, classes, 1 << i, boxes, scores);
            } else {
                separate(network, x, anchors, classes, boxes, scores);
            }
        }
        Value allBoxes = joined(network, boxes);
        Value allScores = joined(network, scores);
        if (!isByAnchors) {
            allBoxes = decoded(network, allBoxes);
            String op = classes > 1 ? network.one("Softmax", "Sigmoid") : "Sigmoid";
            allScores = op.equals("Softmax")
                    ? network.node(op, allScores.name(), allScores.sizes(), integer("axis", -1))
                    : network.node(op, allScores.name(), allScores.sizes());
        }
        network.pieces().cut(allBoxes.name());
        network.pieces().cut(allScores.name());
        if (network.chance(0.7)) {
            suppressed(network, allBoxes, allScores, isByAnchors);
        }
        if (network.chance(0.6)) {
            highest(network, allBoxes, allScores);
        }
    }

    private static Value convolved(RandomNetwork network, Value x, long channels, long kernel, long stride) {
        long[] sizes = {
            x.size(0),
            channels,
            (x.size(2) + 2 * (kernel / 2) - kernel) / stride + 1,
            (x.size(3) + 2 * (kernel / 2) - kernel) / stride + 1
        };
        double scale = RandomNetwork.scale(x.size(1) * kernel * kernel);
        Value y = network.node(
                "Conv",
                x.name() + "," + network.weights(scale, channels, x.size(1), kernel, kernel) + ","
                        + network.weights(0.3, channels),
                sizes,
                ints("pads", kernel / 2, kernel / 2, kernel / 2, kernel / 2),
                ints("strides", stride, stride),
                ints("kernel_shape", kernel, kernel));
        return kernel == 1 ? y : network.node(network.one("Relu", "LeakyRelu", "HardSwish"), y.name(), y.sizes());
    }

    private static Value joined(RandomNetwork network, List<Value> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        long sum = parts.stream().mapToLong(part -> part.size(1)).sum();
        String names = String.join(",", parts.stream().map(Value::name).toList());
        return network.node("Concat", names, parts.get(0).sizesWith(1, sum), integer("axis", 1));
    }

    /** Rows of numbers; the batch is taken from the shape of x, as exporters do for a batch that is open. */
    private static Value rows(RandomNetwork network, Value x, long rows, long width) {
        long[] sizes = {x.size(0), rows, width};
        if (network.chance(0.4)) {
            return network.node("Reshape", x.name() + "," + network.longs(x.size(0), -1, width), sizes);
        }
        String shape = network.aside("Shape", x.name());
        String batch = network.chance(0.5)
                ? network.aside(
                        "Slice", shape + "," + network.longs(0) + "," + network.longs(1) + "," + network.longs(0))
                : network.aside("Gather", shape + "," + network.longs(0), integer("axis", 0));
        String wanted = network.aside(
                "Concat", batch + "," + network.longs(-1) + "," + network.longs(width), integer("axis", 0));
        return network.node("Reshape", x.name() + "," + wanted, sizes);
    }

    /** One convolution gives places, sizes, whether something is there, and classes, for each anchor. */
    private static void anchored(
            RandomNetwork network,
            Value x,
            int anchors,
            int classes,
            double stride,
            List<Value> boxes,
            List<Value> scores) {
        long width = 5L + classes;
        long height = x.size(2);
        long columns = x.size(3);
        Value y = convolved(network, x, anchors * width, 1, 1);
        long[] parted = {x.size(0), anchors, width, height, columns};
        long[] last = {x.size(0), anchors, height, columns, width};
        y = network.node("Reshape", y.name() + "," + network.longs(parted), parted);
        y = network.node("Transpose", y.name(), last, ints("perm", 0, 1, 3, 4, 2));
        y = network.node("Sigmoid", y.name(), last);
        List<long[]> sizes = List.of(with(last, 2), with(last, 2), with(last, 1), with(last, classes));
        List<Value> parts =
                network.node("Split", y.name() + "," + network.longs(2, 2, 1, classes), sizes, integer("axis", 4));
        Value places = binary(network, "Mul", parts.get(0), network.scalar(2));
        places = binary(network, "Add", places, network.weights(3, 1, 1, height, columns, 2));
        places = binary(network, "Mul", places, network.scalar(stride));
        Value extents = binary(network, "Mul", parts.get(1), network.scalar(2));
        extents = network.chance(0.5)
                ? binary(network, "Pow", extents, network.scalar(2))
                : network.node("Mul", extents.name() + "," + extents.name(), extents.sizes());
        extents = binary(network, "Mul", extents, network.positive(1, anchors, 1, 1, 2));
        Value both =
                network.node("Concat", places.name() + "," + extents.name(), with(last, SIDES), integer("axis", -1));
        Value likely =
                network.node("Mul", parts.get(3).name() + "," + parts.get(2).name(), with(last, classes));
        long count = anchors * height * columns;
        boxes.add(rows(network, both, count, SIDES));
        scores.add(rows(network, likely, count, classes));
    }

    private static long[] with(long[] sizes, long last) {
        long[] other = sizes.clone();
        other[other.length - 1] = last;
        return other;
    }

    private static Value binary(RandomNetwork network, String op, Value x, String constant) {
        return network.node(op, x.name() + "," + constant, x.sizes());
    }

    /** One convolution gives boxes and another one classes. */
    private static void separate(
            RandomNetwork network, Value x, int anchors, int classes, List<Value> boxes, List<Value> scores) {
        for (long width : new long[] {SIDES, classes}) {
            Value y = convolved(network, x, anchors * width, 1, 1);
            Value last = network.node(
                    "Transpose",
                    y.name(),
                    new long[] {y.size(0), y.size(2), y.size(3), y.size(1)},
                    ints("perm", 0, 2, 3, 1));
            Value rows = rows(network, last, anchors * y.size(2) * y.size(3), width);
            if (boxes.size() == scores.size()) {
                boxes.add(rows);
            } else {
                scores.add(rows);
            }
        }
    }

    /** Corners of boxes that were given as differences from boxes known before. */
    private static Value decoded(RandomNetwork network, Value x) {
        long count = x.size(1);
        long[] half = x.sizesWith(2, 2);
        List<Value> parts =
                network.node("Split", x.name() + "," + network.longs(2, 2), List.of(half, half), integer("axis", 2));
        String known = network.positive(1, count, 2);
        Value centres = binary(network, "Mul", parts.get(0), network.scalar(0.1));
        centres = binary(network, "Mul", centres, known);
        centres = binary(network, "Add", centres, network.weights(2, 1, count, 2));
        Value extents = binary(network, "Mul", parts.get(1), network.scalar(0.2));
        extents = network.node("Exp", extents.name(), half);
        extents = binary(network, "Mul", extents, known);
        Value halves = binary(network, network.chance(0.5) ? "Mul" : "Div", extents, network.scalar(0.5));
        Value low = network.node("Sub", centres.name() + "," + halves.name(), half);
        Value high = network.node("Add", centres.name() + "," + halves.name(), half);
        return network.node("Concat", low.name() + "," + high.name(), x.sizes(), integer("axis", 2));
    }

    private static void suppressed(RandomNetwork network, Value boxes, Value scores, boolean isCentred) {
        Value byClass = network.node(
                "Transpose",
                scores.name(),
                new long[] {scores.size(0), scores.size(2), scores.size(1)},
                ints("perm", 0, 2, 1));
        String limits = network.longs(network.between(1, 20)) + "," + network.reals((float) network.between(0.2, 0.7))
                + "," + network.reals((float) network.between(0.05, 0.6));
        String selected = network.aside(
                "NonMaxSuppression",
                boxes.name() + "," + byClass.name() + "," + limits,
                integer("center_point_box", isCentred ? 1 : 0));
        network.output(selected);
        if (network.chance(0.6)) {
            String places = network.aside("Gather", selected + "," + network.longs(0, 2), integer("axis", 1));
            network.output(network.aside("GatherND", boxes.name() + "," + places));
        }
        if (network.chance(0.4)) {
            String which = network.aside(
                    "Slice", selected + "," + network.longs(2) + "," + network.longs(3) + "," + network.longs(1));
            String flat = network.aside("Squeeze", which + "," + network.longs(1));
            network.output(network.aside("Gather", boxes.name() + "," + flat, integer("axis", 1)));
        }
    }

    private static void highest(RandomNetwork network, Value boxes, Value scores) {
        long count = scores.size(1);
        Value best = network.node(
                "ReduceMax",
                scores.name(),
                new long[] {scores.size(0), count},
                ints("axes", 2),
                integer("keepdims", 0));
        String most = network.longs(Math.min(count, network.between(1, 50)));
        if (network.chance(0.4)) {
            String shape = network.aside("Shape", best.name());
            String rows = network.aside("Gather", shape + "," + network.longs(1), integer("axis", 0));
            most = network.aside("Min", rows + "," + network.longs(network.between(1, 50)));
        }
        List<String> made = network.several("TopK", best.name() + "," + most, 2, integer("axis", 1));
        network.output(made.get(0));
        network.output(made.get(1));
        String turned = network.aside("Unsqueeze", made.get(1) + "," + network.longs(2));
        if (network.chance(0.5)) {
            network.output(network.aside("GatherND", boxes.name() + "," + turned, integer("batch_dims", 1)));
        } else {
            String tiled = network.aside("Tile", turned + "," + network.longs(1, 1, SIDES));
            network.output(network.aside("GatherElements", boxes.name() + "," + tiled, integer("axis", 1)));
        }
        if (network.chance(0.5)) {
            network.output(network.aside("ArgMax", scores.name(), integer("axis", 2), integer("keepdims", 0)));
        }
    }
}
