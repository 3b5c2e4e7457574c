package org.clinfer.importer.tfjs;

import java.util.List;
import java.util.Optional;
import org.clinfer.graph.SourceRef;

/**
 * A layer of a network, and its uses.
 *
 * @param kind its {@code class_name}
 * @param calls its uses, each of which gives other outputs; none for an input of the network
 * @param network what it consists of, if it is a network itself
 * @param source the file, and its number, name and kind
 */
record TfjsLayer(
        String name, String kind, Json.Obj config, List<Call> calls, Optional<Topology> network, SourceRef source) {

    static final String INPUT = "InputLayer";

    /** An output of one use of a layer. */
    record TensorRef(String layer, int call, int output) {}

    /**
     * One use of a layer.
     *
     * @param unsupported an argument that a use at inference does not have
     */
    record Call(List<TensorRef> inputs, Optional<String> unsupported) {}

    boolean isInput() {
        return kind.equals(INPUT);
    }
}
