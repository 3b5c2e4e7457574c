package org.clinfer.importer;

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
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/**
 * Data files beside a model, the one way to them for every format. A file is confined to the model's folder, also where
 * a symbolic link leads elsewhere, unless the property {@value #ANYWHERE_PROPERTY} is {@code true}. It is mapped
 * read-only once, and shared by all tensors
 * in it; a file too large for one mapping is mapped in overlapping windows.
 */
public final class NeighbourFiles implements AutoCloseable {

    /** The property by which data may be outside of the model's folder, for instance in a store that its files are links into. */
    public static final String ANYWHERE_PROPERTY = "clinfer.data.anywhere";

    /** Windows start at multiples of this and are as long as one mapping can be. */
    private static final long WINDOW_STRIDE_BYTES = 1L << 30;

    private final Optional<Path> folder;
    private final Map<Path, OpenFile> files = new HashMap<>();

    /** One data file: its channel and the windows mapped so far. */
    private record OpenFile(FileChannel channel, long bytes, Map<Long, MappedByteBuffer> windows) {}

    /** @param model the model, whose folder the data must stand in */
    public NeighbourFiles(ModelSource model) {
        this.folder = model.folder();
    }

    /**
     * The size of a file in bytes.
     *
     * @param location its path relative to the model's folder
     * @param source what names it, for messages
     * @throws GraphException if the file is missing, unreadable, or outside the model's folder
     */
    public long size(String location, SourceRef source) {
        try {
            return open(location, source).bytes();
        } catch (IOException failed) {
            throw unreadable(location, source, failed);
        }
    }

    /**
     * Some bytes of a file as a read-only view of it.
     *
     * @throws GraphException as {@link #size}, and if the file does not have them or no buffer can hold them
     */
    public ByteBuffer bytes(String location, long offset, long needed, SourceRef source) {
        try {
            OpenFile file = open(location, source);
            if (offset < 0 || offset > file.bytes() || needed > file.bytes() - offset) {
                throw new GraphException(
                        source,
                        "it needs " + needed + " bytes from offset " + offset + ", but the external file '" + location
                                + "' has " + file.bytes());
            }
            if (needed > Integer.MAX_VALUE) {
                throw new GraphException(source, "it needs " + needed + " bytes, more than one tensor can hold");
            }
            return slice(file, offset, (int) needed);
        } catch (IOException failed) {
            throw unreadable(location, source, failed);
        }
    }

    /**
     * The path of a file, for what reads it whole.
     *
     * @throws GraphException as {@link #size}
     */
    public Path path(String location, SourceRef source) {
        try {
            return regular(location, source);
        } catch (IOException failed) {
            throw unreadable(location, source, failed);
        }
    }

    /** {@return whether there is something of this name, wherever it leads; no file has a name that is no path} */
    public boolean has(String location) {
        try {
            return folder.filter(known -> Files.exists(known.resolve(location))).isPresent();
        } catch (InvalidPathException noPath) {
            return false;
        }
    }

    private static GraphException unreadable(String location, SourceRef source, IOException failed) {
        return new GraphException(
                source, "the external file '" + location + "' cannot be read: " + failed.getMessage(), failed);
    }

    private OpenFile open(String location, SourceRef source) throws IOException {
        Path path = regular(location, source);
        OpenFile known = files.get(path);
        if (known != null) {
            return known;
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        OpenFile opened = new OpenFile(channel, channel.size(), new HashMap<>());
        files.put(path, opened);
        return opened;
    }

    private Path regular(String location, SourceRef source) throws IOException {
        Path path = confined(location, source);
        if (!Files.isRegularFile(path)) {
            throw new GraphException(source, "the external file '" + location + "' is not a regular file");
        }
        return path;
    }

    private Path confined(String location, SourceRef source) throws IOException {
        Path folder = this.folder.orElseThrow(() -> new GraphException(
                source,
                "it needs the file '" + location
                        + "', but the model was given as bytes, without a folder of its files"));
        Path relative;
        try {
            relative = Path.of(location).normalize();
        } catch (InvalidPathException invalid) {
            throw new GraphException(source, "the external location '" + location + "' is not a file name", invalid);
        }
        boolean anywhere = Boolean.getBoolean(ANYWHERE_PROPERTY);
        if (!anywhere && (relative.isAbsolute() || relative.startsWith(".."))) {
            throw outside(location, source);
        }
        Path real;
        try {
            real = folder.resolve(relative).toRealPath();
        } catch (NoSuchFileException missing) {
            throw new MissingFileException(source, location, missing);
        }
        if (!anywhere && !real.startsWith(folder.toRealPath())) {
            throw outside(location, source);
        }
        return real;
    }

    private static GraphException outside(String location, SourceRef source) {
        return new GraphException(
                source,
                "the external location '" + location + "' is outside the model's folder; the property "
                        + ANYWHERE_PROPERTY + "=true allows it");
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
