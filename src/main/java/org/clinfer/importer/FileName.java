package org.clinfer.importer;

import java.nio.file.Path;

/** The last part of a path, as messages name a file. */
public final class FileName {

    private FileName() {}

    /** The file's name; the whole path where it has none. */
    public static String of(Path path) {
        Path name = path.getFileName();
        return name == null ? path.toString() : name.toString();
    }
}
