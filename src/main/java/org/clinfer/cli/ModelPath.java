package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Checks a model argument before anything slow starts. */
final class ModelPath {

    /** The file that a folder is named for: the model file of formats whose models are folders. */
    private static final String IN_FOLDER = "model.json";

    private ModelPath() {}

    /** The path itself, if it is a file; of a folder, the {@code model.json} in it. */
    static Path require(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            return path;
        }
        Path inside = path.resolve(IN_FOLDER);
        if (!Files.isRegularFile(inside)) {
            throw new UsageException(path + ": is a folder without a " + IN_FOLDER + ", not a model file");
        }
        return inside;
    }
}
