package org.clinfer.tracesinks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives what an engine does to those who want to know; thread-safe. */
public final class Tracing {

    /** Tells nobody. */
    public static final Tracing OFF = new Tracing(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);

    /** The log of lines that {@link VerboseSink#VARIABLE} asks for. */
    private static final Logger LINES = LoggerFactory.getLogger("clinfer.verbose");

    private static final AtomicLong RUNS = new AtomicLong();

    /** The run that a thread is in; what belongs to it is found by that. */
    private static final ThreadLocal<@Nullable OpenRun> CURRENT = new ThreadLocal<>();

    private final CopyOnWriteArrayList<TraceSink> sinks;

    private Tracing(List<TraceSink> sinks) {
        this.sinks = new CopyOnWriteArrayList<>(sinks);
    }

    /**
     * Opens the sinks: these, and those that the surroundings ask for.
     *
     * @throws org.clinfer.errors.InputException if one cannot be used
     */
    public static Tracing open(List<TraceSink> wanted) {
        Tracing tracing = new Tracing(List.of());
        List<TraceSink> all = new ArrayList<>(wanted);
        VerboseSink.find(LINES::info).ifPresent(all::add);
        JfrSink.find().ifPresent(all::add);
        try {
            for (TraceSink sink : all) {
                sink.opened();
                tracing.sinks.add(sink);
            }
        } catch (RuntimeException | Error e) {
            tracing.close();
            throw e;
        }
        return tracing;
    }

    /** A run in progress. */
    public static final class OpenRun {

        private final Tracing tracing;
        private final long number;
        private final TraceSink.Detail detail;
        private final Span span;
        private int steps;
        private long deviceNanos;
        private boolean usesDevice;

        private OpenRun(Tracing tracing, long number, TraceSink.Detail detail, Span span) {
            this.tracing = tracing;
            this.number = number;
            this.detail = detail;
            this.span = span;
        }

        public long number() {
            return number;
        }

        /** Counts steps of a part of the run that came to its end. */
        public void add(List<TraceEvent.Step> done) {
            steps += done.size();
            for (TraceEvent.Step step : done) {
                usesDevice |= !step.commands().isEmpty();
                deviceNanos += step.deviceNanos();
            }
        }
    }

    /** The detail that the sinks want of a run that begins now. */
    private TraceSink.Detail detail() {
        TraceSink.Detail most = TraceSink.Detail.NONE;
        for (TraceSink sink : sinks) {
            try {
                TraceSink.Detail wanted = sink.detail();
                most = wanted.compareTo(most) > 0 ? wanted : most;
            } catch (RuntimeException e) {
                drop(sink, e);
            }
        }
        return most;
    }

    /** Begins a run of this thread; empty if nobody wants to know of it, or it is a part of another one. */
    public Optional<OpenRun> beginRun() {
        if (sinks.isEmpty() || CURRENT.get() != null) {
            return Optional.empty();
        }
        TraceSink.Detail detail = detail();
        if (detail == TraceSink.Detail.NONE) {
            return Optional.empty();
        }
        OpenRun run = new OpenRun(this, RUNS.incrementAndGet(), detail, Span.begin());
        CURRENT.set(run);
        return Optional.of(run);
    }

    /** The run that this thread is in, if its steps are wanted. */
    public Optional<OpenRun> withSteps() {
        if (sinks.isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(CURRENT.get())
                .filter(run -> run.tracing == this && run.detail == TraceSink.Detail.STEPS);
    }

    /** Ends a run of this thread. */
    public void endRun(OpenRun run, String network, boolean isOneByOne, @Nullable Throwable failure) {
        CURRENT.remove();
        add(new TraceEvent.Run(
                run.number,
                network,
                isOneByOne,
                run.span.time(),
                run.steps,
                run.usesDevice ? OptionalLong.of(run.deviceNanos) : OptionalLong.empty(),
                Optional.ofNullable(failure).map(Tracing::line)));
    }

    /** The first line of what went wrong. */
    public static String line(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    /** {@return whether anybody may want to know} */
    public boolean isOn() {
        return !sinks.isEmpty();
    }

    /** Tells of an event. */
    public void add(TraceEvent event) {
        for (TraceSink sink : sinks) {
            try {
                sink.accept(event);
            } catch (RuntimeException e) {
                drop(sink, e);
            }
        }
    }

    private void drop(TraceSink sink, RuntimeException failure) {
        if (sinks.remove(sink)) {
            LOG.warn("{} gets no more events, because it failed: {}", sink, line(failure));
            LOG.debug("the failure of {}", sink, failure);
            closed(sink);
        }
    }

    private static void closed(TraceSink sink) {
        try {
            sink.closed();
        } catch (RuntimeException e) {
            LOG.warn("{} is not closed: {}", sink, line(e), e);
        }
    }

    /** Tells the sinks that the engine is closed; more calls do nothing. */
    public void close() {
        for (TraceSink sink : sinks) {
            if (sinks.remove(sink)) {
                closed(sink);
            }
        }
    }
}
