package org.clinfer.importer.darknet;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.DefinitionFile;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;

/**
 * Reads darknet's networks. Weights are those of the {@code .weights} file beside a {@code .cfg} with the same name, or of the
 * only one there; without one, weights have their shapes, but no values.
 */
public final class DarknetImporter implements ModelImporter {

    private static final String TEXT = ".cfg";
    private static final String WEIGHTS = ".weights";
    private static final long MAX_BYTES = 4L << 20;
    private static final int START_BYTES = 4096;

    private final OpCatalog catalog;

    /** @param catalog the operators there are */
    public DarknetImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "darknet (.cfg)";
    }

    @Override
    public Set<String> operators() {
        return DarknetTranslation.LAYERS.types();
    }

    @Override
    public boolean accepts(ModelSource model) {
        return DefinitionFile.begins(
                model,
                TEXT,
                START_BYTES,
                start -> start.lines()
                        .map(Cfg::cleaned)
                        .filter(line -> !line.isEmpty())
                        .findFirst()
                        .filter(Cfg::isStart)
                        .isPresent());
    }

    @Override
    public Graph read(ModelSource model, UnsupportedLayers unsupported) {
        DefinitionFile file = new DefinitionFile(model);
        return file.read(MAX_BYTES, (text, files) -> {
            Cfg cfg = Cfg.read(new String(text, StandardCharsets.UTF_8), file.name());
            DarknetWeights weights = file.beside(WEIGHTS)
                    .map(found -> DarknetWeights.of(files, found, file.source()))
                    .orElseGet(DarknetWeights::none);
            return new DarknetTranslation(weights, files, file.stem(), file.source(), catalog)
                    .translate(cfg, unsupported);
        });
    }
}
