package org.clinfer.importer.caffe;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * A value of the graph while it is written, and its type at the sizes that the file declares. A network may be run at other
 * sizes, so only the number of axes, and sizes that weights must have, are taken from it.
 */
record Value(String name, TensorType type) {

    Value(String name, Shape shape) {
        this(name, new TensorType(DType.FLOAT32, shape));
    }

    Shape shape() {
        return type.shape();
    }

    int rank() {
        return shape().rank();
    }
}
