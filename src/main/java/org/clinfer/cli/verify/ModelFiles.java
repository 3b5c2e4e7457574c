package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.importer.json.JsonImporter;
import org.clinfer.importer.openvino.OpenVinoImporter;
import org.clinfer.importer.tensorflow.TensorflowImporter;
import org.clinfer.importer.tfjs.TfjsImporter;

/**
 * The model files of a folder to which a reference folder belongs, by their formats. Models as JSON count where there
 * are no others, binary files of Caffe where no text defines a network.
 *
 * <p>The words after {@code ref_} decide. A format ({@code ref_onnx}) takes the files of that format, and no other
 * reference folder without a format takes them too; {@code raw} takes the files that are not {@code *_simplified}, any
 * other reference prefers the simplified ones. Else a {@code ref.json} that names a model file is of that format alone. If
 * several of a format remain, the case tries them in the order of their names
 * and takes the first whose input names are those of {@code ref.json}.
 */
final class ModelFiles {

    private enum Format {
        ONNX,
        CAFFE,
        TENSORFLOW,
        DARKNET,
        NCNN,
        OPENVINO,
        TFLITE,
        JSON;

        /** The suffixes of files of this format; they are tried in turn until one is found. */
        List<String> suffixes() {
            return switch (this) {
                case ONNX -> List.of(".onnx");
                case CAFFE -> List.of(".prototxt", ".caffemodel");
                case TENSORFLOW -> List.of(".pb");
                case DARKNET -> List.of(".cfg");
                case NCNN -> List.of(".param");
                case OPENVINO -> List.of(".xml");
                case TFLITE -> List.of(".tflite");
                case JSON -> List.of(".json");
            };
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Recorded tensors are {@code .pb} files, too, and many files of a test set are JSON. */
        private boolean isModel(Path file) {
            return switch (this) {
                case ONNX, CAFFE, DARKNET, NCNN, TFLITE -> true;
                case TENSORFLOW -> TensorflowImporter.isModel(file);
                case OPENVINO -> OpenVinoImporter.isModel(file);
                case JSON -> JsonImporter.isModel(file) || TfjsImporter.isModel(file);
            };
        }

        /** {@return whether a text names a file of this format that has the stem of one of these} */
        private boolean isNamedIn(String text, List<Path> files) {
            return files.stream()
                    .map(file -> file.getFileName().toString())
                    .map(name -> name.substring(0, name.lastIndexOf('.')))
                    .anyMatch(stem -> suffixes().stream().anyMatch(suffix -> text.contains(stem + suffix)));
        }

        List<Path> among(Collection<Path> files) {
            for (String suffix : suffixes()) {
                List<Path> found = files.stream()
                        .filter(file -> hasSuffix(file, suffix) && isModel(file))
                        .sorted()
                        .toList();
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return List.of();
        }
    }

    private static final long LARGEST_DESCRIPTION = 1 << 20;

    private final Map<Format, List<Path>> models = new EnumMap<>(Format.class);
    private final Map<Format, List<Path>> unclaimed = new EnumMap<>(Format.class);

    /** The model files among {@code files}, in a folder with these reference folders. */
    ModelFiles(Collection<Path> files, Collection<Path> references) {
        for (Format format : Format.values()) {
            List<Path> found = format == Format.JSON && !models.isEmpty() ? List.of() : format.among(files);
            if (!found.isEmpty()) {
                models.put(format, found);
                unclaimed.put(format, rest(format, found, references));
            }
        }
    }

    private static List<Path> rest(Format format, List<Path> found, Collection<Path> references) {
        List<Path> rest = new ArrayList<>(found);
        for (Path reference : references) {
            if (words(reference).contains(format.word())) {
                rest.removeAll(chosen(found, words(reference)));
            }
        }
        return rest;
    }

    private static boolean hasSuffix(Path file, String suffix) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(suffix);
    }

    /**
     * {@return whether networks of the file's format have channels last, so that outputs alone may have been recorded
     * otherwise}
     */
    static boolean haveChannelsLast(Path file) {
        return Stream.of(Format.TENSORFLOW, Format.TFLITE)
                .flatMap(format -> format.suffixes().stream())
                .anyMatch(suffix -> hasSuffix(file, suffix));
    }

    /** All model files, those of each format by themselves. */
    List<List<Path>> all() {
        return List.copyOf(models.values());
    }

    /** Those that a reference belongs to, those of each format by themselves. */
    List<List<Path>> of(Path reference) {
        List<String> words = words(reference);
        List<Path> named = new ArrayList<>();
        models.forEach((format, files) -> {
            if (words.contains(format.word())) {
                named.addAll(chosen(files, words));
            }
        });
        if (!named.isEmpty()) {
            return List.of(named);
        }
        List<List<Path>> computedFrom = namedIn(reference.resolve("ref.json"));
        if (!computedFrom.isEmpty()) {
            return computedFrom;
        }
        return unclaimed.values().stream()
                .map(files -> chosen(files, words))
                .filter(files -> !files.isEmpty())
                .toList();
    }

    /** The files of those formats of which a description of a reference names a file. */
    private List<List<Path>> namedIn(Path description) {
        String text;
        try {
            text = Files.exists(description) && Files.size(description) < LARGEST_DESCRIPTION
                    ? Files.readString(description, StandardCharsets.ISO_8859_1)
                    : "";
        } catch (IOException unreadable) {
            return List.of();
        }
        return models.entrySet().stream()
                .filter(entry -> entry.getKey().isNamedIn(text, entry.getValue()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The word that tells the cases of formats apart. */
    static String formatOf(List<Path> files) {
        for (Format format : Format.values()) {
            if (format.suffixes().stream().anyMatch(suffix -> hasSuffix(files.get(0), suffix))) {
                return format.word();
            }
        }
        return "";
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
