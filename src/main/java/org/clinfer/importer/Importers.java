package org.clinfer.importer;

import java.nio.file.Files;
import java.nio.file.Path;
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
import org.clinfer.importer.openvino.OpenvinoImporter;
import org.clinfer.importer.tensorflow.TensorflowImporter;
import org.clinfer.importer.tfjs.TfjsImporter;
import org.clinfer.importer.tflite.TfliteImporter;

/** The importers Clinfer has; the first that accepts a file reads it. */
public final class Importers {

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
                new OpenvinoImporter(catalog),
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
        return importers.stream().filter(importer -> importer.accepts(file)).findFirst();
    }

    /**
     * Reads a model of any known format.
     *
     * @throws GraphException if the file is missing, of an unknown kind, or malformed
     */
    public Graph read(Path file) {
        return read(file, UnsupportedLayers.REFUSED);
    }

    /**
     * Reads a model of any known format.
     *
     * @throws GraphException if the file is missing, of an unknown kind, or malformed
     */
    public Graph read(Path file, UnsupportedLayers unsupported) {
        SourceRef source = new SourceRef(file.toString(), "");
        if (!Files.exists(file)) {
            throw new GraphException(source, "no such file");
        }
        if (!Files.isRegularFile(file)) {
            throw new GraphException(source, "not a regular file");
        }
        return find(file)
                .orElseThrow(() -> new GraphException(source, "unknown kind of model file; known are " + formats()))
                .read(file, unsupported);
    }

    private String formats() {
        return importers.stream().map(ModelImporter::format).collect(Collectors.joining(", "));
    }
}
