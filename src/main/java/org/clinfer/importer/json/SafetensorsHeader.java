package org.clinfer.importer.json;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.JsonTokens;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * The table at the start of a safetensors file: eight bytes with the length of a JSON object, that object, then the
 * tensors one after another without gaps.
 */
final class SafetensorsHeader {

    /** The entry that is no tensor. */
    static final String METADATA = "__metadata__";

    /** Bytes of the length that stands first. */
    static final int LENGTH_BYTES = 8;

    private static final long MAX_BYTES = 32L << 20;
    private static final int MAX_RANK = 64;
    private static final String FIELDS = "dtype, shape, data_offsets";

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final long dataStart;

    /** One tensor; offsets count from the end of the header. */
    record Entry(String dtype, Shape shape, long begin, long end) {}

    private SafetensorsHeader(long dataStart) {
        this.dataStart = dataStart;
    }

    /**
     * Reads and verifies the header of a file.
     *
     * @param user what names the file, for messages
     * @throws GraphException if it is malformed, or does not describe the file's bytes exactly
     */
    static SafetensorsHeader read(NeighbourFiles files, String location, SourceRef user) {
        SourceRef source = new SourceRef(location, "");
        long fileBytes = files.size(location, user);
        if (fileBytes < LENGTH_BYTES) {
            throw new GraphException(source, "not a safetensors file: it has " + fileBytes + " bytes");
        }
        long length = files.bytes(location, 0, LENGTH_BYTES, user)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(0);
        if (length < 0 || length > fileBytes - LENGTH_BYTES) {
            throw new GraphException(
                    source,
                    "not a safetensors file: its header should have " + Long.toUnsignedString(length)
                            + " bytes, the file has " + fileBytes);
        }
        if (length > MAX_BYTES) {
            throw new GraphException(source, "its header of " + length + " bytes is longer than " + MAX_BYTES);
        }
        ByteBuffer text = files.bytes(location, LENGTH_BYTES, length, user);
        byte[] bytes = new byte[(int) length];
        text.get(bytes);
        SafetensorsHeader header = new SafetensorsHeader(LENGTH_BYTES + length);
        JsonTokens.read(
                new ByteArrayInputStream(bytes),
                JsonTokens.Dialect.FLAT,
                source,
                tokens -> tokens.object("a table of tensors", name -> header.add(name, tokens)));
        header.verifyLayout(fileBytes - header.dataStart, source);
        return header;
    }

    private void add(String name, JsonTokens tokens) {
        if (name.equals(METADATA)) {
            tokens.object("an object of strings", key -> tokens.string("a string"));
            return;
        }
        Map<String, String> dtype = new LinkedHashMap<>();
        Map<String, List<Long>> lists = new LinkedHashMap<>();
        tokens.object("a tensor", field -> {
            switch (field) {
                case "dtype" -> dtype.put(field, tokens.string("a data type"));
                case "shape", "data_offsets" -> lists.put(field, sizes(tokens));
                default -> throw tokens.unknownField(field, FIELDS);
            }
        });
        List<Long> shape = lists.get("shape");
        List<Long> offsets = lists.get("data_offsets");
        String type = dtype.get("dtype");
        if (shape == null || offsets == null || type == null) {
            throw tokens.wrong("tensor '" + name + "' needs " + FIELDS);
        }
        if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
            throw tokens.wrong("tensor '" + name + "' has the data_offsets " + offsets);
        }
        Entry entry = new Entry(type, Shape.of(shape), offsets.get(0), offsets.get(1));
        SafetensorsType.find(type).ifPresent(known -> requireSize(name, entry, known, tokens));
        entries.put(name, entry);
    }

    private static List<Long> sizes(JsonTokens tokens) {
        List<Long> sizes = new ArrayList<>();
        tokens.list("a list of sizes", () -> {
            if (sizes.size() == MAX_RANK) {
                throw tokens.wrong("a list of more than " + MAX_RANK + " sizes");
            }
            sizes.add(tokens.size("a size"));
        });
        return sizes;
    }

    private static void requireSize(String name, Entry entry, DType dtype, JsonTokens tokens) {
        TensorType type = new TensorType(dtype, entry.shape());
        if (!type.fits()) {
            throw tokens.wrong("tensor '" + name + "' is too large: " + type);
        }
        long bytes = entry.end() - entry.begin();
        if (type.bytes() != bytes) {
            throw tokens.wrong(
                    "tensor '" + name + "', " + type + ", needs " + type.bytes() + " bytes, but has " + bytes);
        }
    }

    /** The tensors must follow each other from the first byte of the data to the last. */
    private void verifyLayout(long dataBytes, SourceRef source) {
        List<Map.Entry<String, Entry>> sorted = new ArrayList<>(entries.entrySet());
        sorted.sort(Comparator.comparingLong(
                        (Map.Entry<String, Entry> each) -> each.getValue().begin())
                .thenComparingLong(each -> each.getValue().end()));
        long end = 0;
        for (Map.Entry<String, Entry> each : sorted) {
            Entry entry = each.getValue();
            SourceRef tensor = new SourceRef(source.file(), "tensor '" + each.getKey() + "'");
            if (entry.end() > dataBytes) {
                throw new GraphException(
                        tensor, "it ends at " + entry.end() + ", but the file has " + dataBytes + " bytes of data");
            }
            if (entry.begin() != end) {
                String how = entry.begin() < end ? "overlaps the tensor before it, which ends" : "leaves a gap";
                throw new GraphException(tensor, "it begins at " + entry.begin() + " and " + how + " at " + end);
            }
            end = entry.end();
        }
        if (end != dataBytes) {
            throw new GraphException(
                    source, "its tensors end at " + end + ", but it has " + dataBytes + " bytes of data");
        }
    }

    /** The tensor of this name. */
    Optional<Entry> find(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    /** The begin of the data in the file. */
    long dataStart() {
        return dataStart;
    }
}
