package org.clinfer.importer.onnx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;

/**
 * Weights in files beside the model. A file is confined to the model's folder, mapped read-only once, and shared by all
 * tensors in it; a file too large for one mapping is mapped in overlapping windows.
 */
final class ExternalData implements AutoCloseable {

    /** Windows start at multiples of this and are as long as one mapping can be. */
    private static final long WINDOW_STRIDE_BYTES = 1L << 30;

    private final Path folder;
    private final Map<Path, OpenFile> files = new HashMap<>();

    /** One data file: its channel and the windows mapped so far. */
    private record OpenFile(FileChannel channel, long bytes, Map<Long, MappedByteBuffer> windows) {}

    /** Where a tensor's data stands; {@code length} is -1 where the model does not say. */
    private record Place(String location, long offset, long length) {}

    /** @param model the model file, whose folder the data must stand in */
    ExternalData(Path model) {
        Path parent = model.toAbsolutePath().getParent();
        this.folder = parent == null ? model.toAbsolutePath() : parent;
    }

    /**
     * The bytes of a tensor as a read-only view of its file.
     *
     * @throws GraphException if the place is outside the model's folder or outside its file, or is not as long as needed
     */
    ByteBuffer bytes(TensorProto tensor, long needed, SourceRef source) {
        Place place = place(tensor, source);
        if (place.length() >= 0 && place.length() != needed) {
            throw new GraphException(
                    source, "its type needs " + needed + " bytes, but its external data has " + place.length());
        }
        try {
            OpenFile file = open(place.location(), source);
            if (place.offset() > file.bytes() || needed > file.bytes() - place.offset()) {
                throw new GraphException(
                        source,
                        "it needs " + needed + " bytes from offset " + place.offset() + ", but the external file '"
                                + place.location() + "' has " + file.bytes());
            }
            if (needed > Integer.MAX_VALUE) {
                throw new GraphException(source, "it needs " + needed + " bytes, more than one tensor can hold");
            }
            return slice(file, place.offset(), (int) needed);
        } catch (IOException unreadable) {
            throw new GraphException(
                    source,
                    "the external file '" + place.location() + "' cannot be read: " + unreadable.getMessage(),
                    unreadable);
        }
    }

    private static Place place(TensorProto tensor, SourceRef source) {
        String location = "";
        long offset = 0;
        long length = -1;
        for (StringStringEntryProto entry : tensor.getExternalDataList()) {
            switch (entry.getKey()) {
                case "location" -> location = entry.getValue();
                case "offset" -> offset = number(entry, source);
                case "length" -> length = number(entry, source);
                default -> {} // a checksum, or a hint of the program that wrote the file
            }
        }
        if (location.isEmpty()) {
            throw new GraphException(source, "its external data has no location");
        }
        return new Place(location, offset, length);
    }

    private static long number(StringStringEntryProto entry, SourceRef source) {
        try {
            long number = Long.parseLong(entry.getValue().strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, together with negative numbers
        }
        throw new GraphException(
                source,
                "the " + entry.getKey() + " of its external data must be a number >= 0, but is '" + entry.getValue()
                        + "'");
    }

    private OpenFile open(String location, SourceRef source) throws IOException {
        Path path = confined(location, source);
        OpenFile known = files.get(path);
        if (known != null) {
            return known;
        }
        if (!Files.isRegularFile(path)) {
            throw new GraphException(source, "the external file '" + location + "' is not a regular file");
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        OpenFile opened = new OpenFile(channel, channel.size(), new HashMap<>());
        files.put(path, opened);
        return opened;
    }

    private Path confined(String location, SourceRef source) throws IOException {
        Path relative;
        try {
            relative = Path.of(location).normalize();
        } catch (InvalidPathException invalid) {
            throw new GraphException(source, "the external location '" + location + "' is not a file name", invalid);
        }
        if (relative.isAbsolute() || relative.startsWith("..")) {
            throw outside(location, source);
        }
        Path real;
        try {
            real = folder.resolve(relative).toRealPath();
        } catch (NoSuchFileException missing) {
            throw new GraphException(
                    source, "the external file '" + location + "' is missing; it must stand beside the model", missing);
        }
        if (!real.startsWith(folder.toRealPath())) {
            throw outside(location, source);
        }
        return real;
    }

    private static GraphException outside(String location, SourceRef source) {
        return new GraphException(source, "the external location '" + location + "' is outside the model's folder");
    }

    private static ByteBuffer slice(OpenFile file, long offset, int bytes) throws IOException {
        long start = offset / WINDOW_STRIDE_BYTES * WINDOW_STRIDE_BYTES;
        long windowBytes = Math.min(file.bytes() - start, Integer.MAX_VALUE);
        if (offset - start + bytes > windowBytes) {
            return file.channel().map(FileChannel.MapMode.READ_ONLY, offset, bytes);
        }
        MappedByteBuffer window = file.windows().get(start);
        if (window == null) {
            window = file.channel().map(FileChannel.MapMode.READ_ONLY, start, windowBytes);
            file.windows().put(start, window);
        }
        return window.slice((int) (offset - start), bytes);
    }

    /** Closes the files; mappings stay valid as long as a tensor uses them. */
    @Override
    public void close() throws IOException {
        for (OpenFile file : files.values()) {
            file.channel().close();
        }
        files.clear();
    }
}
