package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.regex.Pattern;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.describe.DescriptionException;
import org.clinfer.errors.BadInputException;
import org.clinfer.errors.ClinferException;
import org.clinfer.errors.MemoryLimitException;
import org.clinfer.errors.NoSuchDeviceException;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.text.Printable;

/**
 * The exit code and the line of stderr for an exception in a command.
 *
 * @param exitCode see {@link ExitCode}
 * @param line one line for stderr
 * @param log further lines: what a compiler said of a kernel, with its file and line, or the mistakes of descriptions of
 *     operators where there are several; else empty
 */
record CommandFailure(int exitCode, String line, List<String> log) {

    /** The most lines of a compiler's log that are shown. */
    private static final int LOG_LINES = 40;

    private static final String INDENT = "    ";

    /** An exception: its class, and its message. */
    private static final Pattern FIRST_LINE = Pattern.compile("(Caused by: )?([a-z]\\w*\\.)+[A-Z]\\w*");

    static CommandFailure of(Throwable thrown) {
        Throwable cause = thrown instanceof UncheckedIOException wrapper && wrapper.getCause() != null
                ? wrapper.getCause()
                : thrown;
        if (cause instanceof DescriptionException wrong && wrong.mistakes().size() > 1) {
            String title =
                    String.valueOf(wrong.getMessage()).lines().findFirst().orElse("");
            return new CommandFailure(ExitCode.BAD_INPUT, title, mistakes(wrong));
        }
        return new CommandFailure(exitCode(cause), Printable.message(oneLine(cause)), log(cause));
    }

    private static List<String> mistakes(DescriptionException wrong) {
        return wrong.mistakes().stream()
                .map(mistake -> INDENT + Printable.message(mistake))
                .toList();
    }

    private static List<String> log(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof ClBuildException build) {
                return build.log()
                        .lines()
                        .limit(LOG_LINES)
                        .map(line -> INDENT + line)
                        .toList();
            }
        }
        return List.of();
    }

    /**
     * The place where it was thrown and what caused it, line by line. The messages in it are whole; what follows on
     * their first lines is indented, so that no name looks like a line of the program's own.
     */
    static List<String> trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        String trace = text.toString();
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof GraphException wrong) {
                trace = trace.replace(String.valueOf(wrong.getMessage()), wrong.whole());
            }
        }
        return trace.lines().map(CommandFailure::indented).toList();
    }

    private static String indented(String line) {
        if (line.startsWith("\t")) {
            return line.replace("\t", INDENT);
        }
        return FIRST_LINE.matcher(line).lookingAt() ? line : INDENT + line;
    }

    private static int exitCode(Throwable cause) {
        boolean badInput = cause instanceof BadInputException
                || cause instanceof FileSystemException
                || cause instanceof NoSuchDeviceException
                || cause instanceof MemoryLimitException;
        return badInput ? ExitCode.BAD_INPUT : ExitCode.FAILURE;
    }

    private static String oneLine(Throwable cause) {
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        boolean namesFromFile = cause instanceof BadInputException && !(cause instanceof BadFileException);
        String first = namesFromFile ? message : message.lines().findFirst().orElse("");
        if (cause instanceof FileSystemException file) {
            return describe(file);
        }
        if (cause instanceof OutOfMemoryError) {
            return "out of memory: " + first + "; give Java more with JAVA_TOOL_OPTIONS=-Xmx…g";
        }
        if (isExplained(cause) && !first.isEmpty()) {
            return first;
        }
        return "unexpected " + cause.getClass().getSimpleName() + (first.isEmpty() ? "" : ": " + first)
                + " (--debug shows where)";
    }

    private static boolean isExplained(Throwable cause) {
        return cause instanceof IOException || cause instanceof ClinferException;
    }

    private static String describe(FileSystemException failure) {
        String file = String.valueOf(failure.getFile());
        if (failure instanceof NoSuchFileException) {
            return file + ": no such file or folder";
        }
        if (failure instanceof AccessDeniedException) {
            return file + ": permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return file + ": exists already and is not a folder";
        }
        if (failure instanceof NotDirectoryException) {
            return file + ": is not a folder";
        }
        return file + ": " + (failure.getReason() == null ? "cannot be used" : failure.getReason());
    }
}
