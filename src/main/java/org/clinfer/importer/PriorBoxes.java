package org.clinfer.importer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Boxes of several sizes around each pixel of a map, as fractions of the picture, and their variances. They follow from sizes
 * alone, so that they are known when the network is planned.
 *
 * @param boxes those of one pixel
 * @param offset of a box's centre in its pixel, in parts of it
 * @param clip whether boxes end where the picture ends
 * @param variances of left, top, right and bottom
 */
public record PriorBoxes(List<Box> boxes, double offset, boolean clip, List<Double> variances) {

    private static final double SAME = 1e-6;
    private static final int COORDINATES = 4;

    /** Width and height in pixels of the picture. */
    public record Box(double width, double height) {

        static Box square(double side) {
            return new Box(side, side);
        }

        static Box of(double side, double ratio) {
            return new Box(side * Math.sqrt(ratio), side / Math.sqrt(ratio));
        }
    }

    /**
     * A map.
     *
     * @param sizes a vector of rows and columns
     * @param rows as far as they are declared
     * @param columns as far as they are declared
     */
    public record Grid(Value sizes, Dim rows, Dim columns) {

        /** The map of a value: [N, C, H, W]. */
        public static Grid of(LayerNodes nodes, Value map) {
            return new Grid(
                    nodes.sizes(map, 2, 4), map.shape().dim(2), map.shape().dim(3));
        }
    }

    /** The four variances, of which a file may give one, or none. */
    public static List<Double> variances(List<Double> given) {
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < COORDINATES; i++) {
            all.add(given.isEmpty() ? 0.1 : given.get(Math.min(i, given.size() - 1)));
        }
        return all;
    }

    /** The ratios of width to height other than 1, each once. */
    public static List<Double> ratios(List<Double> given, boolean flip) {
        List<Double> ratios = new ArrayList<>(List.of(1.0));
        for (double ratio : given) {
            if (ratios.stream().noneMatch(known -> Math.abs(known - ratio) < SAME)) {
                ratios.add(ratio);
                if (flip) {
                    ratios.add(1 / ratio);
                }
            }
        }
        return ratios.stream().filter(ratio -> Math.abs(ratio - 1) >= SAME).toList();
    }

    /**
     * For each least size: a square, one between it and the largest size, and boxes of other ratios.
     *
     * @param most of as many as {@code least}, or of none
     */
    public static List<Box> boxes(List<Double> least, List<Double> most, List<Double> ratios) {
        List<Box> boxes = new ArrayList<>();
        for (int i = 0; i < least.size(); i++) {
            double size = least.get(i);
            boxes.add(Box.square(size));
            if (!most.isEmpty()) {
                boxes.add(Box.square(Math.sqrt(size * most.get(i))));
            }
            ratios.forEach(ratio -> boxes.add(Box.of(size, ratio)));
        }
        return boxes;
    }

    /** One box for each width and height. */
    public static List<Box> boxes(List<Double> widths, List<Double> heights) {
        return IntStream.range(0, widths.size())
                .mapToObj(i -> new Box(widths.get(i), heights.get(i)))
                .toList();
    }

    /**
     * Adds them: {@code [1, 2, rows * columns * boxes * 4]}, left, top, right and bottom of each, then their variances.
     *
     * @param steps rows and columns of the picture for each of the map, float32
     * @param picture its height and width, float32
     */
    public Value add(LayerNodes nodes, Grid grid, Value steps, Value picture) {
        if (!new TensorType(DType.FLOAT64, shape(grid)).fits()) {
            throw nodes.malformed("a map of " + grid.rows + "x" + grid.columns + " has too many boxes");
        }
        Value corners = corners(nodes, grid, steps, picture);
        if (clip) {
            corners = nodes.add(
                    "Clip", List.of(corners), new Params().put("min", 0.0).put("max", 1.0), corners.shape());
        }
        List<Value> parts = List.of(flat(nodes, corners), flat(nodes, variances(nodes, grid)));
        Shape shape =
                new Shape(List.of(Dim.of(1), Dim.of(2), parts.get(0).shape().dim(2)));
        return nodes.add("Concat", parts, new Params().put("axis", 1L), shape);
    }

    /** Rows and columns of the picture for each of the map, as their sizes have it. */
    public static Value steps(LayerNodes nodes, Grid grid, Value picture) {
        return nodes.add("Div", List.of(picture, real(nodes, grid.sizes)), new Params(), Shape.of(2));
    }

    /** Two numbers that are known, for height and width. */
    public static Value pair(LayerNodes nodes, String name, double height, double width) {
        return nodes.constant(name, Tensor.of(new float[] {(float) height, (float) width}, 2));
    }

    /** Sizes as float32. */
    public static Value real(LayerNodes nodes, Value sizes) {
        return nodes.add("Cast", List.of(sizes), new Params().put("to", DType.FLOAT32.toString()));
    }

    private Shape shape(Grid grid) {
        return new Shape(List.of(grid.rows, grid.columns, Dim.of(boxes.size()), Dim.of(COORDINATES)));
    }

    /** Left, top, right and bottom of each box: {@code [rows, columns, boxes, 4]}. */
    private Value corners(LayerNodes nodes, Grid grid, Value steps, Value picture) {
        Shape shape = shape(grid);
        Value rows = nodes.add(
                "Mul", List.of(centres(nodes, grid, steps, 0), mask(nodes, "rows", 0, 1)), new Params(), shape);
        Value columns = nodes.add(
                "Mul", List.of(centres(nodes, grid, steps, 1), mask(nodes, "columns", 1, 0)), new Params(), shape);
        Value centre = nodes.add("Add", List.of(rows, columns), new Params(), shape);
        Value corners = nodes.add("Add", List.of(centre, nodes.constant("halves", halves())), new Params(), shape);
        Value order = nodes.constant("order", Tensor.of(new long[] {1, 0, 1, 0}, COORDINATES));
        Value sizes = nodes.add("Gather", List.of(picture, order), new Params(), Shape.of(COORDINATES));
        return nodes.add("Div", List.of(corners, sizes), new Params(), shape);
    }

    /** The centres along an axis: {@code [rows, 1, 1, 1]} or {@code [columns, 1, 1]}. */
    private Value centres(LayerNodes nodes, Grid grid, Value steps, int axis) {
        Dim count = axis == 0 ? grid.rows : grid.columns;
        Shape vector = new Shape(List.of(count));
        Params part = new Params()
                .put("starts", new long[] {axis})
                .put("ends", new long[] {axis + 1})
                .put("axes", new long[] {0});
        Value size = nodes.add("Slice", List.of(grid.sizes), part);
        Value limit = nodes.add("Squeeze", List.of(size), new Params(), Shape.SCALAR);
        Value start = nodes.constant("start", Tensor.scalar(0L));
        Value one = nodes.constant("step", Tensor.scalar(1L));
        Value range = nodes.add("Range", List.of(start, limit, one), new Params(), vector);
        Value numbers =
                nodes.add("Add", List.of(real(nodes, range), nodes.number("offset", offset)), new Params(), vector);
        Value step = nodes.add("Slice", List.of(steps), part);
        Value scaled = nodes.add("Mul", List.of(numbers, step), new Params(), vector);
        int behind = 3 - axis;
        List<Dim> dims = new ArrayList<>(List.of(count));
        dims.addAll(Collections.nCopies(behind, Dim.of(1)));
        long[] axes = LongStream.rangeClosed(1, behind).toArray();
        return nodes.add("Unsqueeze", List.of(scaled), new Params().put("axis", axes), new Shape(dims));
    }

    private static Value mask(LayerNodes nodes, String name, float even, float odd) {
        return nodes.constant(name, Tensor.of(new float[] {even, odd, even, odd}, COORDINATES));
    }

    /** The corners of each box around its centre: {@code [boxes, 4]}. */
    private Tensor halves() {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, boxes.size(), COORDINATES);
        for (int i = 0; i < boxes.size(); i++) {
            double x = boxes.get(i).width / 2;
            double y = boxes.get(i).height / 2;
            double[] corners = {-x, -y, x, y};
            for (int j = 0; j < COORDINATES; j++) {
                tensor.setDouble((long) i * COORDINATES + j, corners[j]);
            }
        }
        return tensor;
    }

    private Value variances(LayerNodes nodes, Grid grid) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, COORDINATES);
        for (int i = 0; i < COORDINATES; i++) {
            tensor.setDouble(i, variances.get(i));
        }
        Value four = nodes.constant("variances", tensor);
        Value shape = nodes.join(List.of(grid.sizes, nodes.vector("boxes", boxes.size(), COORDINATES)));
        return nodes.add("Expand", List.of(four, shape), new Params(), shape(grid));
    }

    private static Value flat(LayerNodes nodes, Value value) {
        boolean known = value.shape().isKnown();
        Dim length = known ? Dim.of(value.shape().elements()) : Dim.unknown();
        return nodes.add(
                "Reshape",
                List.of(value),
                new Params().put("shape", new long[] {1, 1, -1}),
                new Shape(List.of(Dim.of(1), Dim.of(1), length)));
    }
}
