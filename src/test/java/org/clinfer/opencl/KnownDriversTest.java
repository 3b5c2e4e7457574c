package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** In tests the signals are chained. */
    @Test
    void poclIsUsedWhereSignalsAreChained() {
        DeviceFacts pocl = device("pthread-haswell", "Portable Computing Language, OpenCL 3.0 PoCL 3.1", "3.1");
        assertThat(KnownDrivers.refusal(pocl, false)).isEmpty();
        assertThat(KnownDrivers.refusal(pocl, true))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("device pthread-haswell of platform Portable Computing Language")
                        .contains("is not used: PoCL takes over signals", "LD_PRELOAD=/", "libjsig.so"));
        assertThat(KnownDrivers.refusal(device("llvmpipe", "Clover, OpenCL 1.1", "22.3.6"), true))
                .isEmpty();
    }

    @Test
    void chainedSignalsAreSeenInTheFilesThatAreMapped(@TempDir Path folder) throws IOException {
        Path mapped = folder.resolve("maps");
        Files.writeString(mapped, "7f01-7f02 r-xp 00000000 08:01 1 /usr/lib/libc.so.6\n");
        assertThat(SignalChain.isMissing(mapped)).isTrue();
        Files.writeString(mapped, "7f01-7f02 r-xp 00000000 08:01 1 /opt/jdk/lib/libjsig.so\n");
        assertThat(SignalChain.isMissing(mapped)).isFalse();
        assertThat(SignalChain.isMissing(folder.resolve("not-linux"))).isFalse();
    }
}
