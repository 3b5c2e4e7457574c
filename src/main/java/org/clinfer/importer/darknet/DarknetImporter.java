package org.clinfer.importer.darknet;

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
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.NeighbourFiles;

/**
 * Reads darknet's networks. Weights are those of the {@code .weights} file beside a {@code .cfg} with the same name, or of the
 * only one there; without one, weights have their shapes, but no values.
 */
public final class DarknetImporter implements ModelImporter {

    private static final String TEXT = ".cfg";
    private static final String WEIGHTS = ".weights";
    private static final long MAX_BYTES = 4L << 20;
    private static final int START_BYTES = 4096;

    @Override
    public String format() {
        return "darknet (.cfg)";
    }

    /** Other programs have files with this ending, too. */
    @Override
    public boolean accepts(Path file) {
        if (!hasSuffix(file, TEXT)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            String start = new String(in.readNBytes(START_BYTES), StandardCharsets.UTF_8);
            return start.lines()
                    .map(Cfg::cleaned)
                    .filter(line -> !line.isEmpty())
                    .findFirst()
                    .filter(Cfg::isStart)
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
            Cfg cfg = Cfg.read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8), name);
            try (NeighbourFiles files = new NeighbourFiles(file)) {
                Weights weights = weightsBeside(file)
                        .map(found -> Weights.of(files, found, source))
                        .orElseGet(Weights::none);
                return new GraphTranslation(cfg, weights, stem(name), source).translate();
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
