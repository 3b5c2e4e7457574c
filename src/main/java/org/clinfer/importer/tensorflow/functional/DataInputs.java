package org.clinfer.importer.tensorflow.functional;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.tensorflow.proto.NodeDef;

/** The inputs of a node that are values; others only say what it waits for. */
public final class DataInputs {

    /** Operators that only pass a value on. */
    public static final Set<String> ALIASES = Set.of("Identity", "StopGradient", "PreventGradient", "Snapshot");

    private DataInputs() {}

    /** {@return the inputs that are values} */
    public static List<String> data(NodeDef node) {
        return node.getInputList().stream()
                .filter(input -> !input.startsWith("^"))
                .toList();
    }

    /** {@return one of them; empty if there are fewer} */
    public static Optional<String> data(NodeDef node, int index) {
        List<String> all = data(node);
        return index < all.size() ? Optional.of(all.get(index)) : Optional.empty();
    }
}
