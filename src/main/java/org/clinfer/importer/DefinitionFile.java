package org.clinfer.importer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** A file that defines a network in text; its weights are in another one beside it. */
public final class DefinitionFile {

    /** Makes a network of a definition. */
    @FunctionalInterface
    public interface Reading {
        Graph of(byte[] text, NeighbourFiles files) throws IOException;
    }

    private final ModelSource model;
    private final String name;
    private final SourceRef source;

    /** @param model its name ends in a dot and letters */
    public DefinitionFile(ModelSource model) {
        this.model = model;
        this.name = model.name();
        this.source = model.ref();
    }

    /**
     * {@return whether a file has an ending, in capitals or not, and begins as its format does: many programs have
     * files with the same ending}
     *
     * @param bytes how many of the file decide
     */
    public static boolean begins(ModelSource model, String ending, int bytes, Predicate<String> start) {
        if (!model.endsWith(ending)) {
            return false;
        }
        try (InputStream in = model.open()) {
            return start.test(new String(in.readNBytes(bytes), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean hasEnding(String name, String ending) {
        return name.toLowerCase(Locale.ROOT).endsWith(ending);
    }

    /** The file's name. */
    public String name() {
        return name;
    }

    /** The file, for messages. */
    public SourceRef source() {
        return source;
    }

    /** The file's name without its ending. */
    public String stem() {
        return stem(name);
    }

    private static String stem(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    /**
     * The network that it defines.
     *
     * @param mostBytes that a definition may have
     * @throws GraphException if the file is missing, unreadable or too long
     */
    public Graph read(long mostBytes, Reading reading) {
        try {
            long bytes = model.size();
            if (bytes > mostBytes) {
                throw new GraphException(
                        source, "it has " + bytes + " bytes, more than the " + mostBytes + " of a definition");
            }
            try (NeighbourFiles files = new NeighbourFiles(model);
                    InputStream in = model.open()) {
                return reading.of(in.readAllBytes(), files);
            }
        } catch (NoSuchFileException missing) {
            throw new GraphException(source, "no such file: " + model, missing);
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }

    /** The name of the file beside it that has this ending and its own name, or is the only one there with that ending. */
    public Optional<String> beside(String ending) throws IOException {
        if (model.folder().isEmpty()) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(model.folder().get())) {
            List<String> names = all.filter(Files::isRegularFile)
                    .map(FileName::of)
                    .filter(each -> hasEnding(each, ending))
                    .sorted()
                    .toList();
            Optional<String> same =
                    names.stream().filter(each -> stem(each).equals(stem())).findFirst();
            return same.isPresent() || names.size() != 1 ? same : Optional.of(names.get(0));
        }
    }
}
