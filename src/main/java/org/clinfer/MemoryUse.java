package org.clinfer;

import java.util.List;
import java.util.Optional;
import org.clinfer.device.DeviceFacts;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceNeeds;
import org.clinfer.run.HostNeeds;
import org.clinfer.runtime.RunPart;
import org.clinfer.tensor.Tensor;

/**
 * The memory of a planned network in bytes, known before it is allocated. Weights are there once for all sessions of a
 * model, everything else belongs to the session. Values share memory where they are not needed at the same time; inputs
 * and results are the caller's.
 *
 * @param weights constants of the model and what was computed of them, on the host; where the model's file holds them,
 *     the system may drop and read them again
 * @param deviceWeights what of that is on the device, in the forms that kernels read
 * @param deviceValues everything between inputs and results on the device, and what its launches read of themselves
 * @param hostValues everything between inputs and results on the host, and copies of these on their way to a device that
 *     has memory of its own
 */
public record MemoryUse(long weights, long deviceWeights, long deviceValues, long hostValues) {

    private static final MemoryUse NONE = new MemoryUse(0, 0, 0, 0);

    /** The memory of the parts of a network, which run after one another. */
    static MemoryUse of(List<RunPart> parts) {
        MemoryUse sum = NONE;
        for (RunPart part : parts) {
            if (part instanceof RunPart.Planned planned) {
                sum = sum.plus(of(planned.plan(), planned.device()));
            }
        }
        return sum;
    }

    private static MemoryUse of(ExecutionPlan plan, Optional<DeviceFacts> device) {
        DeviceNeeds needs = device.map(facts -> DeviceNeeds.of(plan, facts)).orElse(DeviceNeeds.NONE);
        return new MemoryUse(
                Tensor.bytes(HostNeeds.constants(plan)),
                needs.weights(),
                needs.own(),
                plan.hostArena().totalBytes()
                        + device.map(facts -> HostNeeds.staged(plan, facts)).orElse(0L));
    }

    /** Both together. */
    private MemoryUse plus(MemoryUse other) {
        return new MemoryUse(
                weights + other.weights,
                deviceWeights + other.deviceWeights,
                deviceValues + other.deviceValues,
                hostValues + other.hostValues);
    }
}
