package org.clinfer.describe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.clinfer.files.ResourceFolder;

/** Finds description files in a folder on disk, or in a resource folder that is on disk or inside a jar. */
final class DescriptionFiles {

    private static final ResourceFolder FILES = new ResourceFolder(".json", 8L << 20);

    private DescriptionFiles() {}

    /** The {@code .json} files right in the folder, by name; there is at least one. */
    static Map<String, byte[]> inFolder(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new DescriptionException(
                    folder + (Files.exists(folder) ? ": not a folder of operators" : ": no such folder of operators"));
        }
        try {
            Map<String, byte[]> files = FILES.onDisk(folder);
            if (files.isEmpty()) {
                throw new DescriptionException(
                        folder + ": there is no description of an operator (.json) in this folder");
            }
            return files;
        } catch (IOException failed) {
            throw new DescriptionException(
                    "operator descriptions in " + folder + " cannot be read: " + failed.getMessage(), failed);
        }
    }

    /**
     * The {@code .json} resources right in the folder, by name.
     *
     * @param folder as in a resource name, without slashes at the ends
     */
    static Map<String, byte[]> inResources(ClassLoader loader, String folder) {
        try {
            return FILES.inResources(loader, OpCatalog.class, folder);
        } catch (IOException failed) {
            throw new DescriptionException("operator descriptions cannot be read: " + failed.getMessage(), failed);
        }
    }
}
