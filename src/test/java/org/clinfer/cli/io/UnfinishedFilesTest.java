package org.clinfer.cli.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedFilesTest {

    @TempDir
    private Path folder;

    @Test
    void whatIsUnfinishedAtTheEndIsTakenAway() throws IOException {
        Path temporary = UnfinishedFiles.folder("clinfer-test");
        Files.writeString(temporary.resolve("file"), "text");
        Path target = folder.resolve("out.json");
        assertThatThrownBy(() -> AtomicFile.write(target, out -> {
                    out.write(1);
                    assertThat(folder).isNotEmptyDirectory();
                    UnfinishedFiles.remove();
                    assertThat(folder).isEmptyDirectory();
                }))
                .isInstanceOf(IOException.class);
        assertThat(temporary).doesNotExist();
        assertThat(folder).isEmptyDirectory();
        UnfinishedFiles.delete(temporary);
    }

    @Test
    void whatIsFinishedStays() throws IOException {
        Path target = folder.resolve("out.json");
        AtomicFile.write(target, out -> out.write(1));

        UnfinishedFiles.remove();

        assertThat(target).exists();
    }
}
