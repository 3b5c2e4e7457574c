package org.clinfer.describe;

import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * An input tensor of a node.
 *
 * @param data its elements where they are known before the run
 */
public record ArgValue(TensorType type, @Nullable Tensor data) {

    /** An input whose elements are not known. */
    public static ArgValue of(TensorType type) {
        return new ArgValue(type, null);
    }

    /** A constant input. */
    public static ArgValue of(Tensor data) {
        return new ArgValue(data.type(), data);
    }
}
