package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.clinfer.opencl.CommandTimes;
import org.clinfer.trace.TraceEvent;
import org.junit.jupiter.api.Test;

class DeviceClockTest {

    /** A command on a device whose clock is behind the host's by so much. */
    private static CommandTimes command(long call, long queued, long back, long start, long end, long behind) {
        return new CommandTimes(
                0,
                "k",
                true,
                0,
                call,
                back,
                Optional.of(new CommandTimes.OnDevice(queued - behind, start - behind, end - behind)));
    }

    @Test
    void theDifferenceFitsEveryCommand() {
        long behind = 1_000_000_007;
        List<CommandTimes> commands = List.of(
                command(1000, 1400, 1500, 1600, 2000, behind),
                command(1510, 1520, 2100, 2150, 3000, behind),
                command(2110, 2130, 2150, 3000, 3900, behind));
        DeviceClock clock = DeviceClock.of(commands, 4000);
        assertThat(clock.offsetNanos()).isBetween(behind - 20, behind + 10);
        TraceEvent.Time last = clock.onHost(commands.get(2).device().orElseThrow());
        assertThat(last.nanos()).isEqualTo(900);
        assertThat(last.endNanos()).isLessThanOrEqualTo(4000);
    }

    @Test
    void clocksThatDoNotFitEndWithTheRun() {
        List<CommandTimes> commands =
                List.of(command(1000, 90_000, 1100, 1600, 2000, 0), command(1200, 50, 1300, 2000, 2500, 0));
        DeviceClock clock = DeviceClock.of(commands, 4000);
        assertThat(clock.onHost(commands.get(1).device().orElseThrow()).endNanos())
                .isEqualTo(4000);
    }

    @Test
    void withoutTimesThereIsNoDifference() {
        CommandTimes none = new CommandTimes(0, "map", false, 8, 1, 2, Optional.empty());
        assertThat(DeviceClock.of(List.of(none), 10).offsetNanos()).isZero();
    }
}
