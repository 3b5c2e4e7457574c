package org.clinfer.importer.tensorflow;

import java.util.Optional;
import java.util.OptionalInt;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/**
 * A value of the TensorFlow graph, and what holds it in ours.
 *
 * @param name its name in TensorFlow's order of axes; a value of ours has this name once somebody wants that order
 * @param shape in TensorFlow's order of axes; empty where not even the number of axes is known
 * @param stored the value of ours that holds it
 * @param second whether that value has the channels as its second axis, where this one has them last
 */
record Value(String name, Optional<DType> dtype, Optional<Shape> shape, String stored, boolean second) {

    /** Stands for a value that an operator would give which cannot be used. */
    static final Value REFUSED = plain("", Optional.empty(), Optional.empty());

    /** Stands for a value on the branch that is not taken. */
    static final Value DEAD = plain("^", Optional.empty(), Optional.empty());

    static Value plain(String name, Optional<DType> dtype, Optional<Shape> shape) {
        return new Value(name, dtype, shape, name, false);
    }

    OptionalInt rank() {
        return shape.isPresent() ? OptionalInt.of(shape.get().rank()) : OptionalInt.empty();
    }

    boolean hasRank(int rank) {
        return shape.isPresent() && shape.get().rank() == rank;
    }

    /** The size along an axis of TensorFlow's order, if it is known. */
    Optional<Long> size(int axis) {
        return shape.filter(known -> axis >= 0 && axis < known.rank())
                .map(known -> known.dim(axis))
                .flatMap(dim -> dim instanceof Dim.Known known ? Optional.of(known.size()) : Optional.empty());
    }
}
