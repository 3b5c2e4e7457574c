package org.clinfer.importer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The models that a folder may stand for.
 *
 * @param folder as it was given
 * @param files exactly one if the folder is a model
 */
public record FolderModels(Path folder, List<Path> files) {

    /** The files by which a folder is a model, whatever else it holds. */
    private static final List<String> NAMES = List.of("model.json", "saved_model.pb", "model.onnx");

    /** The endings of models in one file; a folder with one such file has one model. */
    private static final List<String> ENDINGS = List.of(".onnx", ".tflite");

    /** Models of a folder that a message names. */
    private static final int SHOWN = 5;

    public FolderModels {
        files = List.copyOf(files);
    }

    /**
     * The models of a folder: those by whose names it is one, or else all of one file.
     *
     * @throws IOException if the folder cannot be listed
     */
    public static FolderModels of(Path folder) throws IOException {
        Optional<Path> named =
                NAMES.stream().map(folder::resolve).filter(Files::isRegularFile).findFirst();
        if (named.isPresent()) {
            return new FolderModels(folder, List.of(named.get()));
        }
        try (Stream<Path> files = Files.list(folder)) {
            return new FolderModels(
                    folder,
                    files.filter(Files::isRegularFile)
                            .filter(file -> ENDINGS.stream().anyMatch(lower(file)::endsWith))
                            .sorted()
                            .toList());
        }
    }

    private static String lower(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }

    /** {@return the one model, or empty if there is none or a choice} */
    public Optional<Path> one() {
        return files.size() == 1 ? Optional.of(files.get(0)) : Optional.empty();
    }

    /** {@return the reason why the folder is not one model, and what to name instead} */
    public String refusal() {
        if (files.isEmpty()) {
            return "is a folder without a " + String.join(", a ", NAMES.subList(0, 2)) + " or a file "
                    + String.join(" or ", ENDINGS) + "; name the model's file itself";
        }
        String names = files.stream()
                .limit(SHOWN)
                .map(model -> String.valueOf(model.getFileName()))
                .collect(Collectors.joining(", "));
        return "is a folder with " + files.size() + " models; name one of " + names
                + (files.size() > SHOWN ? ", …" : "");
    }
}
