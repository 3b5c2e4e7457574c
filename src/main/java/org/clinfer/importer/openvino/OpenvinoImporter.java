package org.clinfer.importer.openvino;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.NeighbourFiles;

/**
 * Reads OpenVINO's intermediate representation. Constants are those of the {@code .bin} file beside an {@code .xml} with the same
 * name; without one they have their types, but no values.
 */
public final class OpenvinoImporter implements ModelImporter {

    private static final String DEFINITION = ".xml";
    private static final String WEIGHTS = ".bin";
    private static final long MAX_BYTES = 256L << 20;
    private static final int START_BYTES = 4096;

    private static final Pattern ROOT = Pattern.compile("<net\\s");

    private final OpCatalog catalog;

    /** @param catalog the operators there are; layers may use those that do not come with Clinfer by their names */
    public OpenvinoImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "OpenVINO IR (.xml)";
    }

    @Override
    public boolean accepts(Path file) {
        return isModel(file);
    }

    /** Whether a file begins like a definition; many programs have files with its ending. */
    public static boolean isModel(Path file) {
        if (!FileName.of(file).toLowerCase(Locale.ROOT).endsWith(DEFINITION)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            String start = new String(in.readNBytes(START_BYTES), StandardCharsets.UTF_8);
            return ROOT.matcher(start).find();
        } catch (IOException unreadable) {
            return false;
        }
    }

    @Override
    public Graph read(Path file) {
        String name = FileName.of(file);
        SourceRef source = new SourceRef(name, "");
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new GraphException(
                        source,
                        "it has " + Files.size(file) + " bytes, more than the " + MAX_BYTES + " of a definition");
            }
            IrReader.Network network;
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
                network = IrReader.read(in, name);
            }
            String bin = name.substring(0, name.length() - DEFINITION.length()) + WEIGHTS;
            try (NeighbourFiles files = new NeighbourFiles(file)) {
                boolean there = Files.exists(file.resolveSibling(bin));
                Weights weights = there ? Weights.of(files, bin) : Weights.none(bin);
                return new GraphTranslation(network, weights, source, catalog).translate();
            }
        } catch (NoSuchFileException missing) {
            throw new GraphException(source, "no such file: " + file, missing);
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
