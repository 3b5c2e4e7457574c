package org.clinfer.runtime;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.device.DeviceFacts;

/** Processors as devices that have more threads than a container lets the process run at once. */
final class UnitsBeyond {

    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private UnitsBeyond() {}

    /**
     * The warning of such a device, once in a process however often it is opened; empty where nothing is wrong.
     *
     * @param processors that the process may use
     */
    static Optional<String> once(DeviceFacts device, int processors) {
        return of(device, processors).filter(TOLD::add);
    }

    /**
     * The warning of such a device; empty where nothing is wrong.
     *
     * @param processors that the process may use
     */
    static Optional<String> of(DeviceFacts device, int processors) {
        long units = device.limit("max_compute_units", 0);
        if (device.kind() != DeviceFacts.Kind.CPU || units <= processors) {
            return Optional.empty();
        }
        return Optional.of(device.name() + " computes with " + units + " threads, but this process may use "
                + processors
                + (processors == 1 ? " processor" : " processors") + ": give it as many threads (PoCL: the environment"
                + " variable POCL_MAX_PTHREAD_COUNT, in newer versions POCL_CPU_MAX_CU_COUNT), or it waits for itself");
    }
}
