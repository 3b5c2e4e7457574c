package org.clinfer.importer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import org.clinfer.graph.SourceRef;
import org.jspecify.annotations.Nullable;

/** A model as importers read it: a file, or bytes in memory. Immutable; may be read as often as wanted. */
public final class ModelSource {

    private final String name;
    private final String place;
    private final @Nullable Path file;
    private final byte @Nullable [] bytes;
    private final Optional<Path> folder;

    private ModelSource(
            String name, String place, @Nullable Path file, byte @Nullable [] bytes, Optional<Path> folder) {
        this.name = name;
        this.place = place;
        this.file = file;
        this.bytes = bytes;
        this.folder = folder;
    }

    /** A file; what belongs to it is in its folder. */
    public static ModelSource of(Path file) {
        Path absolute = file.toAbsolutePath();
        Path parent = absolute.getParent();
        return new ModelSource(
                FileName.of(file), file.toString(), file, null, Optional.of(parent == null ? absolute : parent));
    }

    /**
     * Bytes, which stay as they are while they are read.
     *
     * @param name the name that a file of these bytes would have; its ending tells the format where the bytes do not
     * @param folder what belongs to the model is in it; empty if there is no such thing
     */
    public static ModelSource of(String name, byte[] bytes, Optional<Path> folder) {
        return new ModelSource(name, name, null, bytes, folder);
    }

    /** The name of the file, as messages have it. */
    public String name() {
        return name;
    }

    /** The whole model, for messages. */
    public SourceRef ref() {
        return new SourceRef(name, "");
    }

    /** The folder of the files that belong to the model; empty if it can have none. */
    public Optional<Path> folder() {
        return folder;
    }

    /** {@return whether the name ends so, in capitals or not} */
    public boolean endsWith(String ending) {
        return name.toLowerCase(Locale.ROOT).endsWith(ending);
    }

    /** The size in bytes. */
    public long size() throws IOException {
        return bytes != null ? bytes.length : Files.size(path());
    }

    /** A stream of the bytes; the caller closes it. */
    public InputStream open() throws IOException {
        return bytes != null ? new ByteArrayInputStream(bytes) : Files.newInputStream(path());
    }

    /** All bytes for reading at any place: a file is mapped, bytes in memory are wrapped or copied. */
    public Content content() throws IOException {
        if (bytes != null) {
            return new Content(null, bytes);
        }
        return new Content(FileChannel.open(path(), StandardOpenOption.READ), null);
    }

    /** {@return whether it is a folder rather than a file} */
    boolean isFolder() {
        return file != null && Files.isDirectory(file);
    }

    private Path path() {
        if (file == null) {
            throw new IllegalStateException("the model is in memory");
        }
        return file;
    }

    /** The path of the file; of bytes the name. */
    @Override
    public String toString() {
        return place;
    }

    /** The open content of a source. Views of it stay valid after {@link #close()}. */
    public static final class Content implements AutoCloseable {

        private final @Nullable FileChannel channel;
        private final byte @Nullable [] bytes;
        private final long size;
        private @Nullable ByteBuffer direct;

        private Content(@Nullable FileChannel channel, byte @Nullable [] bytes) throws IOException {
            this.channel = channel;
            this.bytes = bytes;
            this.size = channel != null ? channel.size() : bytes == null ? 0 : bytes.length;
        }

        /** The size in bytes. */
        public long size() {
            return size;
        }

        /** All bytes as a view for reading, for a reader that keeps nothing of it. */
        ByteBuffer whole() throws IOException {
            return bytes != null ? ByteBuffer.wrap(bytes).asReadOnlyBuffer() : direct(0, size);
        }

        /** Some bytes, which are there, as a view in direct memory that tensors may keep. */
        public ByteBuffer direct(long offset, long count) throws IOException {
            if (channel != null) {
                return channel.map(FileChannel.MapMode.READ_ONLY, offset, count);
            }
            ByteBuffer copy = direct;
            if (copy == null) {
                copy = ByteBuffer.allocateDirect((int) size).put(bytes).flip().asReadOnlyBuffer();
                direct = copy;
            }
            return copy.slice((int) offset, (int) count);
        }

        @Override
        public void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
