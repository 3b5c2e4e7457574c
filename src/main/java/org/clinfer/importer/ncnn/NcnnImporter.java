package org.clinfer.importer.ncnn;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.NeighbourFiles;

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

    /** Other programs have files with this ending, too. */
    @Override
    public boolean accepts(Path file) {
        if (!hasSuffix(file, TEXT)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(START_BYTES), StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .filter(line -> line.strip().equals(ParamReader.MAGIC))
                    .isPresent();
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean hasSuffix(Path file, String suffix) {
        return FileName.of(file).toLowerCase(Locale.ROOT).endsWith(suffix);
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
            List<Layer> layers = ParamReader.read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8), name);
            try (NeighbourFiles files = new NeighbourFiles(file)) {
                Weights weights = weightsBeside(file)
                        .map(found -> Weights.of(files, found))
                        .orElseGet(Weights::none);
                return new GraphTranslation(stem(name), weights, source, catalog).translate(layers);
            }
        } catch (NoSuchFileException missing) {
            throw new GraphException(source, "no such file: " + file, missing);
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }

    private static String stem(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    private static Optional<String> weightsBeside(Path file) throws IOException {
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file.toAbsolutePath());
        try (Stream<Path> all = Files.list(folder)) {
            List<String> names = all.filter(each -> hasSuffix(each, WEIGHTS) && Files.isRegularFile(each))
                    .map(FileName::of)
                    .sorted()
                    .toList();
            Optional<String> same = names.stream()
                    .filter(each -> stem(each).equals(stem(FileName.of(file))))
                    .findFirst();
            return same.isPresent() || names.size() != 1 ? same : Optional.of(names.get(0));
        }
    }
}
