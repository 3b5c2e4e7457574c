package org.clinfer.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.clinfer.options.CacheFolder;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Folders of the cache into which others can put what is run, or could have. */
@DisabledOnOs(OS.WINDOWS)
class OwnFolderTest {

    private static final String KEY = "00";

    @TempDir
    Path parent;

    private Path made(String name, String permissions) throws IOException {
        Path folder = Files.createDirectory(parent.resolve(name));
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    }

    private static void give(Path file, String user) throws IOException {
        try {
            Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setOwner(
                            file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
        } catch (FileSystemException refused) {
            Assumptions.abort("only the administrator gives files to others");
        }
    }

    private static void assertUsed(Path folder) {
        CacheFolder cache = CacheFolder.at(folder);
        assertThat(OwnFolder.of(cache)).isEqualTo(cache);
        ProgramCache programs = ProgramCache.of(cache).orElseThrow();
        assertThat(programs.store(KEY, "a.cl", new byte[] {1})).isTrue();
        assertThat(programs.find(KEY)).isPresent();
    }

    private static void assertNotUsed(Path folder, String why) throws IOException {
        CacheFolder cache = CacheFolder.at(folder);
        assertThat(OwnFolder.of(cache).path()).isEmpty();
        assertThat(OwnFolder.of(cache).reason()).isEqualTo(folder + " " + why);
        assertThat(ProgramCache.of(cache)).isEmpty();
        try (DriverQuestions questions = DriverQuestions.begun(cache, "one")) {
            questions.ask("one");
            assertThat(folder.toFile().list()).isNullOrEmpty();
        }
        try (LibraryFolder libraries = LibraryFolder.of(cache)) {
            assertThat(libraries.path().toAbsolutePath().startsWith(folder)).isFalse();
        }
        assertThatThrownBy(() -> new KeptFolder(folder, "programs", ".bin").lock())
                .isInstanceOf(IOException.class);
    }

    @Test
    void aFolderOfTheUserIsUsedAndMade() throws IOException {
        assertUsed(made("own", "rwxr-xr-x"));
        assertUsed(parent.resolve("missing"));
        assertThat(Files.getPosixFilePermissions(parent.resolve("missing")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertUsed(Files.createSymbolicLink(parent.resolve("link"), parent.resolve("own")));
    }

    @Test
    void aFolderThatOthersCanWriteIsNot() throws IOException {
        assertNotUsed(made("all", "rwxrwxrwx"), "can be written by others");
        assertNotUsed(made("group", "rwxrwxr-x"), "can be written by others");
        assertNotUsed(
                Files.createSymbolicLink(parent.resolve("link"), parent.resolve("all")), "can be written by others");
    }

    @Test
    void aFolderOrALinkOfAnotherUserIsNot() throws IOException {
        Path folder = made("theirs", "rwxr-xr-x");
        give(folder, "nobody");
        assertNotUsed(folder, "belongs to another user, nobody");
        Path link = Files.createSymbolicLink(parent.resolve("link"), made("mine", "rwx------"));
        give(link, "nobody");
        assertNotUsed(link, "is a link of another user, nobody");
        Path dangling = Files.createSymbolicLink(parent.resolve("dangling"), parent.resolve("nowhere"));
        give(dangling, "nobody");
        assertNotUsed(dangling, "is a link of another user, nobody");
        assertThat(parent.resolve("nowhere")).doesNotExist();
    }
}
