package org.clinfer.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.clinfer.cli.io.AtomicFile;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option for a file that takes what a command prints. */
final class OutputFile {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to FILE instead of stdout.")
    private Optional<Path> path = Optional.empty();

    /** The text that a command prints. */
    interface Content {
        void writeTo(Writer out) throws IOException;
    }

    /** The width for tables, in columns: that of the terminal; a file is as wide as its tables. */
    int width(CommandSpec spec) {
        return path.isPresent() ? Integer.MAX_VALUE : Screen.of(spec).width();
    }

    /** Writes the file, whole or not at all; without one, prints. */
    void write(CommandSpec spec, Content content) throws IOException {
        if (path.isEmpty()) {
            try (Writer out = new PrintedLines(spec.commandLine().getOut())) {
                content.writeTo(out);
            }
            return;
        }
        AtomicFile.write(path.get(), file -> {
            Writer out = new BufferedWriter(new OutputStreamWriter(file, StandardCharsets.UTF_8));
            content.writeTo(out);
            out.flush();
        });
    }
}
