package org.clinfer.runtime;

import java.util.Collection;
import java.util.IdentityHashMap;

/** The runs in progress on each device of an engine. Thread-safe. */
public final class DeviceLoad {

    private final IdentityHashMap<DeviceInUse, Integer> running = new IdentityHashMap<>();

    /**
     * Begins a run on the device with the fewest runs.
     *
     * @param devices at least one; where several have as few, the first of them is taken
     */
    synchronized DeviceInUse begin(Collection<DeviceInUse> devices) {
        DeviceInUse least = devices.iterator().next();
        for (DeviceInUse device : devices) {
            least = runs(device) < runs(least) ? device : least;
        }
        running.merge(least, 1, Integer::sum);
        return least;
    }

    private int runs(DeviceInUse device) {
        return running.getOrDefault(device, 0);
    }

    /** Ends a run. */
    synchronized void end(DeviceInUse device) {
        running.merge(device, -1, Integer::sum);
    }
}
