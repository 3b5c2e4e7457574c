package org.clinfer.importer.openvino;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.DefinitionFile;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;

/**
 * Reads OpenVINO's intermediate representation. Constants are those of the {@code .bin} file beside an {@code .xml} with the same
 * name; without one they have their types, but no values.
 */
public final class OpenVinoImporter implements ModelImporter {

    private static final String DEFINITION = ".xml";
    private static final String WEIGHTS = ".bin";
    private static final long MAX_BYTES = 256L << 20;
    private static final int START_BYTES = 4096;

    private static final Pattern ROOT = Pattern.compile("<net\\s");

    private final OpCatalog catalog;

    /** @param catalog the operators there are; layers may use those that do not come with Clinfer by their names */
    public OpenVinoImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "OpenVINO IR (.xml)";
    }

    @Override
    public Set<String> operators() {
        return Stream.of(OpenVinoTranslation.LAYERS.types(), OpenVinoControl.TYPES, OpenVinoVariables.TYPES)
                .flatMap(Set::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean accepts(ModelSource model) {
        return isModel(model);
    }

    /** {@return whether a file begins like a definition; many programs have files with its ending} */
    public static boolean isModel(Path file) {
        return isModel(ModelSource.of(file));
    }

    private static boolean isModel(ModelSource model) {
        return DefinitionFile.begins(
                model, DEFINITION, START_BYTES, start -> ROOT.matcher(start).find());
    }

    @Override
    public Graph read(ModelSource model, UnsupportedLayers unsupported) {
        DefinitionFile file = new DefinitionFile(model);
        return file.read(MAX_BYTES, (text, files) -> {
            IrReader.Network network = IrReader.read(text, file.name());
            String bin = file.stem() + WEIGHTS;
            OpenVinoWeights weights = files.has(bin) ? OpenVinoWeights.of(files, bin) : OpenVinoWeights.none(bin);
            return new OpenVinoTranslation(network, weights, file.source(), catalog).translate(unsupported);
        });
    }
}
