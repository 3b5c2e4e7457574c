package org.clinfer.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerJarTest {

    @TempDir
    Path folder;

    private Path version(String version) throws IOException {
        Path of = Files.createDirectory(folder.resolve(version));
        return Files.createFile(of.resolve("onnxruntime-" + version + ".jar"));
    }

    @Test
    void theNewestVersionIsTaken() throws IOException {
        version("1.9.0");
        version("1.19.2");
        Path newest = version("1.20.0");
        Files.createDirectory(folder.resolve("1.30.0"));

        assertThat(PeerJar.newest(folder)).contains(newest);
        assertThat(PeerJar.newest(folder.resolve("none"))).isEmpty();
    }

    @Test
    void aJarThatWasAskedForMustBeThere() {
        assertThatThrownBy(() -> PeerJar.find(Optional.of(folder.resolve("gone.jar"))))
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("gone.jar is no file");
    }
}
