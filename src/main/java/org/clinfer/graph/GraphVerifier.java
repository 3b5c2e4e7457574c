package org.clinfer.graph;

import java.util.HashSet;
import java.util.Set;

/** Checks that a graph is well formed: every name defined once, before its first use; every output produced. */
public final class GraphVerifier {

    private GraphVerifier() {}

    /**
     * Verifies the graph's structure; types and parameters are the check stage's business.
     *
     * @param graph the graph
     * @throws GraphException naming the first defect and its place
     */
    public static void verify(Graph graph) {
        Set<String> defined = new HashSet<>(graph.constants().keySet());
        for (Graph.Input input : graph.inputs()) {
            if (!defined.add(input.name())) {
                throw new GraphException(graph.source(), "value '" + input.name() + "' is defined twice");
            }
        }
        Set<String> nodeNames = new HashSet<>();
        for (Node node : graph.nodes()) {
            if (!nodeNames.add(node.name())) {
                throw new GraphException(node.source(), "node name '" + node.name() + "' is used twice");
            }
            verifyNode(node, defined);
        }
        for (String output : graph.outputs()) {
            if (!defined.contains(output)) {
                throw new GraphException(graph.source(), "output '" + output + "' is never produced");
            }
        }
        if (graph.outputs().isEmpty()) {
            throw new GraphException(graph.source(), "the graph has no outputs");
        }
    }

    private static void verifyNode(Node node, Set<String> defined) {
        for (String input : node.inputs()) {
            if (!input.isEmpty() && !defined.contains(input)) {
                throw new GraphException(node.source(), "input '" + input + "' is never produced");
            }
        }
        for (String output : node.outputs()) {
            if (!output.isEmpty() && !defined.add(output)) {
                throw new GraphException(node.source(), "value '" + output + "' is defined twice");
            }
        }
    }
}
