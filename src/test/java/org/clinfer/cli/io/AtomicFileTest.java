package org.clinfer.cli.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

    @Test
    void aLinkStaysAndItsFileKeepsItsPermissions() throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"));
        Path file = Files.writeString(folder.resolve("f"), "old");
        for (String permissions : List.of("rw-------", "rw-rw-rw-")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
            Path link = Files.createSymbolicLink(folder.resolve("link " + permissions), Path.of("f"));

            AtomicFile.write(link, out -> out.write(1));

            assertThat(link).isSymbolicLink();
            assertThat(Files.readAllBytes(file)).containsExactly(1);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo(permissions);
        }
    }

    @Test
    void aLinkToNothingGetsAFileAndALinkToItselfIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("f"));
        AtomicFile.write(link, out -> out.write(1));
        assertThat(link).isSymbolicLink();
        assertThat(Files.readAllBytes(folder.resolve("f"))).containsExactly(1);

        Path round = Files.createSymbolicLink(folder.resolve("round"), Path.of("round"));
        assertThatThrownBy(() -> AtomicFile.write(round, out -> out.write(1)))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(round + ": is a link that leads to no place");
    }

    @EnabledOnOs(OS.LINUX)
    @Test
    void aPipeTakesTheBytesAndStays() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<byte[]> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readAllBytes(pipe);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        AtomicFile.write(pipe, out -> out.write(7));

        assertThat(Files.isRegularFile(pipe)).isFalse();
        assertThat(read.get(10, TimeUnit.SECONDS)).containsExactly(7);
    }

    @Test
    void failuresNameTheTargetNotItsNeighbour() {
        Path nowhere = folder.resolve("no/f");
        assertThatThrownBy(() -> AtomicFile.write(nowhere, out -> out.write(1)))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(folder.resolve("no").toString());
        for (Path target : List.of(folder, Path.of("/"), Path.of(""))) {
            assertThatThrownBy(() -> AtomicFile.write(target, out -> out.write(1)))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageEndingWith(target + ": is a folder, not a file to write")
                    .hasMessageStartingWith("/");
        }
        assertThatThrownBy(() -> AtomicFile.write(folder.resolve("f".repeat(300)), out -> out.write(1)))
                .isInstanceOf(FileSystemException.class)
                .hasMessageStartingWith(folder.resolve("f".repeat(300)).toString());
        assertThat(folder).isEmptyDirectory();
    }

    @EnabledOnOs(OS.LINUX)
    @Test
    void aFullDiskIsNamed() {
        assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/full"), out -> out.write(1)))
                .isInstanceOf(FileSystemException.class)
                .hasMessage("/dev/full: No space left on device");
    }

    @Test
    void aNameMayBeAsLongAsTheFileSystemTakes() throws IOException {
        Path file = folder.resolve("f".repeat(250));
        AtomicFile.write(file, out -> out.write(1));
        assertThat(file).exists();
    }
}
