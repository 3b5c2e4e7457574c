package org.clinfer.cli;

import java.io.PrintWriter;
import org.clinfer.text.Printable;

/**
 * The output of commands, line by line: whatever names of models are in a line, it stays one and shows them as they
 * are, because {@link Printable} writes out what would control the terminal. Texts of picocli, which have lines and
 * colours of their own, go through {@code print}.
 */
final class Terminal extends PrintWriter {

    /** @param flushes whether each line is written at once */
    Terminal(PrintWriter writer, boolean flushes) {
        super(writer, flushes);
    }

    @Override
    public void println(String line) {
        super.println(Printable.of(line));
    }

    @Override
    public void println(Object line) {
        super.println(Printable.of(String.valueOf(line)));
    }
}
