package org.clinfer.importer.tfjs;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.JsonTokens;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.UnsupportedLayers;

/** Reads TensorFlow.js layers models: {@code model.json} and the weight files beside it. */
public final class TfjsImporter implements ModelImporter {

    /** Bytes of {@code model.json} at most; the weights are in files of their own. */
    private static final long MAX_BYTES = 64L << 20;

    /** Fields of a {@code model.json} that other documents do not have. */
    private static final Set<String> OWN_FIELDS = Set.of(ModelDocument.TOPOLOGY, ModelDocument.MANIFEST);

    /** Fields of Clinfer's own models. */
    private static final Set<String> OTHER_FIELDS = Set.of("name", "ops");

    private final OpCatalog catalog;

    /** @param catalog the operators there are; layers may use those that do not come with Clinfer by their names */
    public TfjsImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "TensorFlow.js (model.json)";
    }

    @Override
    public Set<String> operators() {
        return TfjsTranslation.LAYERS.types();
    }

    @Override
    public boolean accepts(ModelSource model) {
        return model.endsWith(".json") && isModel(model);
    }

    /** {@return whether a JSON file is a model of TensorFlow.js by the names of its fields} */
    public static boolean isModel(Path file) {
        return isModel(ModelSource.of(file));
    }

    private static boolean isModel(ModelSource model) {
        AtomicBoolean found = new AtomicBoolean();
        SourceRef source = model.ref();
        try (InputStream in = open(model)) {
            if (model.size() > MAX_BYTES) {
                return false;
            }
            JsonTokens.read(
                    in,
                    JsonTokens.Dialect.NESTED,
                    source,
                    tokens -> tokens.object("a model", field -> {
                        if (OWN_FIELDS.contains(field) || OTHER_FIELDS.contains(field)) {
                            found.set(OWN_FIELDS.contains(field));
                            throw tokens.wrong("enough was seen");
                        }
                        tokens.skip();
                    }));
        } catch (GraphException | IOException endsHere) {
            return found.get();
        }
        return false;
    }

    private static InputStream open(ModelSource model) throws IOException {
        return new BufferedInputStream(model.open(), 1 << 16);
    }

    @Override
    public Graph read(ModelSource file, UnsupportedLayers unsupported) {
        String name = file.name();
        SourceRef source = file.ref();
        try (InputStream in = open(file)) {
            if (file.size() > MAX_BYTES) {
                throw new GraphException(
                        source, "it has " + file.size() + " bytes, more than the " + MAX_BYTES + " of a topology");
            }
            ModelDocument document = ModelDocument.read(in, source);
            Topology topology = new TopologyReader(name).read(document.model());
            try (NeighbourFiles neighbours = new NeighbourFiles(file)) {
                TfjsWeights weights = new TfjsWeights(neighbours, name, document.manifest(), unsupported);
                String title = topology.name().isEmpty() ? "model" : topology.name();
                return new TfjsTranslation(document.origin(), weights, source, title, catalog)
                        .translate(topology, unsupported);
            }
        } catch (NoSuchFileException missing) {
            throw new GraphException(source, "no such file: " + file, missing);
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
