package org.clinfer.runtime;

import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The networks that stages and nodes of a network are. */
interface InnerNetworks {

    /** The network whose stages and nodes they are. */
    Graph graph();

    /** New runs of a stage that is planned as a whole, for what it is given. */
    Runs stageRuns(int stage, Map<String, Tensor> given);

    /** New runs of a graph of one of the nodes. */
    Runs bodyRuns(Graph body);

    /**
     * The type of an output of a graph of one of the nodes; dimensions may be unknown.
     *
     * @param inputTypes types of some inputs instead of the graph's own
     */
    TensorType bodyType(Graph body, int output, Map<String, TensorType> inputTypes);
}
