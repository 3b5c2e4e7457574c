package org.clinfer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;

class UnitsBeyondTest {

    private static DeviceFacts device(String name, DeviceFacts.Kind kind) {
        return new DeviceFacts(name, "Acme", "1", "Acme CL", "3.0", kind, Set.of(), Map.of("max_compute_units", 8L));
    }

    @Test
    void aProcessorWithMoreThreadsThanTheProcessMayUseIsToldOnce() {
        DeviceFacts device = device("Acme processor", DeviceFacts.Kind.CPU);
        assertThat(UnitsBeyond.once(device, 2))
                .hasValueSatisfying(warning -> assertThat(warning)
                        .contains("Acme processor computes with 8 threads", "2 processors", "POCL_MAX_PTHREAD_COUNT"));
        assertThat(UnitsBeyond.once(device, 2)).isEmpty();
        assertThat(UnitsBeyond.once(device("another processor", DeviceFacts.Kind.CPU), 2))
                .isPresent();
    }

    @Test
    void thereIsNothingToTellOfOthers() {
        assertThat(UnitsBeyond.of(device("enough", DeviceFacts.Kind.CPU), 8)).isEmpty();
        assertThat(UnitsBeyond.of(device("no processor", DeviceFacts.Kind.GPU), 2))
                .isEmpty();
    }
}
