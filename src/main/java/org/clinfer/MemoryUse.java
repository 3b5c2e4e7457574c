package org.clinfer;

import java.util.Optional;
import org.clinfer.place.PlacedGraph;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceNeeds;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.HostNeeds;

/**
 * The memory of a planned network in bytes, known before it is allocated. Weights are there once for all sessions of a
 * model, everything else belongs to the session. Values share memory where they are not needed at the same time; inputs
 * and results are the caller's.
 *
 * @param weights constants of the model and what was computed of them, on the host; where the model's file holds them,
 *     the system may drop and read them again
 * @param deviceWeights what of that is on the device, in the forms that kernels read
 * @param deviceValues everything between inputs and results on the device, and what its launches read of themselves
 * @param hostValues everything between inputs and results on the host
 */
public record MemoryUse(long weights, long deviceWeights, long deviceValues, long hostValues) {

    /** The memory of the objects of a node, in a plan and once more where it is ready to run. */
    private static final long NODE_BYTES = 8 << 10;

    static final MemoryUse NONE = new MemoryUse(0, 0, 0, 0);

    static MemoryUse of(ExecutionPlan plan, Optional<DeviceRuntime> device) {
        DeviceNeeds needs =
                device.map(runtime -> DeviceNeeds.of(plan, runtime.facts())).orElse(DeviceNeeds.NONE);
        return new MemoryUse(
                MemoryBudget.bytes(HostNeeds.constants(plan)),
                needs.weights(),
                needs.own(),
                plan.hostArena().totalBytes());
    }

    /** About what a plan, ready to run, takes beside weights and the values between inputs and results. */
    static long beside(ExecutionPlan plan) {
        return planned(plan) + MemoryBudget.outputs(plan.graph());
    }

    /** About what a plan by itself takes: objects, and constants that the model has not. */
    static long planned(ExecutionPlan plan) {
        PlacedGraph graph = plan.graph();
        long constants = graph.constants().entrySet().stream()
                .filter(constant -> !graph.ofModel().containsKey(constant.getKey()))
                .mapToLong(constant -> constant.getValue().type().bytes())
                .sum();
        return constants + NODE_BYTES * graph.nodes().size();
    }

    /** Both together. */
    MemoryUse plus(MemoryUse other) {
        return new MemoryUse(
                weights + other.weights,
                deviceWeights + other.deviceWeights,
                deviceValues + other.deviceValues,
                hostValues + other.hostValues);
    }
}
