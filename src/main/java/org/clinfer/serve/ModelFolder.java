package org.clinfer.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.clinfer.errors.InputException;

/**
 * A model in the folder of a repository: {@code name/version/model.*} with an optional {@code name/config.pbtxt}, or without
 * versions {@code name/model.*} or {@code name.onnx}, which is version 1. Names are those of folders and files that are there;
 * a client's name is compared with them, and never part of a path.
 *
 * @param name the model's name
 * @param config its configuration
 * @param files the model files by version; those that are to be loaded
 */
record ModelFolder(String name, ModelConfig config, SortedMap<Long, Path> files) {

    private static final String CONFIG = "config.pbtxt";

    /** Endings of model files, and of two in one folder the first. */
    private static final List<String> ENDINGS =
            List.of(".onnx", ".xml", ".pb", ".tflite", ".caffemodel", ".prototxt", ".cfg", ".param", ".json", ".pbtxt");

    private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,17}");

    /** Names of the models in a repository, in order. */
    static List<String> names(Path repository) {
        TreeSet<String> names = new TreeSet<>();
        for (Path entry : entries(repository)) {
            nameOf(entry).ifPresent(names::add);
        }
        return List.copyOf(names);
    }

    /** The name of a model that a folder or a file of the repository stands for. */
    private static Optional<String> nameOf(Path entry) {
        String name = fileName(entry);
        if (name.startsWith(".")) {
            return Optional.empty();
        }
        if (Files.isDirectory(entry)) {
            return Optional.of(name);
        }
        return ENDINGS.stream()
                .filter(ending -> name.toLowerCase(Locale.ROOT).endsWith(ending) && name.length() > ending.length())
                .filter(ending -> !ending.equals(".json") && !ending.endsWith("txt"))
                .map(ending -> name.substring(0, name.length() - ending.length()))
                .findFirst();
    }

    /**
     * A model of the repository as it is now.
     *
     * @return empty if there is none of this name
     * @throws InputException if its configuration is wrong, or it has no version to load
     */
    static Optional<ModelFolder> find(Path repository, String name) {
        List<Path> named = entries(repository).stream()
                .filter(entry -> nameOf(entry).filter(name::equals).isPresent())
                .sorted(Comparator.comparing(entry -> !Files.isDirectory(entry)))
                .toList();
        if (named.isEmpty()) {
            return Optional.empty();
        }
        Path first = named.get(0);
        if (!Files.isDirectory(first)) {
            return Optional.of(new ModelFolder(name, ModelConfig.NONE, new TreeMap<>(Map.of(1L, first))));
        }
        Path file = first.resolve(CONFIG);
        ModelConfig config = Files.exists(file) ? ModelConfigFile.read(file) : ModelConfig.NONE;
        return Optional.of(new ModelFolder(name, config, files(first, config)));
    }

    private static SortedMap<Long, Path> files(Path folder, ModelConfig config) {
        TreeMap<Long, Path> versions = new TreeMap<>();
        for (Path entry : entries(folder)) {
            if (Files.isDirectory(entry) && VERSION.matcher(fileName(entry)).matches()) {
                versions.put(Long.valueOf(fileName(entry)), entry);
            }
        }
        SortedMap<Long, Path> files = new TreeMap<>();
        SortedSet<Long> chosen = config.versions().chosen(versions.navigableKeySet());
        for (Map.Entry<Long, Path> version : versions.entrySet()) {
            if (!chosen.contains(version.getKey())) {
                continue;
            }
            Path within = version.getValue();
            files.put(
                    version.getKey(),
                    modelFile(within, config)
                            .orElseThrow(() -> new InputException(fileName(folder) + "/" + fileName(within)
                                    + ": has no model file; looked for " + wanted(config))));
        }
        if (versions.isEmpty()) {
            modelFile(folder, config).ifPresent(file -> files.put(1L, file));
        }
        if (files.isEmpty() && !versions.isEmpty()) {
            throw new InputException(fileName(folder) + ": has none of the versions that version_policy in " + CONFIG
                    + " names; there are " + versions.keySet());
        }
        if (files.isEmpty()) {
            throw new InputException(
                    fileName(folder) + ": has no version to load; looked for folders with numbers as names");
        }
        return files;
    }

    private static String wanted(ModelConfig config) {
        return config.fileName().orElse("model" + String.join(", model", ENDINGS) + " and saved_model.pb");
    }

    /** The model file of a version: the one that is named, else one called model, else the only one there. */
    private static Optional<Path> modelFile(Path folder, ModelConfig config) {
        if (config.fileName().isPresent()) {
            Path named = folder.resolve(config.fileName().get());
            return Files.isDirectory(named)
                    ? savedModel(named)
                    : Optional.of(named).filter(Files::isRegularFile);
        }
        List<Path> entries = entries(folder);
        Comparator<Path> byEnding = Comparator.comparingInt(file -> ending(file).orElseThrow());
        Optional<Path> called = entries.stream()
                .filter(file ->
                        fileName(file).startsWith("model.") && ending(file).isPresent() && Files.isRegularFile(file))
                .min(byEnding);
        if (called.isPresent()) {
            return called;
        }
        Optional<Path> saved = savedModel(folder)
                .or(() -> entries.stream()
                        .filter(Files::isDirectory)
                        .flatMap(within -> savedModel(within).stream())
                        .findFirst());
        List<Path> others = entries.stream()
                .filter(file -> ending(file).isPresent() && !fileName(file).equals(CONFIG) && Files.isRegularFile(file))
                .sorted(byEnding)
                .toList();
        return saved.or(() -> others.stream().findFirst());
    }

    private static Optional<Path> savedModel(Path folder) {
        return Optional.of(folder.resolve("saved_model.pb")).filter(Files::isRegularFile);
    }

    private static Optional<Integer> ending(Path file) {
        String name = fileName(file).toLowerCase(Locale.ROOT);
        return ENDINGS.stream().filter(name::endsWith).findFirst().map(ENDINGS::indexOf);
    }

    /** The format of a model file, in the words of the protocol's platforms. */
    static String platform(Path file) {
        String name = fileName(file).toLowerCase(Locale.ROOT);
        String format = name.equals("saved_model.pb") ? "savedmodel" : name.substring(name.lastIndexOf('.') + 1);
        return "clinfer_" + format;
    }

    /** @throws InputException if it cannot be read */
    private static List<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new InputException(
                    fileName(folder) + ": cannot be read: " + e.getClass().getSimpleName());
        }
    }

    private static String fileName(Path path) {
        return String.valueOf(path.getFileName());
    }
}
