package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;

/** The figures that a device gives of its memory. */
class MemoryLimitsTest {

    @Test
    void limitsComeFromTheDevice() {
        Map<String, Long> limits = Map.of("mem_base_addr_align", 4096L, "max_mem_alloc_size", 1000L);
        DeviceFacts facts = new DeviceFacts("", "", "", "", "1.2", DeviceFacts.Kind.GPU, Set.of(), limits);
        assertThat(MemoryLimits.of(facts)).isEqualTo(new MemoryLimits(512, 1000, false, true));
        DeviceFacts shared = new DeviceFacts(
                "", "", "", "", "1.2", DeviceFacts.Kind.CPU, Set.of(), Map.of("host_unified_memory", 1L));
        assertThat(MemoryLimits.of(shared).sharesHost()).isTrue();
        DeviceFacts silent = new DeviceFacts("", "", "", "", "1.2", DeviceFacts.Kind.GPU, Set.of(), Map.of());
        assertThat(MemoryLimits.of(silent))
                .isEqualTo(new MemoryLimits(4096, MemoryLimits.host().chunkBytes(), false, true));
    }
}
