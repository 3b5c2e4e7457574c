package org.clinfer.infer;

import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A request to check a graph.
 *
 * @param graph the graph
 * @param inputTypes type of every graph input; dimensions may be named
 * @param inputValues values of the inputs that are to count as known, see {@link ShapeInputs}
 * @param folded what earlier checks of the same graph folded of its own constants alone, see {@link CheckedGraph#folded};
 *     it is not computed again
 * @param earlier an earlier check of the same graph, whose nodes are taken over where their inputs have not changed
 */
public record CheckRequest(
        Graph graph,
        Map<String, TensorType> inputTypes,
        Map<String, Tensor> inputValues,
        Map<String, Tensor> folded,
        Optional<CheckedGraph> earlier) {

    /**
     * A check of which nothing is taken over but what was folded.
     *
     * @param graph the graph
     * @param inputTypes of inputs, by name
     * @param inputValues of inputs whose values are known, by name
     * @param folded constants that were computed before, by name
     */
    public CheckRequest(
            Graph graph,
            Map<String, TensorType> inputTypes,
            Map<String, Tensor> inputValues,
            Map<String, Tensor> folded) {
        this(graph, inputTypes, inputValues, folded, Optional.empty());
    }

    /**
     * The first check of a graph, of whose inputs the types alone are known.
     *
     * @param graph the graph
     * @param inputTypes of inputs, by name
     */
    public CheckRequest(Graph graph, Map<String, TensorType> inputTypes) {
        this(graph, inputTypes, Map.of(), Map.of(), Optional.empty());
    }
}
