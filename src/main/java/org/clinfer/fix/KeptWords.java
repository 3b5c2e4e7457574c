package org.clinfer.fix;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Metadata;
import org.clinfer.graph.Node;

/**
 * The words about a network's nodes after changes. What is said of a node is said of the one that stands in its place; of several
 * nodes that others stand for together it is said only of one that does the same and gives the same value.
 */
final class KeptWords {

    private KeptWords() {}

    /** The network after some changes with the words of the one before. */
    static Graph in(Graph after, Graph before, List<NetworkFix.Applied> applied) {
        Map<String, Node> named = new HashMap<>();
        Map<String, Node> givers = new HashMap<>();
        for (Node node : after.nodes()) {
            named.put(node.name(), node);
            node.outputs().forEach(output -> givers.put(output, node));
        }
        Set<String> joined = new HashSet<>();
        applied.stream().filter(each -> each.nodes().size() > 1).forEach(each -> joined.addAll(each.nodes()));
        Map<String, Metadata.Words> said = new LinkedHashMap<>();
        for (Node node : before.nodes()) {
            Metadata.Words words = before.metadata().nodes().get(node.name());
            Node now = named.getOrDefault(node.name(), givers.get(node.outputs().get(0)));
            if (words != null && now != null && (isSame(now, node) || !joined.contains(node.toString()))) {
                said.put(now.name(), words);
            }
        }
        return after.withMetadata(before.metadata().withNodes(said));
    }

    private static boolean isSame(Node now, Node before) {
        return now.op().equals(before.op())
                && now.params().equals(before.params())
                && now.outputs().equals(before.outputs());
    }
}
