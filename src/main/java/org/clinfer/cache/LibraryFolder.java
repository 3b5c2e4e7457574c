package org.clinfer.cache;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.options.CacheFolder;

/**
 * A new folder that only this process and its user write to, for native libraries that come in jars and are loaded from
 * files. It is closed once they are loaded, and nothing of it stays.
 */
public final class LibraryFolder implements AutoCloseable {

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private static final String PREFIX = "native-";
    private static final Duration ABANDONED = Duration.ofHours(1);

    private final Path path;

    private LibraryFolder(Path path) {
        this.path = path;
    }

    /**
     * Below the cache folder, where that is its user's alone and programs may be run there; otherwise below the system's
     * folder of temporary files.
     *
     * @throws IOException if it can be made in neither
     */
    public static LibraryFolder of(CacheFolder cache) throws IOException {
        Optional<LibraryFolder> kept = OwnFolder.of(cache).path().flatMap(LibraryFolder::below);
        if (kept.isPresent()) {
            return kept.get();
        }
        return new LibraryFolder(Files.createTempDirectory("clinfer-" + PREFIX));
    }

    private static Optional<LibraryFolder> below(Path parent) {
        try {
            new KeptFolder(parent, "", "").create();
            removeAbandoned(parent);
            LibraryFolder folder = new LibraryFolder(Files.createTempDirectory(parent, PREFIX));
            if (!POSIX || folder.runsPrograms()) {
                return Optional.of(folder);
            }
            folder.close();
        } catch (IOException notThere) {
            // a cache that cannot be written is none
        }
        return Optional.empty();
    }

    /** On a file system that is mounted with noexec no file is executable. */
    private boolean runsPrograms() throws IOException {
        Path probe = Files.createFile(
                path.resolve("probe"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        boolean runs = Files.isExecutable(probe);
        Files.delete(probe);
        return runs;
    }

    /** Takes away what is left of processes that were ended in the middle, or could not delete what they had loaded. */
    private static void removeAbandoned(Path parent) throws IOException {
        FileTime before = FileTime.from(Instant.now().minus(ABANDONED));
        try (Stream<Path> all = Files.list(parent)) {
            List<Path> left = all.filter(
                            folder -> folder.getFileName().toString().startsWith(PREFIX))
                    .toList();
            for (Path folder : left) {
                if (Files.getLastModifiedTime(folder).compareTo(before) < 0) {
                    new LibraryFolder(folder).close();
                }
            }
        }
    }

    public Path path() {
        return path;
    }

    /** Writes a library of a jar here. */
    public Path extracted(URL library, String name) throws IOException {
        Path file = path.resolve(name);
        try (InputStream content = library.openStream()) {
            Files.copy(content, file);
        }
        return file;
    }

    /** Deletes what the system lets go of; a library that is loaded stays usable. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        } catch (IOException inUse) {
            // removed by a later process
        }
    }
}
