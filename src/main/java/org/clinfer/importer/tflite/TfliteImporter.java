package org.clinfer.importer.tflite;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
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
        return Stream.of(TfliteTranslation.OPERATORS.types(), TfliteControl.OPERATORS, TfliteVariables.OPERATORS)
                .flatMap(Set::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean accepts(ModelSource model) {
        return model.endsWith(ENDING) || TfliteFile.isModel(model);
    }

    @Override
    public Graph read(ModelSource model, UnsupportedLayers unsupported) {
        try (TfliteFile file = TfliteFile.open(model)) {
            return new TfliteTranslation(TfliteModel.read(file), catalog).translate(unsupported);
        } catch (IOException failed) {
            throw new GraphException(model.ref(), "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
