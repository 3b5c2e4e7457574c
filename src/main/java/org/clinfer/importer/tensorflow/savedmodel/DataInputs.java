package org.clinfer.importer.tensorflow.savedmodel;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.tensorflow.proto.NodeDef;

/** The inputs of a node that are values; others only say what it waits for. */
final class DataInputs {

    private DataInputs() {}

    static List<String> data(NodeDef node) {
        return node.getInputList().stream()
                .filter(input -> !input.startsWith("^"))
                .toList();
    }

    static Optional<String> data(NodeDef node, int index) {
        List<String> all = data(node);
        return index < all.size() ? Optional.of(all.get(index)) : Optional.empty();
    }
}
