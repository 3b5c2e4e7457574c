package org.clinfer.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.cli.io.BadFileException;

/** A text file of names, one a line. */
final class LabelFile {

    private LabelFile() {}

    /**
     * The names.
     *
     * @throws BadFileException if it is no text in UTF-8
     */
    static List<String> read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new BadFileException(file, "is a folder, not a file of labels");
        }
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException binary) {
            throw new BadFileException(file, "not a text file in UTF-8; expected one label a line", binary);
        }
    }
}
