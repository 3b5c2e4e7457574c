package org.clinfer.place;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckedGraph;
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

    /** Names of what the graph gives, in order. */
    public List<String> outputs() {
        return graph.graph().outputs();
    }

    /** The inputs of the graph. */
    public List<Graph.Input> inputs() {
        return graph.graph().inputs();
    }

    /** Type of every value that is not a constant. */
    public Map<String, TensorType> types() {
        return graph.types();
    }

    /** All values that are known, of the model and of this plan. */
    public Map<String, Tensor> constants() {
        return graph.constants();
    }

    /** The constants that the graph has, whatever the types of its inputs. */
    public Map<String, Tensor> ofModel() {
        return graph.graph().constants();
    }

    /** The origin of the graph. */
    public SourceRef source() {
        return graph.graph().source();
    }

    /** The graph with more reasons for nodes, by their names in the network. */
    public PlacedGraph because(Map<String, String> reasons) {
        return new PlacedGraph(
                graph,
                nodes.stream()
                        .map(node -> {
                            String reason = reasons.get(node.written().name());
                            return reason == null ? node : node.because(List.of(reason));
                        })
                        .toList());
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
                now.stream().map(PlacedNode::form).toList(),
                ofModel,
                before.source());
        CheckedGraph checked = new CheckedGraph(
                after,
                graph.inputTypes(),
                graph.walked(),
                now.stream().map(PlacedNode::node).toList(),
                types,
                constants,
                graph.folded(),
                graph.findings(),
                graph.wholes());
        return new PlacedGraph(checked, now);
    }
}
