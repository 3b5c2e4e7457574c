package org.clinfer.runtime;

import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.errors.InputException;
import org.clinfer.graph.FallbackException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedGraph.NodeFinding;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;

/** Turns what is wrong with the nodes of a graph into one exception: of the kind of the first, with what all have. */
final class NodeFailures {

    /** More are counted, not told. */
    private static final int MOST_TOLD = 10;

    private NodeFailures() {}

    /**
     * Goes on if the check found nothing.
     *
     * @throws GraphException if a node is wrong, or its operator unknown
     * @throws InputException if a shape stays unknown
     */
    static void requireSound(CheckedGraph checked) {
        List<NodeFinding> found = checked.findings();
        if (found.isEmpty()) {
            return;
        }
        NodeFinding first = found.get(0);
        String message = first.finding().message()
                + others(found.stream()
                        .map(other ->
                                other.node().source() + ": " + other.finding().message())
                        .toList());
        throw switch (first.verdict()) {
            case UNSUPPORTED ->
                new UnsupportedException(
                        first.node().source(), "operator " + first.node().op(), message);
            case FALLS_BACK ->
                new InputException(first.node().source() + ": "
                        + first.finding().message() + "; where everything runs is known after a run");
            case UNKNOWN -> new InputException(first.node().source() + ": " + message);
            default -> new GraphException(first.node().source(), message);
        };
    }

    /**
     * Goes on if it is known what every node does.
     *
     * @throws UnsupportedException naming one of which only a run tells
     */
    static void requireMeaning(Graph graph) {
        for (Node node : graph.nodes()) {
            node.opaque().ifPresent(opaque -> {
                throw new UnsupportedException(node.source(), "operator " + node.op(), opaque.reason());
            });
        }
    }

    /**
     * Goes on if every node has a place.
     *
     * @throws UnsupportedException if neither device nor CPU can run a node
     */
    static void requirePlaced(PlacedGraph placed) {
        List<PlacedNode> without = placed.nodes().stream()
                .filter(node -> node.target() == PlacedNode.Target.NOWHERE)
                .toList();
        if (without.isEmpty()) {
            return;
        }
        PlacedNode first = without.get(0);
        throw new UnsupportedException(
                first.written().source(),
                first.written().op() + " of " + first.outputTypes().get(0).dtype(),
                refusal(first)
                        + others(without.stream()
                                .map(node -> node.written().source() + ": " + refusal(node))
                                .toList()));
    }

    /**
     * Goes on if the device takes every node.
     *
     * @throws FallbackException if it does not, with each node that it does not take
     */
    static void requireOnDevice(PlacedGraph placed) {
        List<PlacedNode> elsewhere = placed.nodes().stream()
                .filter(node -> node.target() == PlacedNode.Target.CPU)
                .toList();
        if (!elsewhere.isEmpty()) {
            throw new FallbackException(
                    new SourceRef(elsewhere.get(0).written().source().file(), ""),
                    elsewhere.stream()
                            .map(node -> node.written().source() + ": " + String.join("; ", node.reasons()))
                            .toList());
        }
    }

    private static String refusal(PlacedNode node) {
        return "nothing here can run " + node.written() + ": " + String.join("; ", node.reasons());
    }

    /** The text after the first of several. */
    private static String others(List<String> all) {
        int more = all.size() - 1 - MOST_TOLD;
        return all.stream()
                        .skip(1)
                        .limit(MOST_TOLD)
                        .map(each -> "; also " + each)
                        .collect(Collectors.joining())
                + (more > 0 ? "; and " + more + " more" : "");
    }
}
