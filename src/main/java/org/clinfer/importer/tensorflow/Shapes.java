package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** The shapes of operators' results, as far as the importer follows them; what it does not know the check finds. */
final class Shapes {

    private Shapes() {}

    static Shape ofRank(int rank) {
        return new Shape(Collections.nCopies(rank, Dim.unknown()));
    }

    /** The shape of values that broadcast; empty if the number of axes of one is not known. */
    static Optional<Shape> broadcast(List<Value> values) {
        Shape result = Shape.SCALAR;
        for (Value value : values) {
            if (value.shape().isEmpty()) {
                return Optional.empty();
            }
            result = broadcast(result, value.shape().get());
        }
        return Optional.of(result);
    }

    private static Shape broadcast(Shape left, Shape right) {
        int rank = Math.max(left.rank(), right.rank());
        List<Dim> dims = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            dims.add(broadcast(fromEnd(left, rank - axis), fromEnd(right, rank - axis)));
        }
        return new Shape(dims);
    }

    private static Dim fromEnd(Shape shape, int place) {
        return place > shape.rank() ? Dim.of(1) : shape.dim(shape.rank() - place);
    }

    private static Dim broadcast(Dim left, Dim right) {
        if (left.equals(Dim.of(1)) || left.equals(right)) {
            return right;
        }
        if (right.equals(Dim.of(1)) || left.isKnown()) {
            return left;
        }
        return right.isKnown() ? right : Dim.unknown();
    }

    /** The shape with one size changed. */
    static Shape with(Shape shape, int axis, Dim size) {
        List<Dim> dims = new ArrayList<>(shape.dims());
        dims.set(axis, size);
        return new Shape(dims);
    }

    /** The shape with one axis more. */
    static Shape inserted(Shape shape, int axis, Dim size) {
        List<Dim> dims = new ArrayList<>(shape.dims());
        dims.add(axis, size);
        return new Shape(dims);
    }

    /** The shape without some axes, or with size 1 there. */
    static Shape without(Shape shape, long[] axes, boolean keep) {
        List<Dim> dims = new ArrayList<>();
        for (int axis = 0; axis < shape.rank(); axis++) {
            int place = axis;
            if (Arrays.stream(axes).noneMatch(each -> each == place)) {
                dims.add(shape.dim(axis));
            } else if (keep) {
                dims.add(Dim.of(1));
            }
        }
        return new Shape(dims);
    }

    static Dim dim(Optional<Long> size) {
        return size.filter(known -> known >= 0).map(Dim::of).orElse(Dim.unknown());
    }
}
