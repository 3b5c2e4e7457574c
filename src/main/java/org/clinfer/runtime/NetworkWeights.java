package org.clinfer.runtime;

import java.util.Optional;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.jspecify.annotations.Nullable;

/** The weights of a network, on one device and in the forms that the CPU makes of them, once for all its runs. */
final class NetworkWeights implements AutoCloseable {

    private final Tools tools;
    private final PackedWeights packed;
    private @Nullable DeviceWeights weights;

    /** @param packed the forms that the CPU makes, for all devices */
    NetworkWeights(PackedWeights packed, Tools tools) {
        this.tools = tools;
        this.packed = packed;
    }

    /**
     * The weights on the device as it is now, in a use that the caller ends. Those on a context that failed go when the
     * last plan that uses them is closed.
     */
    synchronized Optional<DeviceWeights> onDevice() {
        while (true) {
            Optional<DeviceRuntime> device = tools.device();
            if (device.isEmpty()) {
                return Optional.empty();
            }
            if (weights != null && weights.runtime() != device.get()) {
                close();
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
        return packed;
    }

    @Override
    public synchronized void close() {
        if (weights != null) {
            weights.close();
            weights = null;
        }
    }
}
