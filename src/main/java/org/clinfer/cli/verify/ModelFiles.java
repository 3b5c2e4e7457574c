package org.clinfer.cli.verify;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.clinfer.importer.json.JsonImporter;
import org.clinfer.importer.tensorflow.TensorflowImporter;
import org.clinfer.importer.tfjs.TfjsImporter;

/**
 * Which of a folder's model files a reference folder belongs to. Frozen graphs of
 * TensorFlow count where there are no ONNX models, and models as JSON where there are no others.
 *
 * <p>The words after {@code ref_} decide. A format ({@code ref_onnx}) takes the files of that format, and no other
 * reference folder without a format takes them too; {@code raw} takes the files that are not {@code *_simplified}, any
 * other reference prefers the simplified ones. If several remain, the case tries them in the order of their names and
 * takes the first whose input names are those of {@code ref.json}.
 */
final class ModelFiles {

    private static final String SUFFIX = ".onnx";
    private static final String FORMAT = "onnx";

    private final List<Path> models;
    private final List<Path> unclaimed;

    /** The model files among {@code files}, in a folder with these reference folders. */
    ModelFiles(Collection<Path> files, Collection<Path> references) {
        List<Path> onnx = files.stream().filter(ModelFiles::isModel).sorted().toList();
        List<Path> graphs =
                files.stream().filter(ModelFiles::isTensorflow).sorted().toList();
        List<Path> first = onnx.isEmpty() ? graphs : onnx;
        models = first.isEmpty()
                ? files.stream().filter(ModelFiles::isJsonModel).sorted().toList()
                : first;
        List<Path> rest = new ArrayList<>(models);
        for (Path reference : references) {
            if (words(reference).contains(FORMAT)) {
                rest.removeAll(chosen(models, words(reference)));
            }
        }
        unclaimed = rest;
    }

    static boolean isModel(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(SUFFIX);
    }

    /** Recorded tensors are {@code .pb} files, too. */
    private static boolean isTensorflow(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".pb")
                && TensorflowImporter.isModel(file);
    }

    /** Many files of a test set are JSON; few of them are models. */
    private static boolean isJsonModel(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".json")
                && (JsonImporter.isModel(file) || TfjsImporter.isModel(file));
    }

    List<Path> all() {
        return models;
    }

    List<Path> of(Path reference) {
        List<String> words = words(reference);
        return chosen(words.contains(FORMAT) ? models : unclaimed, words);
    }

    private static List<Path> chosen(List<Path> from, List<String> words) {
        boolean raw = words.contains("raw");
        List<Path> wanted =
                from.stream().filter(model -> isSimplified(model) != raw).toList();
        return wanted.isEmpty() ? from : wanted;
    }

    private static boolean isSimplified(Path model) {
        return model.getFileName().toString().contains("_simplified");
    }

    private static List<String> words(Path reference) {
        return List.of(reference.getFileName().toString().split("_"));
    }
}
