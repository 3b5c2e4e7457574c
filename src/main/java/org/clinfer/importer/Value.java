package org.clinfer.importer;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A value of the graph while it is written.
 *
 * @param name its name, {@code ""} for an operand that is left out
 * @param declared its type at the sizes that the file declares; where a network may be run at other sizes, only the number of
 *     axes, and sizes that weights must have, are taken from it; null for what a refused layer would give
 */
public record Value(String name, @Nullable TensorType declared) {

    /** An operand that is left out. */
    public static final Value NONE = new Value("", Shape.SCALAR);

    /** A value of float32. */
    public Value(String name, Shape shape) {
        this(name, new TensorType(DType.FLOAT32, shape));
    }

    /** The output of a refused layer. */
    public static Value untyped(String name) {
        return new Value(name, (TensorType) null);
    }

    public boolean isTyped() {
        return declared != null;
    }

    /**
     * Its type at the declared sizes.
     *
     * @throws UntypedException if a refused layer would give it
     */
    public TensorType type() {
        if (declared == null) {
            throw new UntypedException();
        }
        return declared;
    }

    /** Its shape at the declared sizes. */
    public Shape shape() {
        return type().shape();
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
