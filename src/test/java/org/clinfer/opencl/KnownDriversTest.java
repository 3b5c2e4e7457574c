package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;

class KnownDriversTest {

    private static DeviceFacts device(String name, String platform, String driver) {
        return new DeviceFacts(name, "a vendor", driver, platform, "3.0", DeviceFacts.Kind.CPU, Set.of(), Map.of());
    }

    @Test
    void aKnownDriverIsRefusedWithItsVersionAndEffect() {
        DeviceFacts llvmpipe = device("llvmpipe (LLVM 15.0.6, 256 bits)", "rusticl, OpenCL 3.0", "22.3.6");
        assertThat(KnownDrivers.refusal(llvmpipe))
                .hasValue(
                        "device llvmpipe (LLVM 15.0.6, 256 bits) of platform rusticl, OpenCL 3.0, driver 22.3.6, is not"
                                + " used: its compiler ends the process or takes all memory for some kernels; use PoCL");
    }

    @Test
    void othersAreUsed() {
        assertThat(KnownDrivers.refusal(device("llvmpipe (LLVM 17)", "rusticl, OpenCL 3.0", "23.0.0")))
                .isEmpty();
        assertThat(KnownDrivers.refusal(device("AMD Radeon", "rusticl, OpenCL 3.0", "22.3.6")))
                .isEmpty();
        assertThat(KnownDrivers.refusal(device("llvmpipe", "Clover, OpenCL 1.1", "22.3.6")))
                .isEmpty();
        assertThat(KnownDrivers.refusal(device("llvmpipe", "rusticl, OpenCL 3.0", "unknown")))
                .isEmpty();
    }
}
