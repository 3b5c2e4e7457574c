package org.clinfer.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.opencl.ClQueue;
import org.clinfer.opencl.CommandLog;
import org.clinfer.opencl.CommandTimes;
import org.clinfer.trace.TraceEvent;
import org.clinfer.tracesinks.Span;
import org.jspecify.annotations.Nullable;

/** The times of the steps of one run: the host's, and those of the commands that they gave to a logged queue. */
final class StepRecord implements StepLog {

    private final @Nullable CommandLog log;
    private final Span[] spans;
    private @Nullable List<List<CommandTimes>> commands;

    /**
     * Nothing yet.
     *
     * @param steps their number, without what ends the run
     * @param queue a logged one; null where no step uses a device
     */
    StepRecord(int steps, @Nullable ClQueue queue) {
        this.log = queue == null ? null : queue.log();
        this.spans = new Span[steps + 1];
    }

    @Override
    public void begin(int step) {
        if (log != null) {
            log.mark(step);
        }
        spans[step] = Span.begin();
    }

    @Override
    public void end(int step) {
        spans[step].end();
    }

    /** The time of the host for a step. */
    TraceEvent.Time time(int step) {
        return spans[step].time();
    }

    /** The commands of each step, when all are done. */
    List<List<CommandTimes>> commands() {
        if (commands == null) {
            commands = taken();
        }
        return commands;
    }

    private List<List<CommandTimes>> taken() {
        List<List<CommandTimes>> taken = new ArrayList<>();
        for (int i = 0; i < spans.length; i++) {
            taken.add(new ArrayList<>());
        }
        if (log != null) {
            log.take().forEach(command -> taken.get(command.mark()).add(command));
        }
        return taken;
    }

    /** The same for listeners, with the times of the device on the host's clock. */
    List<List<TraceEvent.Command>> onHost() {
        List<List<CommandTimes>> all = commands();
        List<CommandTimes> inOrder = new ArrayList<>();
        all.forEach(inOrder::addAll);
        DeviceClock clock = DeviceClock.of(inOrder, time(spans.length - 1).endNanos());
        List<List<TraceEvent.Command>> told = new ArrayList<>(all.size());
        for (List<CommandTimes> each : all) {
            told.add(each.isEmpty() ? List.of() : onHost(each, clock));
        }
        return told;
    }

    private static List<TraceEvent.Command> onHost(List<CommandTimes> commands, DeviceClock clock) {
        TraceEvent.Command[] told = new TraceEvent.Command[commands.size()];
        for (int i = 0; i < told.length; i++) {
            CommandTimes command = commands.get(i);
            Optional<TraceEvent.Time> device = command.device().map(clock::onHost);
            told[i] = new TraceEvent.Command(
                    command.name(),
                    command.isKernel(),
                    command.bytes(),
                    TraceEvent.Time.between(command.callNanos(), command.returnNanos()),
                    device);
        }
        return List.of(told);
    }
}
