package org.clinfer.runtime;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.graph.Graph;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.run.HostNeeds;
import org.clinfer.tensor.Tensor;

/**
 * The constants of a network on the host and what it makes of them, once for all devices and sessions.
 *
 * @param ofModel the network's own
 * @param isPart whether another network holds these, of which it is a part
 * @param bytes of the network's own constants
 * @param folded results that do not depend on inputs, by name
 * @param fused those that rewrites make
 * @param packed the forms that operators on the CPU make
 * @param share what all of them hold, but the packed forms
 * @param packedShare what these hold
 */
record HostConstants(
        Collection<Tensor> ofModel,
        boolean isPart,
        long bytes,
        Map<String, Tensor> folded,
        FoldedConstants fused,
        PackedWeights packed,
        MemoryAccount.Share share,
        MemoryAccount.Share packedShare) {

    /**
     * Those of a network as it is loaded.
     *
     * @throws org.clinfer.errors.MemoryLimitException if the engine may not hold as much
     */
    static HostConstants of(Graph graph, EngineContext context) {
        HostConstants constants = of(graph, context, false);
        constants.share.raise(Tensor.bytes(loaded(constants.ofModel)));
        return constants;
    }

    /** Those of a network that is a part of another one. */
    static HostConstants ofPart(Graph graph, EngineContext context) {
        return of(graph, context, true);
    }

    private static HostConstants of(Graph graph, EngineContext context, boolean isPart) {
        MemoryBudget budget = context.budget();
        MemoryAccount.Share share =
                context.memory().open(MemoryAccount.Kind.WEIGHTS, "the weights of '" + graph.name() + "'");
        MemoryAccount.Share packed = context.memory().open(MemoryAccount.Kind.WEIGHTS, "packed weights");
        long bytes = Tensor.bytes(graph.constants().values());
        Map<String, Tensor> folded = new ConcurrentHashMap<>();
        return new HostConstants(
                graph.constants().values(),
                isPart,
                bytes,
                folded,
                new FoldedConstants(budget.folded(), () -> bytes + Tensor.bytes(folded.values())),
                new PackedWeights(budget.packed(graph.constants().values()), bytes, packed::take),
                share,
                packed);
    }

    /**
     * Counts what a plan has beside.
     *
     * @throws org.clinfer.errors.MemoryLimitException if the engine may not hold as much
     */
    void hold(ExecutionPlan plan) {
        Set<Tensor> all = new HashSet<>(HostNeeds.constants(plan));
        if (isPart) {
            ofModel.forEach(all::remove);
        } else {
            all.addAll(loaded(ofModel));
        }
        share.raise(Tensor.bytes(all));
    }

    private static List<Tensor> loaded(Collection<Tensor> tensors) {
        return tensors.stream().filter(tensor -> !tensor.isDeferred()).toList();
    }

    /** They are gone. */
    void close() {
        share.close();
        packedShare.close();
    }
}
