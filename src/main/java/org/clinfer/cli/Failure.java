package org.clinfer.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.clinfer.InputException;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.describe.DescriptionException;
import org.clinfer.graph.GraphException;
import org.clinfer.profile.ProfileException;

/**
 * What an exception means to the caller of a command.
 *
 * @param exitCode see {@link ExitCode}
 * @param line one line for stderr
 */
record Failure(int exitCode, String line) {

    private static final int MAX_LENGTH = 1000;

    static Failure of(Throwable thrown) {
        Throwable cause = thrown instanceof UncheckedIOException wrapper && wrapper.getCause() != null
                ? wrapper.getCause()
                : thrown;
        return new Failure(exitCode(cause), printable(oneLine(cause)));
    }

    /** Names from a file may hold anything: what would move the cursor or fill the screen is not printed. */
    private static String printable(String line) {
        String clean = line.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= MAX_LENGTH ? clean : clean.substring(0, MAX_LENGTH) + "…";
    }

    private static int exitCode(Throwable cause) {
        boolean badInput = cause instanceof UsageException
                || cause instanceof BadFileException
                || cause instanceof GraphException
                || cause instanceof InputException
                || cause instanceof DescriptionException
                || cause instanceof ProfileException
                || cause instanceof FileSystemException;
        return badInput ? ExitCode.BAD_INPUT : ExitCode.FAILURE;
    }

    private static String oneLine(Throwable cause) {
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        boolean namesFromFile = cause instanceof GraphException
                || cause instanceof InputException
                || cause instanceof DescriptionException
                || cause instanceof ProfileException;
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
        return cause instanceof IOException || cause.getClass().getName().startsWith("org.clinfer.");
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
