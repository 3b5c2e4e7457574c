package org.clinfer.cli;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import org.clinfer.opencl.BuildWatch;
import org.clinfer.text.Printable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * One line on stderr that tells how far long work is, for how long it runs, and which kernel is being compiled; silent
 * unless a person is watching. The line is gone when the work is done, or the program is ended.
 */
final class Progress implements AutoCloseable {

    private static final String QUIET = "--quiet";
    private static final int WIDTH = 78;
    private static final long PAUSE_MILLIS = 200;
    private static final String ERASED = "\r" + " ".repeat(WIDTH) + "\r";

    private final PrintWriter err;
    private final boolean shown;
    private final long start = System.nanoTime();
    private final Thread teller = new Thread(this::tell, "progress");
    private final Thread atExit = new Thread(this::erase, "progress-end");
    private String text = "";
    private boolean visible;
    private boolean ended;

    Progress(PrintWriter err, boolean shown) {
        this.err = err;
        this.shown = shown;
        teller.setDaemon(true);
        if (shown) {
            Runtime.getRuntime().addShutdownHook(atExit);
            teller.start();
        }
    }

    /** That of a command; shown in a terminal, unless {@code --quiet} is given. */
    static Progress of(CommandSpec spec) {
        return of(spec, true);
    }

    /** That of a command, shown at most if it is {@code wanted}. */
    static Progress of(CommandSpec spec, boolean wanted) {
        OptionSpec quiet = spec.root().findOption(QUIET);
        boolean isQuiet = quiet != null && Boolean.TRUE.equals(quiet.getValue());
        return new Progress(spec.commandLine().getErr(), wanted && !isQuiet && isWatched());
    }

    /**
     * {@return whether the program runs in a terminal; newer Java keeps to that meaning of a console with {@code
     * -Djdk.console=java.base}, as the launcher sets it}
     */
    @SuppressWarnings("SystemConsoleNull")
    static boolean isWatched() {
        return System.console() != null;
    }

    void show(int done, int total, String what) {
        show(done + "/" + total + " " + what);
    }

    synchronized void show(String what) {
        text = Printable.of(what);
        paint();
    }

    private void tell() {
        try {
            while (pause()) {
                paint();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller goes on asking until it has ended
    private synchronized boolean pause() throws InterruptedException {
        wait(PAUSE_MILLIS);
        return !ended;
    }

    private synchronized void paint() {
        if (shown && !ended) {
            String line = line(text, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
            err.print("\r" + line + " ".repeat(WIDTH - line.length()));
            err.flush();
            visible = true;
        }
    }

    /** {@code 3/17 net.onnx, 12 s, compiling conv_gpu.cl}: the beginning where that has no room. */
    static String line(String text, long seconds) {
        String time = seconds < 1 ? "" : ", " + seconds + " s";
        String build = BuildWatch.current()
                .map(label -> ", compiling " + Printable.of(label))
                .orElse("");
        String after = time + build;
        int room = Math.max(WIDTH - after.length(), WIDTH / 2);
        String begin = text.length() > room ? text.substring(0, room - 1) + "…" : text;
        String line = begin + after;
        return line.length() > WIDTH ? line.substring(0, WIDTH) : line;
    }

    private synchronized void erase() {
        if (visible) {
            err.print(ERASED);
            err.flush();
            visible = false;
        }
        ended = true;
        notifyAll();
    }

    /** Takes the line away, to print something else; the next {@link #show} brings it back. */
    synchronized void hide() {
        if (visible) {
            err.print(ERASED);
            err.flush();
            visible = false;
        }
    }

    @Override
    public void close() {
        erase();
        if (shown) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException ending) {
                // the hook runs already
            }
        }
    }
}
