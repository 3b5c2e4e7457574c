package org.clinfer.importer.caffe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.DefinitionFile;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.caffe.proto.NetParameter;

/**
 * Reads Caffe's networks. Weights are those of the {@code .caffemodel} beside a {@code .prototxt} with the same name, or of
 * the only one there; without one, weights have their shapes, but no values.
 */
public final class CaffeImporter implements ModelImporter {

    /** Bytes of a definition as text at most; weights are in files of their own. */
    private static final long MAX_BYTES = 16L << 20;

    private static final String TEXT = ".prototxt";
    private static final String BINARY = ".caffemodel";
    private static final String OLD_TEXT = ".pt";

    private static final int START_BYTES = 4096;

    /** Comments, then a field that networks begin with. */
    private static final Pattern TEXT_START = Pattern.compile("(?:\\s|#[^\\n]*\\n)*+(?:name|input|layers?)\\s*+[:{]");

    private final OpCatalog catalog;

    /** @param catalog the operators there are; layers may use those that do not come with Clinfer by their names */
    public CaffeImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "Caffe (.prototxt, .caffemodel)";
    }

    @Override
    public Set<String> operators() {
        return CaffeTranslation.LAYERS.types();
    }

    @Override
    public boolean accepts(ModelSource model) {
        return model.endsWith(TEXT) || model.endsWith(BINARY) || (model.endsWith(OLD_TEXT) && startsLikeText(model));
    }

    /** Other formats have files with this ending, too. */
    private static boolean startsLikeText(ModelSource model) {
        try (InputStream in = model.open()) {
            String start = new String(in.readNBytes(START_BYTES), StandardCharsets.UTF_8);
            return TEXT_START.matcher(start).lookingAt();
        } catch (IOException unreadable) {
            return false;
        }
    }

    @Override
    public Graph read(ModelSource model, UnsupportedLayers unsupported) {
        SourceRef source = model.ref();
        if (model.endsWith(BINARY)) {
            NetParameter net = binary(model);
            return graph(BinaryReader.read(net), CaffeWeights.of(net, model.name()), source, unsupported);
        }
        DefinitionFile definition = new DefinitionFile(model);
        return definition.read(MAX_BYTES, (text, files) -> {
            Block net = TextReader.read(new String(text, StandardCharsets.UTF_8), source);
            CaffeWeights weights = definition
                    .beside(BINARY)
                    .map(name -> CaffeWeights.of(binary(ModelSource.of(files.path(name, source))), name))
                    .orElseGet(CaffeWeights::none);
            return graph(net, weights, source, unsupported);
        });
    }

    private Graph graph(Block net, CaffeWeights weights, SourceRef source, UnsupportedLayers unsupported) {
        Definition definition = DefinitionReader.read(net, source);
        if (definition.layers().isEmpty()) {
            throw new GraphException(source, "not a Caffe network: it has no layers");
        }
        String name = definition.name().isEmpty() ? "model" : definition.name();
        return new CaffeTranslation(name, weights, source, catalog).translate(definition, unsupported);
    }

    private static NetParameter binary(ModelSource model) {
        return new ModelFile(model, "Caffe model").parse(NetParameter.parser());
    }
}
