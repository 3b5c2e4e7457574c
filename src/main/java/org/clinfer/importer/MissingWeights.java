package org.clinfer.importer;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.Opaque;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Weights whose file is not there, in a model that is judged: their types are known, their elements are not. */
public final class MissingWeights {

    /** The reason of an opaque node that stands for a tensor which {@link #of} has none for. */
    public static final String REASON = "its elements are in a file that is missing";

    private MissingWeights() {}

    /**
     * A tensor that takes no memory until it is read: NaN everywhere, so that no result looks like one, zeros where the type has
     * no such value. Empty for whole numbers and truths that may decide sizes.
     */
    public static Optional<Tensor> of(TensorType type) {
        if (type.dtype() == DType.INT64 || type.dtype() == DType.BOOL || type.bytes() > Tensor.MAX_BYTES) {
            return Optional.empty();
        }
        return Optional.of(Tensor.deferred(type, bytes -> fill(type, bytes)));
    }

    /** The facts known of an opaque node that stands for a tensor which {@link #of} has none for. */
    public static Opaque opaque(TensorType type) {
        return new Opaque(Opaque.Cause.UNDETERMINED, REASON, List.of(Optional.of(type)));
    }

    private static void fill(TensorType type, ByteBuffer bytes) {
        Tensor element = Tensor.allocate(type.dtype(), 1);
        if (type.dtype().isFloating()) {
            element.setDouble(0, Double.NaN);
        }
        ByteBuffer from = element.bytes();
        while (bytes.hasRemaining()) {
            bytes.put(from.get(bytes.position() % from.limit()));
        }
        element.close();
    }
}
