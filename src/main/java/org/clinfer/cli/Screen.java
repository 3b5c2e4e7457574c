package org.clinfer.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.regex.Pattern;
import org.clinfer.report.TextTable;
import org.clinfer.report.WrappedText;
import org.clinfer.text.Printable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The output of a command as people read it: texts and tables in the width of the terminal. */
final class Screen {

    /** The property of picocli that says how wide texts are. */
    static final String WIDTH_PROPERTY = "picocli.usage.width";

    private static final int LEAST = 80;
    private static final int MOST = 200;
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,4}");

    private final PrintWriter out;
    private final int width;

    private Screen(PrintWriter out, int width) {
        this.out = out;
        this.width = width;
    }

    static Screen of(CommandSpec spec) {
        CommandLine line = spec.commandLine();
        return new Screen(line.getOut(), asked().orElseGet(() -> detected(line)));
    }

    /** The width that a property or the variable {@code COLUMNS} says, between 80 and 200. */
    static Optional<Integer> asked() {
        return Optional.ofNullable(System.getProperty(WIDTH_PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv("COLUMNS")))
                .filter(text -> NUMBER.matcher(text).matches())
                .map(text -> within(Integer.parseInt(text)));
    }

    /** That of the terminal; always the same where the output is none. */
    private static int detected(CommandLine line) {
        return Progress.isWatched()
                ? within(line.getCommandSpec().root().usageMessage().width())
                : MOST;
    }

    private static int within(int width) {
        return Math.min(Math.max(width, LEAST), MOST);
    }

    int width() {
        return width;
    }

    void print(TextTable table) {
        table.lines(width).forEach(out::println);
    }

    void print(String line) {
        WrappedText.lines(Printable.of(line), width).forEach(out::println);
    }

    void print(Iterable<String> lines) {
        lines.forEach(this::print);
    }
}
