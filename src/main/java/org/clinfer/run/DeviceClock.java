package org.clinfer.run;

import java.util.List;
import org.clinfer.opencl.CommandTimes;
import org.clinfer.trace.TraceEvent;

/**
 * The clock of a device beside the host's. A command was queued during the host's call, and ended before the host had
 * waited for all of them: each command leaves a range for the difference, and what is left of all ranges is a few
 * microseconds. Its middle is taken.
 */
record DeviceClock(long offsetNanos) {

    /**
     * Compares the clocks.
     *
     * @param commands that are done
     * @param doneNanos when the host knew that they were
     */
    static DeviceClock of(List<CommandTimes> commands, long doneNanos) {
        long least = Long.MIN_VALUE;
        long most = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (CommandTimes command : commands) {
            if (command.device().isPresent()) {
                CommandTimes.OnDevice device = command.device().get();
                least = Math.max(least, command.callNanos() - device.queuedNanos());
                most = Math.min(most, command.returnNanos() - device.queuedNanos());
                end = Math.max(end, device.endNanos());
            }
        }
        if (end == Long.MIN_VALUE) {
            return new DeviceClock(0);
        }
        long latest = doneNanos - end;
        most = Math.min(most, latest);
        // a driver that takes the time of queueing elsewhere leaves no range
        return new DeviceClock(least <= most ? least + (most - least) / 2 : latest);
    }

    /** The time that a command ran, on the host's clock. */
    TraceEvent.Time onHost(CommandTimes.OnDevice device) {
        return new TraceEvent.Time(device.startNanos() + offsetNanos, device.endNanos() - device.startNanos());
    }
}
