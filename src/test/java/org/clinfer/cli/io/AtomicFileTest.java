package org.clinfer.cli.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file is there whole, or as it was before. */
class AtomicFileTest {

    @TempDir
    Path folder;

    @Test
    void failureLeavesTheOldFileAndNothingElse() throws IOException {
        Path file = folder.resolve("f");
        AtomicFile.write(file, out -> out.write(1));

        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(2);
                    throw new IOException("disk full");
                }))
                .hasMessage("disk full");

        assertThat(Files.readAllBytes(file)).containsExactly(1);
        try (var entries = Files.list(folder)) {
            assertThat(entries).containsExactly(file);
        }
    }

    @Test
    void aFolderThatIsMissingIsToldByTheNameThatWasGiven() {
        Path file = folder.resolve("none").resolve("f");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> out.write(1)))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(file.toString());
    }

    @Test
    void existingFileIsReplaced() throws IOException {
        Path file = folder.resolve("f");
        AtomicFile.write(file, out -> out.write(1));
        AtomicFile.write(file, out -> out.write(2));

        assertThat(Files.readAllBytes(file)).containsExactly(2);
    }

    @Test
    void whatIsThereIsNotCreatedAgain() throws IOException {
        Path file = folder.resolve("f");
        AtomicFile.create(file, out -> out.write(1));
        assertThatThrownBy(() -> AtomicFile.create(file, out -> out.write(2)))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllBytes(file)).containsExactly(1);
        Path dangling = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
        assertThatThrownBy(() -> AtomicFile.create(dangling, out -> out.write(2)))
                .isInstanceOf(FileAlreadyExistsException.class);
        try (var entries = Files.list(folder)) {
            assertThat(entries).containsExactlyInAnyOrder(file, dangling);
        }
    }
}
