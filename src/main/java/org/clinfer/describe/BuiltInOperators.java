package org.clinfer.describe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The descriptions that come with Clinfer, each operator with its variants read when it is asked for: a network uses few
 * of them. The {@linkplain #INDEX index} says which file has which operators. Tests verify them.
 */
final class BuiltInOperators implements OpCatalog.Contents {

    /** A line for each file: its name, a colon, and the names of its operators. */
    static final String INDEX = "index.txt";

    private final Map<String, String> files = new LinkedHashMap<>();
    private final Map<String, DescriptionFile> opened = new ConcurrentHashMap<>();
    private final Map<String, Entry> read = new ConcurrentHashMap<>();
    private final SharedFamilies shared = new SharedFamilies(file -> Optional.of(bytes(file)));

    private record Entry(OpDescription operator, List<VariantDescription> variants) {}

    /**
     * @throws DescriptionException if there is no index
     */
    BuiltInOperators() {
        for (String line : new String(bytes(INDEX), StandardCharsets.UTF_8).split("\n", -1)) {
            if (line.isEmpty()) {
                continue;
            }
            int colon = line.indexOf(':');
            for (String optype : line.substring(colon + 2).split(" ", -1)) {
                files.put(optype, line.substring(0, colon));
            }
        }
    }

    @Override
    public Set<String> names() {
        return Collections.unmodifiableSet(files.keySet());
    }

    @Override
    public @Nullable OpDescription operator(String optype) {
        Entry entry = entry(optype);
        return entry == null ? null : entry.operator();
    }

    @Override
    public List<VariantDescription> variants(String optype) {
        Entry entry = entry(optype);
        return entry == null ? List.of() : entry.variants();
    }

    private @Nullable Entry entry(String optype) {
        return files.containsKey(optype) ? read.computeIfAbsent(optype, this::read) : null;
    }

    private Entry read(String optype) {
        DescriptionReader.Contents contents = file(optype).read(optype);
        return new Entry(contents.operators().get(0), OpCatalog.referenceLast(contents.variants()));
    }

    private DescriptionFile file(String optype) {
        return opened.computeIfAbsent(
                Objects.requireNonNull(files.get(optype)),
                file -> new DescriptionFile(bytes(file), new JsonReader.Origin(file, true, new Mistakes()), shared));
    }

    private byte[] bytes(String file) {
        String resource = OpCatalog.FOLDER + "/" + file;
        // of the class, not of its loader: to that the resources of a module's packages are closed
        try (InputStream stream = BuiltInOperators.class.getResourceAsStream("/" + resource)) {
            if (stream == null) {
                throw new DescriptionException("there is no resource " + resource + " beside the classes of Clinfer");
            }
            return stream.readAllBytes();
        } catch (IOException failed) {
            throw new DescriptionException(resource + " cannot be read: " + failed.getMessage(), failed);
        }
    }
}
