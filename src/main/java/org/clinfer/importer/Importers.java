package org.clinfer.importer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.caffe.CaffeImporter;
import org.clinfer.importer.darknet.DarknetImporter;
import org.clinfer.importer.json.JsonImporter;
import org.clinfer.importer.ncnn.NcnnImporter;
import org.clinfer.importer.onnx.OnnxImporter;
import org.clinfer.importer.openvino.OpenVinoImporter;
import org.clinfer.importer.tensorflow.TensorflowImporter;
import org.clinfer.importer.tfjs.TfjsImporter;
import org.clinfer.importer.tflite.TfliteImporter;

/** The importers Clinfer has; the first that accepts a file reads it. */
public final class Importers {

    private static final int START_BYTES = 1024;

    private final List<ModelImporter> importers;

    private Importers(List<ModelImporter> importers) {
        this.importers = List.copyOf(importers);
    }

    /** Every built-in importer, for the operators that come with Clinfer. */
    public static Importers builtIn() {
        return of(OpCatalog.builtIn());
    }

    /**
     * Every built-in importer, for a catalogue of operators: Clinfer's own format can use each of them, other formats those
     * that do not come with Clinfer.
     */
    public static Importers of(OpCatalog catalog) {
        return new Importers(List.of(
                new TensorflowImporter(catalog),
                new OnnxImporter(catalog),
                new CaffeImporter(catalog),
                new DarknetImporter(catalog),
                new NcnnImporter(catalog),
                new OpenVinoImporter(catalog),
                new TfjsImporter(catalog),
                new TfliteImporter(catalog),
                new JsonImporter(catalog)));
    }

    /** The importers in the order in which they are asked for a file. */
    public List<ModelImporter> all() {
        return importers;
    }

    /** The importer for this file, or empty if no format recognises it. */
    public Optional<ModelImporter> find(Path file) {
        return find(ModelSource.of(file));
    }

    private Optional<ModelImporter> find(ModelSource model) {
        // Clinfer's own format takes every file of that ending, the others look at its bytes
        if (model.endsWith(".json") && ForeignFormat.byBytes(model).isPresent()) {
            return Optional.empty();
        }
        return importers.stream().filter(importer -> importer.accepts(model)).findFirst();
    }

    /**
     * Reads a model of any known format.
     *
     * @param path a file, or a folder with one model
     * @throws GraphException if the file is missing, of an unknown kind, or malformed
     */
    public Graph read(Path path) {
        return read(path, UnsupportedLayers.REFUSED);
    }

    /**
     * Reads a model of any known format.
     *
     * @param path a file, or a folder with one model
     * @throws GraphException if the file is missing, of an unknown kind, or malformed
     */
    public Graph read(Path path, UnsupportedLayers unsupported) {
        SourceRef source = new SourceRef(path.toString(), "");
        if (!Files.exists(path)) {
            throw new GraphException(source, "no such file");
        }
        Path file = Files.isDirectory(path) ? modelOf(path, source) : path;
        if (!Files.isRegularFile(file)) {
            throw new GraphException(source, "not a regular file");
        }
        return find(file)
                .orElseThrow(() -> new GraphException(source, unknown(file)))
                .read(file, unsupported);
    }

    private static Path modelOf(Path folder, SourceRef source) {
        try {
            FolderModels models = FolderModels.of(folder);
            return models.one().orElseThrow(() -> new GraphException(source, models.refusal()));
        } catch (IOException unreadable) {
            throw new GraphException(source, "cannot be listed: " + unreadable.getMessage(), unreadable);
        }
    }

    /**
     * Reads a model in memory.
     *
     * @param name the name that its file would have, whose ending tells the format; empty: the bytes tell
     * @param folder has the files that belong to the model; empty: it must not need any
     * @throws GraphException if it is of an unknown kind or malformed
     */
    public Graph read(byte[] bytes, Optional<String> name, Optional<Path> folder) {
        List<String> names = name.map(List::of).orElseGet(() -> likelyNames(bytes));
        for (String each : names) {
            ModelSource model = ModelSource.of(each, bytes, folder);
            Optional<ModelImporter> importer = find(model);
            if (importer.isPresent()) {
                return importer.get().read(model, UnsupportedLayers.REFUSED);
            }
        }
        throw new GraphException(
                new SourceRef(names.get(0), ""),
                bytes.length == 0
                        ? "it has no bytes"
                        : ForeignFormat.of(ModelSource.of(names.get(0), bytes, folder))
                                .map(ForeignFormat::refusal)
                                .orElseGet(() -> "unknown kind of model by its first bytes; known are " + formats()
                                        + "; where these do not tell, the format has to be given"));
    }

    /** Names for bytes of which nothing is known: text formats are recognised under their own endings alone. */
    private static List<String> likelyNames(byte[] bytes) {
        List<String> names = new ArrayList<>(List.of("model", "model.param", "model.xml", "model.cfg", "model.pt"));
        String start = new String(bytes, 0, Math.min(bytes.length, START_BYTES), StandardCharsets.UTF_8).stripLeading();
        if (start.startsWith("{") || start.startsWith("//") || start.startsWith("/*")) {
            names.add("model.json");
        }
        return names;
    }

    private String unknown(Path file) {
        return ForeignFormat.of(ModelSource.of(file))
                        .map(foreign -> foreign.refusal() + "; it reads ")
                        .orElse("unknown kind of model file; known are ")
                + formats();
    }

    private String formats() {
        return importers.stream().map(ModelImporter::format).collect(Collectors.joining(", "));
    }
}
