package org.clinfer.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Writes events in the trace event format: microseconds since it began, on tracks. */
final class TraceWriter implements WriterThread.Target {

    private static final double NANOS_PER_MICRO = 1e3;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .build();

    /** The facts that a reader of the file should know. */
    private static final Map<String, String> NOTES = new TreeMap<>(Map.of(
            "chains",
                    "A slice 'chain of N nodes' is one launch, within which no times are known; its nodes are in its"
                            + " arguments. Where the run is 'one by one', they were launched one after the other instead.",
            "clocks", "Times of a device are brought onto the host's clock by the calls that queued its commands.",
            "gflops", "A multiplication with an addition is two operations; of a fused node its own alone are counted.",
            "gb_per_s", "Inputs and outputs, each once: a kernel that reads some again moves more.",
            "why",
                    "Variants of an operator are tried in the order of its description, the fastest first; 'refused' has"
                            + " those that stand before the one that is used."));

    private final JsonGenerator json;
    private final long originNanos;
    private final TraceTracks tracks;
    private final TraceArguments arguments;
    private long arrows;

    /** More or fewer commands in the queue of a thread's run, by the time. */
    private record Waiting(String device, TreeMap<Long, Integer> changes) {}

    /** By the track of the thread. */
    private final Map<Long, Waiting> waiting = new HashMap<>();

    /** @param to is closed with this */
    TraceWriter(OutputStream to, long originNanos) {
        this.json = JSON.createGenerator(ObjectWriteContext.empty(), to);
        this.originNanos = originNanos;
        this.arguments = new TraceArguments(json);
        json.writeStartObject();
        json.writeStringProperty("displayTimeUnit", "ns");
        json.writeObjectPropertyStart("otherData");
        NOTES.forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeArrayPropertyStart("traceEvents");
        this.tracks = new TraceTracks(this::name);
    }

    private void name(String what, int process, long thread, String name) {
        begin("M", what, "", process, thread, originNanos);
        arguments(() -> json.writeStringProperty("name", name));
        json.writeEndObject();
    }

    /** Writes what a thread did. */
    @Override
    public void write(WriterThread.Entry entry) {
        TraceEvent event = entry.event();
        try {
            long track = tracks.thread(entry.thread(), entry.threadName());
            if (event instanceof TraceEvent.Step step) {
                step(step, track);
            } else if (event instanceof TraceEvent.Peak peak) {
                arguments.know(peak);
                slice("measure " + peak.device(), "peak", track, peak.time(), () -> arguments.of(peak));
            } else if (event instanceof TraceEvent.Run run) {
                slice("run " + run.network(), "run", track, run.time(), () -> arguments.of(run));
            } else if (event instanceof TraceEvent.Plan plan) {
                slice("plan " + plan.network(), "plan", track, plan.time(), () -> arguments.of(plan));
            } else if (event instanceof TraceEvent.Build build) {
                slice("build " + build.program(), "build", track, build.time(), () -> arguments.of(build));
            } else if (event instanceof TraceEvent.Trial trial) {
                slice("tune " + trial.node(), "tune", track, trial.time(), () -> arguments.of(trial));
            } else if (event instanceof TraceEvent.Fallback fallback) {
                moment(
                        "on the CPU: " + fallback.node(),
                        "fallback",
                        "t",
                        track,
                        fallback.time(),
                        () -> arguments.of(fallback));
            } else if (event instanceof TraceEvent.Recovery recovery) {
                moment("recovery", "recovery", "g", track, recovery.time(), () -> arguments.of(recovery));
            }
        } catch (JacksonException e) {
            throw failed(e);
        }
    }

    private static UncheckedIOException failed(JacksonException e) {
        return new UncheckedIOException(e.getOriginalMessage(), new IOException(e));
    }

    @Override
    public void flush() {
        try {
            json.flush();
        } catch (JacksonException e) {
            throw failed(e);
        }
    }

    private void step(TraceEvent.Step step, long track) {
        slice(title(step), step.kind().word(), track, step.time(), () -> arguments.ofHost(step));
        for (TraceEvent.Command command : step.commands()) {
            command(step, command, track);
        }
        if (step.kind() == TraceEvent.StepKind.RESULTS) {
            counts(track);
        }
    }

    private void command(TraceEvent.Step step, TraceEvent.Command command, long track) {
        slice("enqueue " + command.name(), "enqueue", track, command.enqueued(), () -> {});
        if (command.device().isEmpty()) {
            return;
        }
        TraceEvent.Time time = command.device().get();
        int process = tracks.device(step.device());
        TraceTracks.Kind kind = command.isKernel() ? TraceTracks.Kind.KERNELS : TraceTracks.Kind.TRANSFERS;
        long lane = tracks.lane(step.device(), kind, time);
        arrows++;
        arrow("s", TraceTracks.HOST, track, command.enqueued().startNanos());
        arrow("f", process, lane, time.startNanos());
        queued(step.device(), track, command.enqueued().startNanos(), 1);
        queued(step.device(), track, time.startNanos(), -1);
        begin(
                "X",
                command.isKernel() ? title(step) : command.name() + " " + step.label(),
                category(step, command),
                process,
                lane,
                time.startNanos());
        json.writeNumberProperty("dur", micros(time.nanos()));
        arguments(() -> arguments.ofDevice(step, command));
        json.writeEndObject();
    }

    private static String category(TraceEvent.Step step, TraceEvent.Command command) {
        return command.isKernel() ? step.kind().word() : "transfer";
    }

    private static String title(TraceEvent.Step step) {
        List<TraceEvent.NodeWork> work = step.work();
        if (work.size() > 1) {
            return "chain of " + work.size() + " nodes";
        }
        return step.operators() + " " + step.label();
    }

    private void arrow(String phase, int process, long thread, long nanos) {
        begin(phase, "enqueued", "queue", process, thread, nanos);
        json.writeNumberProperty("id", arrows);
        if (phase.equals("f")) {
            json.writeStringProperty("bp", "e");
        }
        json.writeEndObject();
    }

    private void queued(String device, long track, long nanos, int change) {
        waiting.computeIfAbsent(track, any -> new Waiting(device, new TreeMap<>()))
                .changes()
                .merge(nanos, change, Integer::sum);
    }

    /** Writes how many commands of a thread's run waited, by time: all are done at its end. */
    private void counts(long track) {
        Waiting queue = waiting.remove(track);
        if (queue == null) {
            return;
        }
        int sum = 0;
        for (Map.Entry<Long, Integer> change : queue.changes().entrySet()) {
            sum += change.getValue();
            int commands = sum;
            begin("C", "commands in the queue", "queue", tracks.device(queue.device()), 0, change.getKey());
            arguments(() -> json.writeNumberProperty("of thread " + track, commands));
            json.writeEndObject();
        }
    }

    private void slice(String name, String category, long track, TraceEvent.Time time, Runnable content) {
        begin("X", name, category, TraceTracks.HOST, track, time.startNanos());
        json.writeNumberProperty("dur", micros(time.nanos()));
        arguments(content);
        json.writeEndObject();
    }

    private void moment(
            String name, String category, String scope, long track, TraceEvent.Time time, Runnable content) {
        begin("i", name, category, TraceTracks.HOST, track, time.startNanos());
        json.writeStringProperty("s", scope);
        arguments(content);
        json.writeEndObject();
    }

    private void begin(String phase, String name, String category, int process, long thread, long nanos) {
        json.writeStartObject();
        json.writeStringProperty("ph", phase);
        json.writeStringProperty("name", name);
        if (!category.isEmpty()) {
            json.writeStringProperty("cat", category);
        }
        json.writeNumberProperty("pid", process);
        json.writeNumberProperty("tid", thread);
        json.writeNumberProperty("ts", micros(nanos - originNanos));
    }

    private void arguments(Runnable content) {
        json.writeObjectPropertyStart("args");
        content.run();
        json.writeEndObject();
    }

    private static double micros(long nanos) {
        return nanos / NANOS_PER_MICRO;
    }

    /** Ends the file. */
    @Override
    public void close() {
        try {
            json.writeEndArray();
            json.writeEndObject();
            json.close();
        } catch (JacksonException e) {
            throw failed(e);
        }
    }
}
