package org.clinfer.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Names of files in arguments. */
final class FileArgument {

    private FileArgument() {}

    /** @throws UsageException if no file can have the name, as those with letters beyond ASCII in the locale C */
    static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException wrong) {
            throw new UsageException("'" + text + "' is no name of a file in this locale, whose characters are "
                    + System.getProperty("sun.jnu.encoding") + "; set LC_ALL=C.UTF-8");
        }
    }
}
