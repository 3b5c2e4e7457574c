package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;

class SparkDevicesTest {

    @Test
    void gpusAndAcceleratorsAreAddressesByTheirNumbers() {
        List<DeviceFacts> devices = Stream.of(
                        DeviceFacts.Kind.CPU,
                        DeviceFacts.Kind.GPU,
                        DeviceFacts.Kind.OTHER,
                        DeviceFacts.Kind.ACCELERATOR)
                .map(kind -> new DeviceFacts("some", "one", "1", "none", "3.0", kind, Set.of(), Map.of()))
                .toList();

        assertThat(DevicesCommand.forSpark(devices)).isEqualTo("{\"name\":\"gpu\",\"addresses\":[\"1\",\"3\"]}");
    }

    @Test
    void withoutADeviceThereIsNoAddress() {
        assertThat(DevicesCommand.forSpark(List.of())).isEqualTo("{\"name\":\"gpu\",\"addresses\":[]}");
    }

    @Test
    void theAnswerIsOneLine() {
        Ran ran = Ran.clinfer("devices", "--spark");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).singleElement().asString().matches("\\{\"name\":\"gpu\",\"addresses\":\\[.*]}");
        assertThat(Ran.clinfer("devices", "--spark", "--json").err())
                .anyMatch(line -> line.contains("--spark cannot be combined with --json or --save-profile"));
    }
}
