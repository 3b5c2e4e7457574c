package org.clinfer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.GpuFigures;
import org.clinfer.options.CacheFolder;
import org.clinfer.tracesinks.Tracing;
import org.junit.jupiter.api.Test;

/** What placement sees of a live device under the wishes of an engine. */
class DeviceWishTest {

    private static final GpuFigures FIGURES =
            new GpuFigures(10, 1e9, 64, 1024, 65536, 65536, 255, 32, 1e11, 1e-6, 5e-6);

    private static DeviceFacts device(DeviceFacts.Kind kind) {
        return new DeviceFacts("some", "one", "1", "none", "3.0", kind, Set.of(), Map.of());
    }

    @Test
    void theFiguresOfAProfileAreThoseOfAGpuAlone() {
        DeviceSelection.Wish wish = new DeviceSelection.Wish(
                Optional.empty(), false, true, false, Optional.of(FIGURES), CacheFolder.off(), Tracing.OFF);
        DeviceFacts gpu = wish.of(device(DeviceFacts.Kind.GPU));
        assertThat(gpu.figures()).hasValue(FIGURES);
        assertThat(gpu.exact()).isTrue();
        DeviceFacts cpu = wish.of(device(DeviceFacts.Kind.CPU));
        assertThat(cpu.figures()).isEmpty();
        assertThat(cpu.exact()).isTrue();
    }
}
