package org.clinfer.cache;

import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;

/** Made-up devices. */
final class Devices {

    private Devices() {}

    static DeviceFacts withDriver(String driver) {
        return new DeviceFacts(
                "Toaster", "Acme", driver, "Acme CL", "1.2", DeviceFacts.Kind.GPU, Set.of("cl_b", "cl_a"), Map.of());
    }
}
