package org.clinfer.cli.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Unfinished files and temporary folders, which are taken away when the program is ended from outside. */
public final class UnfinishedFiles {

    private static final Set<Path> PATHS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(UnfinishedFiles::remove, "leftovers"));
    }

    private UnfinishedFiles() {}

    /** Has a file, or a folder with all that is in it, taken away at the end of the program. */
    static void add(Path path) {
        PATHS.add(path);
    }

    /** The file or folder is finished or gone. */
    static void forget(Path path) {
        PATHS.remove(path);
    }

    /**
     * Makes a folder for temporary files.
     *
     * @throws IOException if it cannot be made
     */
    public static Path folder(String name) throws IOException {
        Path folder = Files.createTempDirectory(name);
        add(folder);
        return folder;
    }

    /** Takes a folder away before the end of the program. */
    public static void delete(Path folder) {
        deleteAll(folder);
        forget(folder);
    }

    /** Takes away what there is. */
    static void remove() {
        PATHS.forEach(UnfinishedFiles::deleteAll);
    }

    private static void deleteAll(Path path) {
        try (Stream<Path> below = Files.walk(path)) {
            List<Path> all = below.sorted(Comparator.reverseOrder()).toList();
            for (Path each : all) {
                Files.deleteIfExists(each);
            }
        } catch (IOException gone) {
            // what cannot be taken away stays: the program ends
        }
    }
}
