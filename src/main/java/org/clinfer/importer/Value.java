package org.clinfer.importer;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * A value of the graph while it is written.
 *
 * @param name its name, {@code ""} for an operand that is left out
 * @param type its type at the sizes that the file declares; where a network may be run at other sizes, only the number of axes,
 *     and sizes that weights must have, are taken from it
 */
public record Value(String name, TensorType type) {

    /** An operand that is left out. */
    public static final Value NONE = new Value("", Shape.SCALAR);

    /** A value of float32. */
    public Value(String name, Shape shape) {
        this(name, new TensorType(DType.FLOAT32, shape));
    }

    /** Its shape at the declared sizes. */
    public Shape shape() {
        return type.shape();
    }

    /** The number of its axes. */
    public int rank() {
        return shape().rank();
    }

    /** The size of an axis, or 0 where it is not known. */
    public long sizeOr0(int axis) {
        return shape().dim(axis) instanceof Dim.Known known ? known.size() : 0;
    }
}
