package org.clinfer.trace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.clinfer.errors.InputException;
import org.jspecify.annotations.Nullable;

/**
 * A file in the trace event format, which Perfetto ({@code ui.perfetto.dev}) and {@code chrome://tracing} show: a track for
 * each thread of the host, and for each device its kernels, its transfers and the commands that wait in its queues, with
 * arrows from the call that queued a command to where it ran. It begins anew when the first engine opens it, and is
 * complete when the last one is closed, or the virtual machine ends; until then it is a moment behind, because a thread of its
 * own writes it. Thread-safe.
 */
public final class TraceFile implements TraceSink {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private int engines;
    private volatile @Nullable WriterThread writer;
    private volatile @Nullable InputException failure;
    private final Thread atExit = new Thread(this::endAtExit, "end of a trace");

    /**
     * A trace of engines that are open at the same time.
     *
     * @param file is replaced when an engine is opened
     */
    public TraceFile(Path file) {
        this.file = file;
    }

    /** {@return the file} */
    public Path path() {
        return file;
    }

    /** {@return why the file is not whole, if that is known; no run fails because of it} It is known when the last engine is closed. */
    public Optional<InputException> failure() {
        return Optional.ofNullable(failure);
    }

    /** @throws InputException if the file cannot be written */
    @Override
    public synchronized void opened() {
        if (engines == 0) {
            failure = null;
            try {
                OutputStream to = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES);
                writer = new WriterThread(new TraceWriter(to, System.nanoTime()), "writer of " + this);
            } catch (IOException e) {
                throw new InputException("the trace " + file + " cannot be written: "
                        + e.getClass().getSimpleName() + ": " + e.getMessage());
            }
            try {
                Runtime.getRuntime().addShutdownHook(atExit);
            } catch (IllegalStateException exiting) {
                // whoever opens it then closes it
            }
        }
        engines++;
    }

    /** @throws java.io.UncheckedIOException if the file cannot be written any more */
    @Override
    public void accept(TraceEvent event) {
        WriterThread open = writer;
        if (open != null) {
            try {
                open.add(event);
            } catch (UncheckedIOException cut) {
                throw failed(cut);
            }
        }
    }

    @Override
    public synchronized void closed() {
        engines--;
        if (engines == 0) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException exiting) {
                // it runs, or waits for this
            }
            end();
        }
    }

    private void endAtExit() {
        try {
            end();
        } catch (UncheckedIOException cut) {
            // nobody is left to be told
        }
    }

    private synchronized void end() {
        WriterThread last = writer;
        writer = null;
        if (last != null) {
            try {
                last.close();
            } catch (UncheckedIOException cut) {
                throw failed(cut);
            }
        }
    }

    private UncheckedIOException failed(UncheckedIOException cut) {
        failure = new InputException("the trace " + file + " is not whole: " + cut.getMessage());
        return cut;
    }

    @Override
    public String toString() {
        return "the trace " + file;
    }
}
