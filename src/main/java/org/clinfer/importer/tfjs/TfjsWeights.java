package org.clinfer.importer.tfjs;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.MissingWeights;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The weights that a manifest lists, read from their files when they are asked for. */
final class TfjsWeights {

    private static final int MAX_RANK = 64;

    /** The parts that some files have between a layer's name and the number of its weight. */
    private static final Set<String> FILLERS = Set.of("vars", "layer_checkpoint_dependencies");

    private final UnsupportedLayers unsupported;
    private final NeighbourFiles files;
    private final String file;
    private final Map<String, Weight> byName = new HashMap<>();
    /** By the last two parts of the name: layer and weight. */
    private final Map<String, List<Weight>> byEnd = new HashMap<>();

    /** The layer that each weight was found for. */
    private final Map<String, List<String>> owners = new HashMap<>();

    private final Map<String, Tensor> tensors = new HashMap<>();

    private record Weight(String name, TensorType type, Stored stored, WeightGroup group, long offset) {

        long bytes() {
            return type.shape().elements() * stored.bytes();
        }
    }

    /**
     * Reads a manifest.
     *
     * @param files the folder of the model, in which the weights must stand; to be open as long as weights are read
     * @param file the model's name, for messages
     * @param unsupported whether files may be missing: {@link UnsupportedLayers#OPAQUE}
     * @throws GraphException if a group of files does not have as many bytes as its weights
     */
    TfjsWeights(NeighbourFiles files, String file, List<Json> manifest, UnsupportedLayers unsupported) {
        this.unsupported = unsupported;
        this.files = files;
        this.file = file;
        Set<String> paths = new HashSet<>();
        for (int index = 0; index < manifest.size(); index++) {
            SourceRef source = new SourceRef(file, ModelDocument.MANIFEST + "[" + index + "]");
            addGroup(TfjsFields.of(manifest.get(index), source, ""), paths);
        }
    }

    private void addGroup(TfjsFields fields, Set<String> paths) {
        WeightGroup group = new WeightGroup(files);
        for (Json path : fields.list("paths").orElse(List.of())) {
            if (!(path instanceof Json.Text text)) {
                throw fields.wrong("paths", "expected file names, found " + path.shown());
            }
            add(text.value(), group, fields.source());
            if (!paths.add(Path.of(text.value()).normalize().toString())) {
                throw fields.wrong("paths", "the file " + path.shown() + " is named twice");
            }
        }
        long end = 0;
        for (Json element : fields.list("weights").orElse(List.of())) {
            Weight weight = weight(TfjsFields.of(element, fields.source(), "weights"), group, end);
            end += weight.bytes();
            if (end < 0 || (end > group.bytes() && !group.isMissing())) {
                throw new GraphException(
                        sourceOf(weight.name()),
                        "it needs " + weight.bytes() + " bytes from offset " + (end - weight.bytes())
                                + ", but the files of its group have " + group.bytes());
            }
            if (byName.put(weight.name(), weight) != null) {
                throw new GraphException(sourceOf(weight.name()), "it is listed twice");
            }
            byEnd.computeIfAbsent(end(plain(weight.name())), key -> new ArrayList<>())
                    .add(weight);
        }
        if (end != group.bytes() && !group.isMissing()) {
            throw new GraphException(
                    fields.source(), "its weights have " + end + " bytes, but its files " + group.bytes());
        }
    }

    private void add(String path, WeightGroup group, SourceRef source) {
        try {
            group.add(path, source);
        } catch (MissingFileException missing) {
            if (unsupported == UnsupportedLayers.REFUSED) {
                throw missing;
            }
            group.addMissing();
        }
    }

    private SourceRef sourceOf(String name) {
        return new SourceRef(file, "weight " + new Json.Text(name).shown());
    }

    private Weight weight(TfjsFields fields, WeightGroup group, long offset) {
        String written = fields.text("name").orElseThrow(() -> fields.wrong("name", "it is missing"));
        String name = written.endsWith(":0") ? written.substring(0, written.length() - 2) : written;
        SourceRef source = sourceOf(name);
        Stored stored = Stored.read(fields, source);
        long[] sizes = fields.integers("shape").orElseThrow(() -> fields.wrong("shape", "it is missing"));
        if (sizes.length > MAX_RANK || Arrays.stream(sizes).anyMatch(size -> size < 0)) {
            throw new GraphException(source, "shape: expected at most " + MAX_RANK + " sizes from 0");
        }
        TensorType type = new TensorType(stored.dtype(), Shape.of(sizes));
        if (!type.fits()) {
            throw new GraphException(source, "its type " + type + " is too large");
        }
        return new Weight(name, type, stored, group, offset);
    }

    /** A name without the parts that say nothing. */
    private static String plain(String name) {
        return Arrays.stream(name.split("/", -1))
                .map(part -> part.startsWith("_") ? part.substring(1) : part)
                .filter(part -> !FILLERS.contains(part))
                .collect(Collectors.joining("/"));
    }

    /** The last two parts of a plain name. */
    private static String end(String plain) {
        int last = plain.lastIndexOf('/');
        return plain.substring(last <= 0 ? 0 : plain.lastIndexOf('/', last - 1) + 1);
    }

    /**
     * The full name of a layer's weight. It begins with the names of the layer and of the networks around it, the
     * outermost or more of them being left out or others put in front; some files number a layer's weights.
     *
     * @param path the names of the networks around the layer, and its own
     * @param number which of the layer's weights it is, from 0
     * @throws GraphException if it may be one of several, or is that of another layer
     */
    Optional<String> find(List<String> path, String name, int number, SourceRef source) {
        Optional<String> found = exact(path, name).or(() -> byEnd(path.get(path.size() - 1), name, number, source));
        found.ifPresent(weight -> {
            List<String> owner = owners.putIfAbsent(weight, path);
            if (owner != null && !owner.equals(path)) {
                throw new GraphException(
                        source,
                        "its weight " + new Json.Text(weight).shown() + " is that of the layer '"
                                + String.join("/", owner) + "'");
            }
        });
        return found;
    }

    private Optional<String> exact(List<String> path, String name) {
        for (int from = 0; from < path.size(); from++) {
            String full = String.join("/", path.subList(from, path.size())) + "/" + name;
            if (byName.containsKey(full)) {
                return Optional.of(full);
            }
        }
        return Optional.empty();
    }

    private Optional<String> byEnd(String layer, String name, int number, SourceRef source) {
        for (String candidate : List.of(name, Integer.toString(number))) {
            String wanted = plain(layer + "/" + candidate);
            List<Weight> found = byEnd.getOrDefault(end(wanted), List.of()).stream()
                    .filter(weight -> ("/" + plain(weight.name())).endsWith("/" + wanted))
                    .toList();
            if (found.size() > 1) {
                throw new GraphException(
                        source,
                        "its weight '" + name + "' may be "
                                + new Json.Text(found.get(0).name()).shown() + " or "
                                + new Json.Text(found.get(1).name()).shown());
            }
            if (!found.isEmpty()) {
                return Optional.of(found.get(0).name());
            }
        }
        return Optional.empty();
    }

    /** The tensor of a weight that was found; the same one every time. */
    Tensor read(String fullName) {
        Tensor known = tensors.get(fullName);
        if (known == null) {
            known = load(fullName);
            tensors.put(fullName, known);
        }
        return known;
    }

    private Tensor load(String fullName) {
        Weight weight = Optional.ofNullable(byName.get(fullName)).orElseThrow();
        SourceRef source = sourceOf(fullName);
        if (weight.type().bytes() > Tensor.MAX_BYTES) {
            throw new UnsupportedException(
                    source,
                    "tensor over 2 GB",
                    "its type " + weight.type() + " needs " + weight.type().bytes() + " bytes");
        }
        if (weight.group().isMissing()) {
            return MissingWeights.of(weight.type())
                    .orElseThrow(() -> new UnsupportedException(
                            source, "weight without its file", "its elements are in a file that is missing"));
        }
        ByteBuffer bytes = weight.group().read(weight.offset(), (int) weight.bytes(), source);
        boolean aligned =
                weight.group().isAligned(weight.offset(), weight.stored().bytes());
        return weight.stored().tensor(weight.type(), bytes, aligned, source);
    }
}
