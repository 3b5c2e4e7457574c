package org.clinfer.importer.tensorflow;

import java.util.Optional;
import java.util.OptionalInt;
import org.clinfer.importer.KnownType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;

/**
 * A value of the TensorFlow graph, and what holds it in ours.
 *
 * @param name its name in TensorFlow's order of axes; a value of ours has this name once somebody wants that order
 * @param type its type in TensorFlow's order of axes, as far as it is known
 * @param stored the value of ours that holds it
 * @param second whether that value has the channels as its second axis, where this one has them last
 */
record TfValue(String name, KnownType type, String stored, boolean second) {

    /** Stands for a value that is not there yet where the graph has a cycle. */
    static final TfValue CYCLIC = plain("", KnownType.NOTHING);

    /** Stands for a value on the branch that is not taken. */
    static final TfValue DEAD = plain("^", KnownType.NOTHING);

    static TfValue plain(String name, KnownType type) {
        return new TfValue(name, type, name, false);
    }

    Optional<DType> dtype() {
        return type.dtype();
    }

    Optional<Shape> shape() {
        return type.shape();
    }

    OptionalInt rank() {
        return type.rank();
    }

    boolean hasRank(int rank) {
        return rank().equals(OptionalInt.of(rank));
    }

    /** The size along an axis of TensorFlow's order, if it is known. */
    Optional<Long> size(int axis) {
        return type.size(axis);
    }
}
