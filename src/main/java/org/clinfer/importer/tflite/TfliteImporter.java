package org.clinfer.importer.tflite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.UnsupportedLayers;

/** Reads TensorFlow Lite's networks. */
public final class TfliteImporter implements ModelImporter {

    private static final String ENDING = ".tflite";

    private final OpCatalog catalog;

    /** @param catalog the operators there are; custom operators may be those that do not come with Clinfer, by their names */
    public TfliteImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "TensorFlow Lite (.tflite)";
    }

    @Override
    public Set<String> operators() {
        return Stream.of(TfliteTranslation.OPERATORS.types(), TfliteControl.OPERATORS)
                .flatMap(Set::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean accepts(Path file) {
        return FileName.of(file).toLowerCase(Locale.ROOT).endsWith(ENDING) || TfliteFile.isModel(file);
    }

    @Override
    public Graph read(Path path, UnsupportedLayers unsupported) {
        try (TfliteFile file = TfliteFile.open(path)) {
            return new TfliteTranslation(TfliteModel.read(file), catalog).translate(unsupported);
        } catch (IOException failed) {
            throw new GraphException(
                    new SourceRef(FileName.of(path), ""), "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
