package org.clinfer.place;

import java.util.List;
import org.clinfer.check.CheckedGraph;

/**
 * A checked graph with a place for every node.
 *
 * @param nodes in execution order
 */
public record PlacedGraph(CheckedGraph graph, List<PlacedNode> nodes) {

    public PlacedGraph {
        nodes = List.copyOf(nodes);
    }
}
