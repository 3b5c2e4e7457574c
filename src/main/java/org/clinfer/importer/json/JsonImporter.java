package org.clinfer.importer.json;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.JsonTokens;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.UnsupportedLayers;

/** Reads Clinfer's own models: operators as JSON, weights in it or in safetensors files beside it. */
public final class JsonImporter implements ModelImporter {

    /** Bytes of one document at most; larger weights stand in files of their own. */
    static final long MAX_BYTES = 512L << 20;

    private final OpCatalog catalog;

    /** @param catalog the operators there are, for the names of their arguments */
    public JsonImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "Clinfer (.json)";
    }

    @Override
    public Set<String> operators() {
        return catalog.operators().stream().map(OpDescription::optype).collect(Collectors.toSet());
    }

    @Override
    public boolean accepts(ModelSource model) {
        return model.endsWith(".json");
    }

    /** {@return whether a JSON file is a model by its first fields, unlike the many other documents of that suffix} */
    public static boolean isModel(Path file) {
        AtomicBoolean found = new AtomicBoolean();
        SourceRef source = new SourceRef(FileName.of(file), "");
        try (InputStream in = open(ModelSource.of(file))) {
            JsonTokens.read(
                    in,
                    JsonTokens.Dialect.COMMENTED,
                    source,
                    tokens -> tokens.object("a model", field -> {
                        found.set(field.equals("ops"));
                        if (field.equals("metadata")) {
                            tokens.skip();
                        } else if (!field.equals("name")) {
                            throw tokens.wrong("enough was seen");
                        }
                    }));
        } catch (GraphException | IOException notAModel) {
            return found.get();
        }
        return found.get();
    }

    private static InputStream open(ModelSource model) throws IOException {
        return new BufferedInputStream(model.open(), 1 << 16);
    }

    @Override
    public Graph read(ModelSource file, UnsupportedLayers unsupported) {
        String name = file.name();
        SourceRef source = file.ref();
        try (NeighbourFiles neighbours = new NeighbourFiles(file);
                InputStream in = open(file)) {
            if (file.size() > MAX_BYTES) {
                throw new GraphException(
                        source,
                        "it has " + file.size() + " bytes, more than the " + MAX_BYTES
                                + " of a JSON model; large weights belong in a .safetensors file beside it");
            }
            JsonGraphReading assembly =
                    new JsonGraphReading(catalog, name, new WeightFiles(neighbours, name), unsupported);
            JsonTokens.read(in, JsonTokens.Dialect.COMMENTED, source, assembly::read);
            return assembly.build();
        } catch (NoSuchFileException missing) {
            throw new GraphException(source, "no such file: " + file, missing);
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
