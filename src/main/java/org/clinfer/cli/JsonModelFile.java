package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.json.JsonExporter;

/** Networks as files in Clinfer's own format. */
final class JsonModelFile {

    static final String SUFFIX = ".json";

    private JsonModelFile() {}

    /**
     * Writes a network; its weights come first, so that a document is never there without them.
     *
     * @param file ends in {@link #SUFFIX}; weights go to one of the same name
     * @param inlineElements the most elements of a constant that stand in the document itself
     * @return the files written
     */
    static List<Path> write(Graph graph, OpCatalog catalog, Path file, long inlineElements) throws IOException {
        JsonExporter exporter = new JsonExporter(catalog, inlineElements);
        String name = String.valueOf(file.getFileName());
        String weights = name.substring(0, name.length() - SUFFIX.length()) + ".safetensors";
        List<Path> written = new ArrayList<>();
        if (exporter.needsWeights(graph)) {
            Path beside = file.resolveSibling(weights);
            AtomicFile.write(beside, out -> exporter.writeWeights(graph, out));
            written.add(beside);
        }
        AtomicFile.write(file, out -> exporter.writeModel(graph, weights, out));
        written.add(file);
        return written;
    }
}
