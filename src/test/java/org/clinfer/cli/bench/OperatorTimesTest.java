package org.clinfer.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clinfer.Placement;
import org.clinfer.RunProfile;
import org.junit.jupiter.api.Test;

class OperatorTimesTest {

    private static RunProfile run(long first, long second, long third) {
        return new RunProfile(
                List.of(
                        entry("a", "Relu", "ref", first),
                        entry("b", "Conv", "fast", second),
                        entry("c", "Relu", "ref", third)),
                second * 1_000_000,
                second * 800_000);
    }

    private static RunProfile.Entry entry(String node, String op, String variant, long millis) {
        return new RunProfile.Entry(node, op, Placement.Target.DEVICE, variant, millis * 1_000_000);
    }

    @Test
    void mediansOfNodesAreSummedByOperator() {
        OperatorTimes times = OperatorTimes.of(List.of(run(1, 10, 2), run(90, 9, 3), run(2, 80, 1)));

        assertThat(times.rows())
                .containsExactly(
                        new OperatorTimes.Row("Conv", "device", "fast", 1, 10),
                        new OperatorTimes.Row("Relu", "device", "ref", 2, 4));
        assertThat(times.lines(200))
                .anyMatch(line -> line.matches(" +Conv +device +fast +1 +10\\.000 +71\\.4 %"))
                .anyMatch(line -> line.matches(" +all, one by one +3 +14\\.000"))
                .contains("  a whole run: 9.000 ms, of it kernels 7.200 ms, copies and host 20.0 %");
    }

    @Test
    void variantsAreTheirOwnRows() {
        RunProfile run = new RunProfile(List.of(entry("a", "Conv", "ref", 1), entry("b", "Conv", "fast", 2)), 3, 0);

        assertThat(OperatorTimes.of(List.of(run)).rows())
                .extracting(OperatorTimes.Row::variant)
                .containsExactly("fast", "ref");
        assertThat(OperatorTimes.of(List.of(run)).lines(200)).noneMatch(line -> line.contains("whole run"));
    }
}
