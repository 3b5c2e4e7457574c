package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds test cases below a folder. A folder with a model file holds
 *
 * <ul>
 *   <li>one case per {@code test_data_set_*} folder; named after the folder, or after the set if there are several;
 *   <li>one case of the recorded tensors beside the model, and one of those that start with {@code author_};
 *   <li>one case per {@code ref*} folder; see {@link ModelFiles} for the model it belongs to;
 *   <li>one case per {@code NAME.onnx} with {@code NAME_weights.tsv} and {@code NAME_generated_output_0.pb}.
 * </ul>
 *
 * A folder with models of several formats has each of its cases once for each of them.
 *
 * <p>Names are relative to the parent of the folder that was given.
 */
public final class CaseFinder {

    private static final int MAX_DEPTH = 32;
    private static final String WEIGHTS = "_weights.tsv";

    private final Path root;
    private final List<TestCase> cases = new ArrayList<>();

    private CaseFinder(Path root) {
        this.root = root;
    }

    /**
     * Every case below {@code folder}, in the order of their folders' names.
     *
     * @throws IOException if the folder or one below it cannot be read
     */
    public static List<TestCase> find(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath().normalize();
        if (!Files.exists(absolute)) {
            throw new NoSuchFileException(folder.toString());
        }
        if (!Files.isDirectory(absolute)) {
            throw new NotDirectoryException(folder.toString());
        }
        CaseFinder finder = new CaseFinder(absolute.getParent() == null ? absolute : absolute.getParent());
        try (Stream<Path> folders = Files.walk(absolute, MAX_DEPTH)) {
            for (Path each : folders.filter(Files::isDirectory).sorted().toList()) {
                finder.search(each);
            }
        }
        return finder.cases;
    }

    private void search(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        List<Path> references = new ArrayList<>();
        List<Path> sets = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.sorted().toList()) {
                String name = entry.getFileName().toString();
                if (!Files.isDirectory(entry)) {
                    files.add(entry);
                } else if (name.startsWith("test_data_set_")) {
                    sets.add(entry);
                } else if (name.equals("ref") || name.startsWith("ref_")) {
                    references.add(entry);
                }
            }
        }
        ModelFiles models = new ModelFiles(files, references);
        if (models.all().isEmpty()) {
            return;
        }
        for (Path set : sets) {
            add(sets.size() == 1 ? folder : set, models.all(), tensors(set), Optional.empty());
        }
        add(folder, models.all(), RecordedTensors.among(files, ""), existing(folder.resolve("ref.json")));
        add(folder.resolve("author"), models.all(), RecordedTensors.among(files, "author_"), Optional.empty());
        for (Path reference : references) {
            add(reference, models.of(reference), tensors(reference), existing(reference.resolve("ref.json")));
        }
        models.all().forEach(format -> format.forEach(this::addGenerated));
    }

    private static RecordedTensors tensors(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return RecordedTensors.among(entries.toList(), "");
        }
    }

    /** A case for each format; after the first one, the format is part of its name. */
    private void add(Path named, List<List<Path>> formats, RecordedTensors tensors, Optional<Path> names) {
        for (int i = 0; tensors.isCase() && i < formats.size(); i++) {
            List<Path> models = formats.get(i);
            String name = name(named) + (i == 0 ? "" : ":" + ModelFiles.formatOf(models));
            cases.add(new TestCase(name, models, tensors.inputs(), tensors.outputs(), names, Optional.empty()));
        }
    }

    private void addGenerated(Path model) {
        String file = model.getFileName().toString();
        String stem = file.substring(0, file.lastIndexOf('.'));
        Path weights = model.resolveSibling(stem + WEIGHTS);
        Path output = model.resolveSibling(stem + "_generated_output_0.pb");
        if (Files.exists(weights) && Files.exists(output)) {
            cases.add(new TestCase(
                    name(model.resolveSibling(stem)),
                    List.of(model),
                    List.of(),
                    List.of(output),
                    Optional.empty(),
                    Optional.of(weights)));
        }
    }

    private String name(Path path) {
        return root.relativize(path).toString().replace(path.getFileSystem().getSeparator(), "/");
    }

    private static Optional<Path> existing(Path file) {
        return Files.exists(file) ? Optional.of(file) : Optional.empty();
    }
}
