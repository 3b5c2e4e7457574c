package org.clinfer.cli;

import java.io.PrintWriter;
import org.clinfer.errors.Printable;

/** One line on stderr that tells how far long work is; silent unless a person is watching. */
final class Progress {

    private static final int WIDTH = 78;

    private final PrintWriter err;
    private final boolean shown;

    private Progress(PrintWriter err, boolean shown) {
        this.err = err;
        this.shown = shown;
    }

    /**
     * Shown if it is {@code wanted} and the program runs in a terminal; newer Java keeps to that meaning of a console
     * with {@code -Djdk.console=java.base}, as the launcher sets it.
     */
    static Progress on(PrintWriter err, boolean wanted) {
        return new Progress(err, wanted && isWatched());
    }

    /** Whether the program runs in a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    static boolean isWatched() {
        return System.console() != null;
    }

    void show(int done, int total, String what) {
        if (shown) {
            String text = done + "/" + total + " " + Printable.of(what);
            err.print("\r"
                    + (text.length() > WIDTH ? text.substring(0, WIDTH) : text + " ".repeat(WIDTH - text.length())));
            err.flush();
        }
    }

    void done() {
        if (shown) {
            err.print("\r" + " ".repeat(WIDTH) + "\r");
            err.flush();
        }
    }
}
