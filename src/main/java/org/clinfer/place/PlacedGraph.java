package org.clinfer.place;

import java.util.List;
import java.util.Map;
import org.clinfer.check.CheckedGraph;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A checked graph with a place for every node.
 *
 * @param nodes in execution order
 */
public record PlacedGraph(CheckedGraph graph, List<PlacedNode> nodes) {

    public PlacedGraph {
        nodes = List.copyOf(nodes);
    }

    /**
     * The graph with other nodes between the same inputs and outputs.
     *
     * @param now the nodes in execution order
     * @param types type of every value that is not a constant
     * @param ofModel the constants that the graph has
     * @param constants these and those known for this plan alone
     */
    public PlacedGraph with(
            List<PlacedNode> now,
            Map<String, TensorType> types,
            Map<String, Tensor> ofModel,
            Map<String, Tensor> constants) {
        Graph before = graph.graph();
        Graph after = new Graph(
                before.name(),
                before.inputs(),
                before.outputs(),
                now.stream().map(node -> node.node().node()).toList(),
                ofModel,
                before.source());
        CheckedGraph checked = new CheckedGraph(
                after,
                graph.inputTypes(),
                graph.walked(),
                now.stream().map(PlacedNode::node).toList(),
                types,
                constants,
                graph.findings());
        return new PlacedGraph(checked, now);
    }
}
