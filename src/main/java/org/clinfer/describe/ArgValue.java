package org.clinfer.describe;

import java.util.List;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * An input tensor of a node.
 *
 * @param data its elements where they are known before the run
 * @param sizes the elements of a scalar or vector of integers of which some are known; null where {@code data} says them,
 *     or none is known
 * @param given the input of the network of which its elements are some, unchanged; null where they are known, or computed
 */
public record ArgValue(
        TensorType type,
        @Nullable Tensor data,
        @Nullable List<ExpressionValue> sizes,
        @Nullable String given) {

    /** An input of which nobody gives the elements with each run. */
    public ArgValue(TensorType type, @Nullable Tensor data, @Nullable List<ExpressionValue> sizes) {
        this(type, data, sizes, null);
    }

    /** An input all or none of whose elements are known. */
    public ArgValue(TensorType type, @Nullable Tensor data) {
        this(type, data, null);
    }

    /** An input whose elements are not known. */
    public static ArgValue of(TensorType type) {
        return new ArgValue(type, null);
    }

    /** An input of integers some of which are known. */
    public static ArgValue of(TensorType type, List<ExpressionValue> sizes) {
        return new ArgValue(type, null, List.copyOf(sizes));
    }

    /** A constant input. */
    public static ArgValue of(Tensor data) {
        return new ArgValue(data.type(), data);
    }
}
