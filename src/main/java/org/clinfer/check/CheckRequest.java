package org.clinfer.check;

import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * What to check.
 *
 * @param graph the graph
 * @param inputTypes type of every graph input; dimensions may be named
 * @param inputValues values of the inputs that are to count as known, see {@link ShapeInputs}
 * @param foldedOnce values that depend on the graph's own constants alone, folded by an earlier check of the same
 *     graph; filled further, so that a second check does not compute them again
 */
public record CheckRequest(
        Graph graph,
        Map<String, TensorType> inputTypes,
        Map<String, Tensor> inputValues,
        Map<String, Tensor> foldedOnce) {}
