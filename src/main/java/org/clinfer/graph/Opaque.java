package org.clinfer.graph;

import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.TensorType;

/**
 * The reason why a node stands for a layer as its file has it, and what is known of it all the same. Such a node can be
 * judged and not run.
 *
 * @param cause why it was not translated
 * @param reason the whole sentence, without file and layer
 * @param outputTypes one for each output of the node, as far as the file says them
 */
public record Opaque(Cause cause, String reason, List<Optional<TensorType>> outputTypes) {

    /** The cause of an opaque node. */
    public enum Cause {
        /** Clinfer has no operator that does the same. */
        UNSUPPORTED,
        /** The file breaks the definition of its operator. */
        INVALID,
        /** Its meaning depends on the type of a value that an opaque node gives. */
        UNDETERMINED
    }

    public Opaque {
        outputTypes = List.copyOf(outputTypes);
    }
}
