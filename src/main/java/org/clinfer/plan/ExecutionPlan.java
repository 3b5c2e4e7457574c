package org.clinfer.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * One run of a graph, step by step.
 *
 * @param graph the placed graph
 * @param steps in order
 * @param owners for each value that is a view: the value whose memory it is; never itself a view
 * @param deviceArena device memory of values that are not constants, by owner
 * @param hostArena host memory of values that are neither constants nor graph inputs, by owner
 * @param deviceConstants constants that kernels read
 * @param deviceOutputs graph outputs which are read from the device at the end; the others are on the host
 * @param lent values whose device memory is the host's, by owner: of graph inputs that of the caller, of outputs that of
 *     the result
 * @param updates for outputs that are an input with elements replaced, which nothing else reads: that input; an output may lie
 *     in its memory
 * @param scratch by the name of a node with tensors of its kernels' own: their names in the arena, empty for static ones
 */
public record ExecutionPlan(
        PlacedGraph graph,
        List<Step> steps,
        Map<String, String> owners,
        ArenaPlan deviceArena,
        ArenaPlan hostArena,
        Set<String> deviceConstants,
        Set<String> deviceOutputs,
        Set<String> lent,
        Map<String, String> updates,
        Map<String, List<String>> scratch) {

    public ExecutionPlan {
        steps = List.copyOf(steps);
        owners = Map.copyOf(owners);
        deviceConstants = Set.copyOf(deviceConstants);
        deviceOutputs = Set.copyOf(deviceOutputs);
        lent = Set.copyOf(lent);
        updates = Map.copyOf(updates);
        scratch = Map.copyOf(scratch);
    }

    /** The value whose memory {@code value} is. */
    public String owner(String value) {
        return owners.getOrDefault(value, value);
    }

    /** The type of a value, or of a constant. */
    public TensorType type(String value) {
        TensorType type = graph.types().get(value);
        if (type != null) {
            return type;
        }
        Tensor constant = graph.constants().get(value);
        if (constant == null) {
            throw new IllegalStateException("value '" + value + "' has no type");
        }
        return constant.type();
    }

    /** The steps with each node of a chain by itself. */
    public List<Step> stepsOneByOne() {
        return steps.stream()
                .<Step>mapMulti((step, each) -> {
                    if (step instanceof Step.Chain chain) {
                        chain.nodes().forEach(each);
                    } else {
                        each.accept(step);
                    }
                })
                .toList();
    }

    /** The kernels that a run launches; a chain is one. */
    public int launches() {
        return steps.stream().mapToInt(ExecutionPlan::launches).sum();
    }

    private static int launches(Step step) {
        return step instanceof Step.Launch launch ? launch.kernels().size() : step instanceof Step.Chain ? 1 : 0;
    }
}
