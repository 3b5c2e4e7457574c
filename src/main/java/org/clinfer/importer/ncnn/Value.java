package org.clinfer.importer.ncnn;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * A value of the graph while it is written, and its type at the sizes that the file declares; the first axis is the batch. A
 * network may be run at other sizes, so only the number of axes, and sizes that weights must have, are taken from it.
 */
record Value(String name, TensorType type) {

    /** An operand that is left out. */
    static final Value NONE = new Value("", Shape.SCALAR);

    Value(String name, Shape shape) {
        this(name, new TensorType(DType.FLOAT32, shape));
    }

    Shape shape() {
        return type.shape();
    }

    int rank() {
        return shape().rank();
    }

    /** The axes that ncnn counts. */
    int dims() {
        return rank() - 1;
    }

    /** The size of an axis, or 0 where it is not known. */
    long sizeOr0(int axis) {
        return shape().dim(axis) instanceof Dim.Known known ? known.size() : 0;
    }
}
