package org.clinfer.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a queue with profiling, in order, until somebody {@linkplain #take takes} them; thread-safe. Commands
 * whose events somebody else has are read when these are closed.
 */
public final class CommandLog implements AutoCloseable {

    /** A command that gives its event, which this log owns if {@code isOwn}. */
    private static final class Entry {

        private final int mark;
        private final Label label;
        private final long callNanos;
        private final long returnNanos;
        private final @Nullable ClEvent event;
        private Optional<CommandTimes.OnDevice> device = Optional.empty();

        Entry(int mark, Label label, long callNanos, long returnNanos, @Nullable ClEvent event) {
            this.mark = mark;
            this.label = label;
            this.callNanos = callNanos;
            this.returnNanos = returnNanos;
            this.event = event;
        }

        CommandTimes times() {
            return new CommandTimes(
                    mark, label.name(), label.isKernel(), label.bytes(), callNanos, returnNanos, device);
        }
    }

    /** The kind of a command. */
    record Label(String name, boolean isKernel, long bytes) {

        static Label kernel(String entry) {
            return new Label(entry, true, 0);
        }

        static Label transfer(String name, long bytes) {
            return new Label(name, false, bytes);
        }
    }

    private final DeviceCalls calls;
    private final List<Entry> entries = new ArrayList<>();
    private int mark;

    CommandLog(DeviceCalls calls) {
        this.calls = calls;
    }

    /** Marks the commands that are queued from now on. */
    public synchronized void mark(int number) {
        mark = number;
    }

    /** Queues a command and keeps its event, if it gives one. */
    synchronized int queued(Label label, CommandWatch.Command command) {
        long[] event = new long[1];
        long call = System.nanoTime();
        try {
            int status = command.enqueue(event);
            if (status == 0) {
                ClEvent own = event[0] == 0 ? null : new ClEvent(calls, event[0], label.name(), null);
                entries.add(new Entry(mark, label, call, System.nanoTime(), own));
            } else if (event[0] != 0) {
                calls.api().clReleaseEvent(event[0]);
            }
            return status;
        } catch (RuntimeException | Error e) {
            if (event[0] != 0) {
                calls.api().clReleaseEvent(event[0]);
            }
            throw e;
        }
    }

    /** Keeps a command whose event is the caller's, and is read when the caller closes it. */
    synchronized ClEvent started(Label label, long callNanos, long event, String description) {
        Entry[] entry = new Entry[1];
        ClEvent shared = new ClEvent(calls, event, description, closing -> read(entry[0], closing));
        entry[0] = new Entry(mark, label, callNanos, System.nanoTime(), null);
        entries.add(entry[0]);
        return shared;
    }

    /** The event of the last command that has one, which stays this log's; 0 without one. */
    synchronized long last() {
        for (int i = entries.size() - 1; i >= 0; i--) {
            ClEvent event = entries.get(i).event;
            if (event != null) {
                return event.handle();
            }
        }
        return 0;
    }

    private static void read(Entry entry, ClEvent event) {
        try {
            entry.device =
                    Optional.of(new CommandTimes.OnDevice(event.queuedNanos(), event.startNanos(), event.endNanos()));
        } catch (ClException notKnown) {
            entry.device = Optional.empty(); // it failed, or did not run to its end
        }
    }

    /** The commands since the last call; all of them are done. */
    public synchronized List<CommandTimes> take() {
        List<CommandTimes> times = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            if (entry.event != null) {
                read(entry, entry.event);
            }
            times.add(entry.times());
        }
        close();
        return times;
    }

    /** Forgets everything. */
    @Override
    public synchronized void close() {
        for (Entry entry : entries) {
            if (entry.event != null) {
                entry.event.close();
            }
        }
        entries.clear();
    }
}
