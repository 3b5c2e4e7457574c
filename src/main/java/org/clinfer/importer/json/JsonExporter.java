package org.clinfer.importer.json;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;

/**
 * Writes graphs as {@link JsonImporter} reads them. Small constants stand in the document, the others in a safetensors
 * file beside it.
 */
public final class JsonExporter {

    /** Constants of up to so many elements stand in the document, where nothing else is asked for. */
    public static final long INLINE_ELEMENTS = 64;

    private final OpCatalog catalog;
    private final long inlineElements;
    private final long mostBytes;

    /**
     * @param catalog the operators there are, for the names of their arguments
     * @param inlineElements elements of a constant that stands in the document at most
     */
    public JsonExporter(OpCatalog catalog, long inlineElements) {
        this(catalog, inlineElements, JsonImporter.MAX_BYTES);
    }

    /** The same with another limit to the length of a document. */
    JsonExporter(OpCatalog catalog, long inlineElements, long mostBytes) {
        this.catalog = catalog;
        this.inlineElements = inlineElements;
        this.mostBytes = mostBytes;
    }

    /** The constants that stand in the file beside the document, by name. */
    private Map<String, Tensor> outside(Graph graph) {
        Map<String, Tensor> outside = new LinkedHashMap<>();
        addConstants(graph, outside);
        outside.entrySet()
                .removeIf(each ->
                        each.getValue().elements() <= inlineElements || !SafetensorsWriter.canHold(each.getKey()));
        return outside;
    }

    private static void addConstants(Graph graph, Map<String, Tensor> constants) {
        constants.putAll(graph.constants());
        graph.nodes().forEach(node -> node.bodies().values().forEach(body -> addConstants(body, constants)));
    }

    /** {@return whether the graph needs a safetensors file beside its document} */
    public boolean needsWeights(Graph graph) {
        return !outside(graph).isEmpty();
    }

    /** Writes the safetensors file; the stream stays open. */
    public void writeWeights(Graph graph, OutputStream out) throws IOException {
        SafetensorsWriter.write(outside(graph), out);
    }

    /**
     * Writes the document; the stream stays open.
     *
     * @param weights the name that the safetensors file has beside it
     * @throws org.clinfer.graph.GraphException if a node is of no operator of the catalogue or has more inputs or outputs
     *     than that, or if the document would be longer than one that can be read
     * @throws IOException if the stream cannot be written
     */
    public void writeModel(Graph graph, String weights, OutputStream out) throws IOException {
        new GraphDocument(catalog, outside(graph).keySet(), weights)
                .write(graph, new BoundedStream(out, graph.source(), mostBytes));
    }
}
