package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Checks a model argument before anything slow starts. */
final class ModelPath {

    private ModelPath() {}

    /** The path itself, if it is a file. */
    static Path require(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (Files.isDirectory(path)) {
            throw new UsageException(path + ": is a folder, not a model file");
        }
        return path;
    }
}
