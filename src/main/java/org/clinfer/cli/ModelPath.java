package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.clinfer.importer.FolderModels;

/** Checks a model argument before anything slow starts. */
final class ModelPath {

    private ModelPath() {}

    /** The path itself, if it is a file; of a folder, the model in it. */
    static Path require(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            return path;
        }
        FolderModels models = FolderModels.of(path);
        return models.one().orElseThrow(() -> new UsageException(path + ": " + models.refusal()));
    }
}
