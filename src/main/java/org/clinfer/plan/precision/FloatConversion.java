package org.clinfer.plan.precision;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.describe.InputDescription;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The floats that are computed in another type.
 *
 * @param from the types that a network has
 * @param to the type that they are computed in
 */
record FloatConversion(Set<DType> from, DType to) {

    static final FloatConversion NARROWING = new FloatConversion(Set.of(DType.FLOAT32), DType.FLOAT16);
    static final FloatConversion WIDENING = new FloatConversion(Set.of(DType.FLOAT16, DType.BFLOAT16), DType.FLOAT32);

    /** {@return the types that are converted, for a sentence} */
    String fromWords() {
        return from.stream().map(DType::toString).sorted().collect(Collectors.joining(" or "));
    }

    /** {@return whether a value is to be converted} */
    boolean takes(@Nullable TensorType type) {
        return type != null && from.contains(type.dtype());
    }

    /** {@return whether a value has the type in which is computed} */
    boolean isDone(@Nullable TensorType type) {
        return type != null && type.dtype() == to;
    }

    /** The type of a value after the conversion. */
    TensorType converted(TensorType type) {
        return takes(type) ? new TensorType(to, type.shape()) : type;
    }

    /** {@return whether an input is to be converted, and is more than a value by which sizes are decided} */
    boolean isElements(PlacedNode node, int position) {
        List<InputDescription> described = node.description().inputs();
        boolean isValue = !described.isEmpty()
                && described.get(Math.min(position, described.size() - 1)).value();
        return takes(node.inputTypes().get(position)) && !isValue;
    }
}
