package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks a model argument before anything slow starts. */
final class ModelPath {

    /** The files by which a folder is a model, whatever else it holds. */
    private static final List<String> NAMES = List.of("model.json", "saved_model.pb", "model.onnx");

    /** The endings of models in one file; a folder with one such file has one model. */
    private static final List<String> ENDINGS = List.of(".onnx", ".tflite");

    /** Models of a folder that a message names. */
    private static final int SHOWN = 5;

    private ModelPath() {}

    /** The path itself, if it is a file; of a folder, the model in it. */
    static Path require(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            return path;
        }
        List<Path> models = candidates(path);
        if (models.isEmpty()) {
            throw new UsageException(path + ": is a folder without a model.json, a saved_model.pb or a file "
                    + String.join(" or ", ENDINGS) + "; name the model's file itself");
        }
        if (models.size() > 1) {
            String names = models.stream()
                    .limit(SHOWN)
                    .map(model -> String.valueOf(model.getFileName()))
                    .collect(Collectors.joining(", "));
            throw new UsageException(path + ": is a folder with " + models.size() + " models; name one of " + names
                    + (models.size() > SHOWN ? ", …" : ""));
        }
        return models.get(0);
    }

    /** The files that may be meant by a folder. */
    static List<Path> candidates(Path folder) throws IOException {
        Optional<Path> named =
                NAMES.stream().map(folder::resolve).filter(Files::isRegularFile).findFirst();
        if (named.isPresent()) {
            return List.of(named.get());
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> ENDINGS.stream().anyMatch(lower(file)::endsWith))
                    .sorted()
                    .toList();
        }
    }

    private static String lower(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }
}
