package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Checks a model argument before anything slow starts. */
final class ModelPath {

    /** The model files of formats whose models are folders. */
    private static final List<String> IN_FOLDER = List.of("model.json", "saved_model.pb");

    private ModelPath() {}

    /** The files that a folder with a model may have. */
    static Stream<Path> candidates(Path folder) {
        return IN_FOLDER.stream().map(folder::resolve);
    }

    /** The path itself, if it is a file; of a folder, the {@code model.json} or {@code saved_model.pb} in it. */
    static Path require(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            return path;
        }
        return candidates(path)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        path + ": is a folder without a " + String.join(" or ", IN_FOLDER) + ", not a model file"));
    }
}
