package org.clinfer.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.clinfer.errors.InputException;
import org.jspecify.annotations.Nullable;

/**
 * A file in the trace event format, which Perfetto ({@code ui.perfetto.dev}) and {@code chrome://tracing} show: a track for
 * each thread of the host, and for each device its kernels, its transfers and the commands that wait in its queues, with
 * arrows from the call that queued a command to where it ran. It begins anew when the first engine opens it, and is
 * complete when the last one is closed. Thread-safe.
 */
public final class TraceFile implements TraceSink {

    private final Path file;
    private int engines;
    private @Nullable TraceWriter writer;

    /** @param file is replaced when an engine is opened */
    public TraceFile(Path file) {
        this.file = file;
    }

    /** {@return the file} */
    public Path path() {
        return file;
    }

    /** @throws InputException if the file cannot be written */
    @Override
    public synchronized void opened() {
        if (engines == 0) {
            try {
                BufferedWriter to = Files.newBufferedWriter(file);
                writer = new TraceWriter(to, System.nanoTime());
            } catch (IOException e) {
                throw new InputException("the trace " + file + " cannot be written: "
                        + e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
        engines++;
    }

    /** @throws java.io.UncheckedIOException if the file cannot be written any more */
    @Override
    public synchronized void accept(TraceEvent event) {
        TraceWriter open = writer;
        if (open != null) {
            open.write(event, Thread.currentThread());
        }
    }

    @Override
    public synchronized void closed() {
        engines--;
        if (engines == 0) {
            TraceWriter last = Objects.requireNonNull(writer);
            writer = null;
            last.close();
        }
    }

    @Override
    public String toString() {
        return "the trace " + file;
    }
}
