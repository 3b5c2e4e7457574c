package org.clinfer.runtime;

import java.util.Optional;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceNeeds;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.jspecify.annotations.Nullable;

/** The weights of a network, on one device and in the forms that the CPU makes of them, once for all its runs. */
final class NetworkWeights implements AutoCloseable {

    private final EngineContext context;
    private final HostConstants constants;
    private final MemoryAccount.Share share;
    private @Nullable DeviceWeights weights;

    /**
     * Nothing on the device yet.
     *
     * @param network its name
     * @param constants those on the host, for all devices
     */
    NetworkWeights(String network, HostConstants constants, EngineContext context) {
        this.context = context;
        this.constants = constants;
        this.share = context.memory()
                .open(
                        MemoryAccount.Kind.WEIGHTS,
                        "the weights of '" + network + "' on " + context.inUse().name());
    }

    /**
     * Counts what a plan has.
     *
     * @param there those on the device that it is to use
     * @throws org.clinfer.errors.MemoryLimitException if the engine may not hold as much
     */
    void hold(ExecutionPlan plan, Optional<DeviceWeights> there) {
        constants.hold(plan);
        there.ifPresent(
                on -> share.raise(DeviceNeeds.of(plan, on.runtime().facts()).weights()));
    }

    /**
     * The weights on the device as it is now, in a use that the caller ends. Those on a context that failed go when the
     * last plan that uses them is closed.
     */
    synchronized Optional<DeviceWeights> onDevice() {
        while (true) {
            Optional<DeviceRuntime> device = context.device();
            if (device.isEmpty()) {
                return Optional.empty();
            }
            if (weights != null && weights.runtime() != device.get()) {
                leave();
            }
            if (weights == null) {
                weights = DeviceWeights.on(device.get()).orElse(null);
            }
            if (weights != null && weights.begin()) {
                return Optional.of(weights);
            }
        }
    }

    /** The forms that the CPU makes of the weights. */
    PackedWeights packed() {
        return constants.packed();
    }

    @Override
    public synchronized void close() {
        leave();
        share.close();
        constants.close();
    }

    private void leave() {
        if (weights != null) {
            weights.close();
            weights = null;
        }
    }
}
