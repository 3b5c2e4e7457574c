package org.clinfer.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;

/**
 * The nodes whose output is an input with elements replaced, as a token's in a cache of fixed length: it may be the memory of
 * that input where nobody else reads it.
 */
final class Updates {

    /** The position of the input that has the elements that stay. */
    private static final int DATA = 0;

    private final PlacedGraph graph;
    private final Map<String, Integer> readers = new HashMap<>();

    Updates(PlacedGraph graph) {
        this.graph = graph;
        graph.nodes().forEach(node -> node.inputs().forEach(input -> readers.merge(input, 1, Integer::sum)));
        graph.outputs().forEach(output -> readers.merge(output, 1, Integer::sum));
    }

    /** The value in whose memory a node may write its output; empty where it is none, or has other readers. */
    Optional<String> data(PlacedNode node) {
        if (!replaces(node)) {
            return Optional.empty();
        }
        String data = node.inputs().get(DATA);
        boolean isAlone =
                Objects.equals(readers.get(data), 1) && !graph.constants().containsKey(data);
        boolean isSame =
                Objects.equals(node.inputTypes().get(DATA), node.outputTypes().get(0));
        return isAlone && isSame ? Optional.of(data) : Optional.empty();
    }

    /** Updates that meet the elements that are there read them: a run that begins anew would count them twice. */
    private static boolean replaces(PlacedNode node) {
        return (node.op().equals("ScatterElements") || node.op().equals("ScatterND"))
                && node.binding().text("reduction").equals("none");
    }
}
