package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Operators that give the same elements another shape or order, or repeat them. */
final class ShapeTranslators {

    private ShapeTranslators() {}

    static Map<String, Translator> all() {
        return Map.of(
                "Reshape", ShapeTranslators::reshape,
                "Squeeze", ShapeTranslators::squeeze,
                "ExpandDims", ShapeTranslators::expandDims,
                "Transpose", ShapeTranslators::transpose,
                "Tile", ShapeTranslators::tile,
                "BroadcastTo", ShapeTranslators::broadcastTo);
    }

    private static void reshape(Call call) {
        Value x = call.input(0);
        Optional<Integers> sizes = call.graph().integers(call.input(1));
        Optional<Shape> shape = sizes.map(known -> target(known, x));
        Params params = new Params().put("allow_zero", true);
        Optional<long[]> whole = sizes.flatMap(Integers::all);
        if (whole.isEmpty()) {
            Optional<Shape> rank =
                    call.input(1).size(0).filter(count -> count <= 16).map(count -> Shapes.ofRank(count.intValue()));
            Call.Form form = Call.Form.plain(x.dtype(), shape.or(() -> rank));
            call.give("Reshape", List.of(call.plain(x), call.plain(1)), params, form);
            return;
        }
        call.give(
                "Reshape", List.of(call.plain(x)), params.put("shape", whole.get()), Call.Form.plain(x.dtype(), shape));
    }

    /** The new shape, as far as it is known; one size may follow from the others. */
    private static Shape target(Integers sizes, Value x) {
        Shape shape = ConstantTranslators.shapeOf(sizes);
        List<Optional<Long>> values = sizes.values();
        int open = values.indexOf(Optional.of(-1L));
        boolean rest = IntStream.range(0, values.size())
                .allMatch(
                        i -> i == open || values.get(i).filter(size -> size > 0).isPresent());
        if (open < 0 || !rest || x.shape().isEmpty() || !x.shape().get().isKnown()) {
            return shape;
        }
        long product = 1;
        for (int i = 0; i < values.size(); i++) {
            product = i == open
                    ? product
                    : Math.multiplyExact(product, values.get(i).orElseThrow());
        }
        long elements = x.shape().get().elements();
        return elements % product == 0 ? Shapes.with(shape, open, Dim.of(elements / product)) : shape;
    }

    private static void squeeze(Call call) {
        Value x = call.input(0);
        Optional<long[]> given =
                call.node().integers("squeeze_dims").or(() -> call.node().integers("axis"));
        Optional<long[]> axes = x.shape()
                .flatMap(shape -> given.map(listed -> call.axes(listed, shape.rank()))
                        .or(() -> shape.isKnown() ? Optional.of(ofSizeOne(shape)) : Optional.empty()));
        if (axes.isEmpty()) {
            Params params = new Params();
            given.ifPresent(listed -> params.put("axis", listed));
            call.give("Squeeze", List.of(call.plain(x)), params, Call.Form.plain(x.dtype(), Optional.empty()));
            return;
        }
        int rank = call.rank(x);
        Optional<Shape> shape = x.shape().map(known -> Shapes.without(known, axes.get(), false));
        Call.Form form = Call.Form.plain(x.dtype(), shape);
        if (axes.get().length == 0) {
            call.give(0, x);
            return;
        }
        if (x.second() && ReduceTranslators.keepsOrder(axes.get(), rank)) {
            long[] ours = Arrays.stream(axes.get())
                    .map(axis -> Axes.inSecond((int) axis, rank))
                    .toArray();
            call.give("Squeeze", List.of(x.stored()), new Params().put("axis", ours), form);
            return;
        }
        call.give("Squeeze", List.of(call.plain(x)), new Params().put("axis", axes.get()), form);
    }

    private static long[] ofSizeOne(Shape shape) {
        return IntStream.range(0, shape.rank())
                .filter(axis -> shape.size(axis) == 1)
                .asLongStream()
                .toArray();
    }

    private static void expandDims(Call call) {
        Value x = call.input(0);
        long axis = call.requiredInteger(1, "axis");
        Optional<Shape> shape =
                x.shape().map(known -> Shapes.inserted(known, call.axis(axis, known.rank() + 1), Dim.of(1)));
        Params params = new Params().put("axis", new long[] {axis});
        call.give("Unsqueeze", List.of(call.plain(x)), params, Call.Form.plain(x.dtype(), shape));
    }

    /** Often nothing moves: the order that is wanted is the one in which the value is held, or its other one. */
    private static void transpose(Call call) {
        long[] order = call.requiredIntegers(1, "order of axes");
        int rank = order.length;
        Value x = call.input(0, rank);
        boolean permutation = Arrays.equals(Arrays.stream(order).sorted().toArray(), Axes.range(0, rank));
        if (!permutation) {
            throw call.malformed("its order of axes is " + Arrays.toString(order));
        }
        List<Dim> dims = Arrays.stream(order)
                .mapToObj(axis -> x.shape().orElseThrow().dim((int) axis))
                .toList();
        Optional<Shape> shape = Optional.of(new Shape(dims));
        if (!x.second()
                && (rank == 4 || rank == 5)
                && Arrays.equals(order, Axes.toLast(rank))
                && call.graph().constant(x).isEmpty()) {
            call.give(0, new Value(call.node().name(), x.dtype(), shape, x.stored(), true));
            return;
        }
        long[] ours = x.second()
                ? Arrays.stream(order)
                        .map(axis -> Axes.inSecond((int) axis, rank))
                        .toArray()
                : order;
        if (Arrays.equals(ours, Axes.range(0, rank))) {
            call.give(0, new Value(call.node().name(), x.dtype(), shape, x.stored(), false));
            return;
        }
        Params params = new Params().put("perm", ours);
        call.give("Transpose", List.of(x.stored()), params, Call.Form.plain(x.dtype(), shape));
    }

    private static void tile(Call call) {
        Value x = call.input(0);
        Optional<Shape> shape = x.shape().map(known -> Shapes.ofRank(known.rank()));
        call.give("DeePhiTile", List.of(call.plain(x), call.plain(1)), new Params(), Call.Form.plain(x.dtype(), shape));
    }

    private static void broadcastTo(Call call) {
        Optional<Shape> shape = call.graph().integers(call.input(1)).map(ConstantTranslators::shapeOf);
        Value x = call.input(0);
        call.give("Expand", List.of(call.plain(x), call.plain(1)), new Params(), Call.Form.plain(x.dtype(), shape));
    }
}
