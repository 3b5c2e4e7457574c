package org.clinfer.fix;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;

/**
 * Other nodes in the place of some.
 *
 * @param step what is done, such as {@code split over output channels}
 * @param replaced the nodes that go
 * @param by what comes; its inputs, constants and outputs have the names that these values have around it
 */
record Replacement(String step, List<Node> replaced, Graph by) {

    Replacement {
        replaced = List.copyOf(replaced);
    }

    /** The whole region with it. */
    Graph within(Region region) {
        List<String> gone = replaced.stream().map(Node::name).toList();
        List<Node> kept = region.checked().walked().stream()
                .filter(node -> !gone.contains(node.name()))
                .map(region::written)
                .toList();
        return Splice.of(region.graph(), kept, Map.of(gone.get(0), by));
    }
}
