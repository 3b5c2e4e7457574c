package org.clinfer.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.graph.Graph;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.Tensor;

/**
 * The constants that the host makes of those of a network, once for all devices and sessions.
 *
 * @param bytes of the network's own constants
 * @param folded results that do not depend on inputs, by name
 * @param fused those that rewrites make
 * @param packed the forms that operators on the CPU make
 */
record HostConstants(long bytes, Map<String, Tensor> folded, FoldedConstants fused, PackedWeights packed) {

    /** None yet. */
    static HostConstants of(Graph graph, MemoryBudget budget) {
        long bytes = MemoryBudget.bytes(graph.constants().values());
        Map<String, Tensor> folded = new ConcurrentHashMap<>();
        return new HostConstants(
                bytes,
                folded,
                new FoldedConstants(budget.folded(), () -> bytes + MemoryBudget.bytes(folded.values())),
                new PackedWeights(budget.packed(graph.constants().values()), bytes));
    }
}
