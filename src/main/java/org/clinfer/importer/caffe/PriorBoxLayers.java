package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Boxes of several sizes around each pixel of a map, as fractions of the picture, and their variances. They follow from sizes
 * alone, so that they are known when the network is planned.
 */
final class PriorBoxLayers {

    private static final double SAME = 1e-6;
    private static final int COORDINATES = 4;

    private PriorBoxLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("PriorBox", call -> boxes(call, SizesOf.RATIOS));
        all.one("PriorBoxClustered", call -> boxes(call, SizesOf.PAIRS));
    }

    /** The form in which the sizes of boxes are given. */
    private enum SizesOf {
        /** By lengths and ratios of width to height. */
        RATIOS,
        /** Width and height of each. */
        PAIRS
    }

    private record Box(double width, double height) {}

    private static Value boxes(CaffeLayerCall call, SizesOf form) {
        CaffeFields params = call.params("prior_box_param");
        List<Value> inputs = call.inputs(2, 2);
        Value map = inputs.get(0);
        Value picture = inputs.get(1);
        if (map.rank() != 4 || picture.rank() != 4) {
            throw call.malformed("its bottoms must have 4 axes");
        }
        List<Box> boxes = form == SizesOf.RATIOS ? byRatios(params) : byPairs(params);
        Value pictureSize = pictureSize(call, params, picture);
        Value mapSize = real(call, call.sizes(map, 2, 4));
        Value steps = steps(call, params, mapSize, pictureSize);
        double offset = params.real("offset", 0.5);
        List<Value> centres = new ArrayList<>();
        for (int axis = 0; axis < 2; axis++) {
            centres.add(centres(call, map, steps, axis, offset));
        }
        Value corners = corners(call, boxes, centres, pictureSize);
        if (params.flag("clip", false)) {
            corners = call.add(
                    "Clip", List.of(corners), new Params().put("min", 0.0).put("max", 1.0), corners.shape());
        }
        Value variances = variances(call, params, map, boxes.size());
        List<Value> parts = List.of(flat(call, corners), flat(call, variances));
        return call.add("Concat", parts, new Params().put("axis", 1L), shape(map, boxes.size()));
    }

    private static Shape shape(Value map, int boxes) {
        boolean known = map.shape().dim(2).isKnown() && map.shape().dim(3).isKnown();
        Dim length = known ? Dim.of(map.shape().size(2) * map.shape().size(3) * boxes * COORDINATES) : Dim.unknown();
        return new Shape(List.of(Dim.of(1), Dim.of(2), length));
    }

    private static List<Box> byPairs(CaffeFields params) {
        List<Double> widths = params.reals("width");
        List<Double> heights = params.reals("height");
        if (widths.isEmpty() || widths.size() != heights.size()) {
            throw params.wrong("width", "there are " + widths.size() + " widths and " + heights.size() + " heights");
        }
        List<Box> boxes = new ArrayList<>();
        for (int i = 0; i < widths.size(); i++) {
            boxes.add(new Box(widths.get(i), heights.get(i)));
        }
        return boxes;
    }

    private static List<Box> byRatios(CaffeFields params) {
        List<Double> least = params.reals("min_size");
        List<Double> most = params.reals("max_size");
        if (least.isEmpty() || !(most.isEmpty() || most.size() == least.size())) {
            throw params.wrong(
                    "min_size", "there are " + least.size() + " least and " + most.size() + " largest sizes");
        }
        List<Double> ratios = ratios(params);
        List<Box> boxes = new ArrayList<>();
        for (int i = 0; i < least.size(); i++) {
            // the sizes are whole numbers, whatever is written
            double size = Math.floor(least.get(i));
            boxes.add(new Box(size, size));
            if (!most.isEmpty()) {
                double middle = Math.sqrt(size * Math.floor(most.get(i)));
                boxes.add(new Box(middle, middle));
            }
            for (double ratio : ratios) {
                boxes.add(new Box(size * Math.sqrt(ratio), size / Math.sqrt(ratio)));
            }
        }
        return boxes;
    }

    /** The ratios other than 1, each once. */
    private static List<Double> ratios(CaffeFields params) {
        boolean flip = params.flag("flip", true);
        List<Double> ratios = new ArrayList<>(List.of(1.0));
        for (double ratio : params.reals("aspect_ratio")) {
            if (!(ratio > 0)) {
                throw params.wrong("aspect_ratio", "expected numbers above 0, found " + ratio);
            }
            if (ratios.stream().noneMatch(known -> Math.abs(known - ratio) < SAME)) {
                ratios.add(ratio);
                if (flip) {
                    ratios.add(1 / ratio);
                }
            }
        }
        return ratios.stream().filter(ratio -> Math.abs(ratio - 1) >= SAME).toList();
    }

    private static Value real(CaffeLayerCall call, Value sizes) {
        return call.add("Cast", List.of(sizes), new Params().put("to", DType.FLOAT32.toString()));
    }

    /** Height and width of the picture. */
    private static Value pictureSize(CaffeLayerCall call, CaffeFields params, Value picture) {
        requireEither(params, "img_size", "img_h", "img_w");
        double side = params.size("img_size", 0, 1);
        double height = params.size("img_h", (long) side, 1);
        double width = params.size("img_w", (long) side, 1);
        return height == 0 || width == 0
                ? real(call, call.sizes(picture, 2, 4))
                : pair(call, "img_size", height, width);
    }

    /** Refuses a number for both axes beside one for each. */
    private static void requireEither(CaffeFields params, String both, String height, String width) {
        params.requireTogether(height, width);
        if (params.has(both) && params.has(height)) {
            throw params.wrong(both, "it is given beside " + height + " and " + width);
        }
    }

    private static Value pair(CaffeLayerCall call, String name, double first, double second) {
        return call.constant(name, Tensor.of(new float[] {(float) first, (float) second}, 2));
    }

    /** Rows and columns of the picture for each of the map. */
    private static Value steps(CaffeLayerCall call, CaffeFields params, Value mapSize, Value pictureSize) {
        requireEither(params, "step", "step_h", "step_w");
        double both = params.real("step", 0);
        double height = params.real("step_h", both);
        double width = params.real("step_w", both);
        return height == 0 || width == 0
                ? call.add("Div", List.of(pictureSize, mapSize), new Params(), mapSize.shape())
                : pair(call, "steps", height, width);
    }

    /** The centres along an axis: {@code [rows, 1, 1]} or {@code [columns, 1]}. */
    private static Value centres(CaffeLayerCall call, Value map, Value steps, int axis, double offset) {
        Shape vector = new Shape(List.of(map.shape().dim(2 + axis)));
        Value limit = call.add("Squeeze", List.of(call.sizes(map, 2 + axis, 3 + axis)), new Params(), Shape.SCALAR);
        Value start = call.constant("start", Tensor.scalar(0L));
        Value one = call.constant("step", Tensor.scalar(1L));
        Value range = call.add("Range", List.of(start, limit, one), new Params(), vector);
        Value numbers =
                call.add("Add", List.of(real(call, range), call.number("offset", offset)), new Params(), vector);
        Params part = new Params()
                .put("starts", new long[] {axis})
                .put("ends", new long[] {axis + 1})
                .put("axes", new long[] {0});
        Value step = call.add("Slice", List.of(steps), part);
        Value scaled = call.add("Mul", List.of(numbers, step), new Params(), vector);
        return ScaleLayers.withAxesBehind(call, scaled, axis == 0 ? 3 : 2);
    }

    /** Left, top, right and bottom of each box: {@code [rows, columns, boxes, 4]}. */
    private static Value corners(CaffeLayerCall call, List<Box> boxes, List<Value> centres, Value pictureSize) {
        Shape shape = new Shape(List.of(
                centres.get(0).shape().dim(0),
                centres.get(1).shape().dim(0),
                Dim.of(boxes.size()),
                Dim.of(COORDINATES)));
        Value rows = call.add("Mul", List.of(centres.get(0), mask(call, "rows", 0, 1)), new Params(), shape);
        Value columns = call.add("Mul", List.of(centres.get(1), mask(call, "columns", 1, 0)), new Params(), shape);
        Value centre = call.add("Add", List.of(rows, columns), new Params(), shape);
        Value halves = call.constant("halves", halves(boxes));
        Value corners = call.add("Add", List.of(centre, halves), new Params(), shape);
        Value order = call.constant("order", Tensor.of(new long[] {1, 0, 1, 0}, COORDINATES));
        Value sizes = call.add("Gather", List.of(pictureSize, order), new Params(), Shape.of(COORDINATES));
        return call.add("Div", List.of(corners, sizes), new Params(), shape);
    }

    private static Value mask(CaffeLayerCall call, String name, float even, float odd) {
        return call.constant(name, Tensor.of(new float[] {even, odd, even, odd}, COORDINATES));
    }

    private static Tensor halves(List<Box> boxes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, boxes.size(), COORDINATES);
        for (int i = 0; i < boxes.size(); i++) {
            double[] corners = {
                -boxes.get(i).width() / 2,
                -boxes.get(i).height() / 2,
                boxes.get(i).width() / 2,
                boxes.get(i).height() / 2
            };
            for (int j = 0; j < COORDINATES; j++) {
                tensor.setDouble((long) i * COORDINATES + j, corners[j]);
            }
        }
        return tensor;
    }

    private static Value variances(CaffeLayerCall call, CaffeFields params, Value map, int boxes) {
        List<Double> given = params.reals("variance");
        if (given.size() > 1 && given.size() != COORDINATES) {
            throw params.wrong("variance", "expected 1 or 4 numbers, found " + given.size());
        }
        Tensor tensor = Tensor.allocate(DType.FLOAT32, COORDINATES);
        for (int i = 0; i < COORDINATES; i++) {
            tensor.setDouble(i, given.isEmpty() ? 0.1 : given.get(Math.min(i, given.size() - 1)));
        }
        Value four = call.constant("variances", tensor);
        Value shape = call.join(List.of(call.sizes(map, 2, 4), call.vector("boxes", boxes, COORDINATES)));
        Shape declared = new Shape(List.of(map.shape().dim(2), map.shape().dim(3), Dim.of(boxes), Dim.of(COORDINATES)));
        return call.add("Expand", List.of(four, shape), new Params(), declared);
    }

    private static Value flat(CaffeLayerCall call, Value value) {
        boolean known = value.shape().isKnown();
        Dim length = known ? Dim.of(LongStream.of(value.shape().sizes()).reduce(1, (a, b) -> a * b)) : Dim.unknown();
        return call.add(
                "Reshape",
                List.of(value),
                new Params().put("shape", new long[] {1, 1, -1}),
                new Shape(List.of(Dim.of(1), Dim.of(1), length)));
    }
}
