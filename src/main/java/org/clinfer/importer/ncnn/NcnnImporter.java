package org.clinfer.importer.ncnn;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.DefinitionFile;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;

/**
 * Reads ncnn's networks. Weights are those of the {@code .bin} file beside a {@code .param} with the same name, or of the only
 * one there; without one, weights have their shapes, but no values.
 */
public final class NcnnImporter implements ModelImporter {

    private static final String TEXT = ".param";
    private static final String WEIGHTS = ".bin";
    private static final long MAX_BYTES = 16L << 20;
    private static final int START_BYTES = 64;

    private final OpCatalog catalog;

    /** @param catalog the operators there are; layers may use those that do not come with Clinfer by their names */
    public NcnnImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "ncnn (.param)";
    }

    @Override
    public Set<String> operators() {
        return NcnnTranslation.LAYERS.types();
    }

    @Override
    public boolean accepts(ModelSource model) {
        return DefinitionFile.begins(
                model,
                TEXT,
                START_BYTES,
                start -> start.lines()
                        .findFirst()
                        .filter(line -> line.strip().equals(NcnnParamReader.MAGIC))
                        .isPresent());
    }

    @Override
    public Graph read(ModelSource model, UnsupportedLayers unsupported) {
        DefinitionFile file = new DefinitionFile(model);
        return file.read(MAX_BYTES, (text, files) -> {
            List<NcnnLayer> layers = NcnnParamReader.read(new String(text, StandardCharsets.UTF_8), file.name());
            NcnnWeights weights = file.beside(WEIGHTS)
                    .map(found -> NcnnWeights.of(files, found))
                    .orElseGet(NcnnWeights::none);
            return new NcnnTranslation(file.stem(), weights, file.source(), catalog).translate(layers, unsupported);
        });
    }
}
