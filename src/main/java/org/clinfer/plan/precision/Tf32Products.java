package org.clinfer.plan.precision;

import java.util.HashMap;
import java.util.Map;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;

/** The convolutions and matrix products of a graph, where their factors may be rounded to TF32. */
public final class Tf32Products {

    private Tf32Products() {}

    /** Why products of float32 are not rounded to TF32, by the names of their nodes in the network. */
    public static Map<String, String> notRounded(PlacedGraph graph) {
        Map<String, String> reasons = new HashMap<>();
        for (PlacedNode node : graph.nodes()) {
            boolean isProduct = node.node().multiplyAdds().orElse(Long.MAX_VALUE) > 0
                    && FullPrecision.isFloat32(node.outputTypes().get(0));
            if (isProduct && !node.roundsToTf32()) {
                reasons.put(
                        node.written().name(),
                        node.target() == PlacedNode.Target.CPU
                                ? "in float32: the CPU does not round to TF32"
                                : "in float32: its kernel does not round to TF32");
            }
        }
        return reasons;
    }
}
