package org.clinfer.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** A folder of files that appear whole or not at all. */
final class KeptFolder {

    private static final String PART = ".part";
    private static final long ABANDONED_MILLIS = 3_600_000;

    private final Path cache;
    private final Path path;
    private final String suffix;

    /**
     * A folder in the cache.
     *
     * @param name of the folder; empty for the cache itself
     * @param suffix how the names of its files end; what is called otherwise is left alone
     */
    KeptFolder(Path cache, String name, String suffix) {
        this.cache = cache;
        this.path = cache.resolve(name);
        this.suffix = suffix;
    }

    Path file(String name) {
        return path.resolve(name + suffix);
    }

    /**
     * Makes the folder where it is missing, for its user alone: what lies here is run.
     *
     * @throws IOException if it cannot be made, or the cache is not its user's own, be it since a moment ago
     */
    void create() throws IOException {
        requireOwn();
        if (!Files.isDirectory(path)) {
            make();
            requireOwn();
        }
    }

    private void requireOwn() throws IOException {
        Optional<String> objection = OwnFolder.objection(cache);
        if (objection.isPresent()) {
            throw new IOException(cache + " " + objection.get());
        }
    }

    private void make() throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(path);
        }
    }

    FolderLock lock() throws IOException {
        create();
        return FolderLock.of(path);
    }

    /** Creates or replaces a file; it is there with all its bytes, or as it was before. */
    void write(String name, byte[] content) throws IOException {
        Path part = path.resolve("." + name + "." + UUID.randomUUID() + PART);
        try {
            try (FileChannel out = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
            moved(part, file(name));
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void moved(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException refused) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Looks at a file before it is read: a pipe or a device in its place would be waited for.
     *
     * @param bytes that such a file has at most
     * @return whether it may be one that was stored
     * @throws java.nio.file.NoSuchFileException if it is not there
     */
    static boolean isStored(Path file, long bytes) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return found.isRegularFile() && found.size() <= bytes;
    }

    /** The files there are now. */
    List<Path> files() throws IOException {
        return listed(suffix);
    }

    /** Takes away what writers left that were ended in the middle. */
    void removeAbandoned() throws IOException {
        long before = System.currentTimeMillis() - ABANDONED_MILLIS;
        for (Path part : listed(PART)) {
            if (Files.getLastModifiedTime(part).toMillis() < before) {
                Files.deleteIfExists(part);
            }
        }
    }

    private List<Path> listed(String ending) throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(path)) {
            return new ArrayList<>(
                    all.filter(file -> file.getFileName().toString().endsWith(ending))
                            .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                            .toList());
        }
    }
}
