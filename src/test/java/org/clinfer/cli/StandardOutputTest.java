package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Stdout that takes no more. */
@EnabledOnOs(OS.LINUX)
class StandardOutputTest {

    private static final String JAVA = "'" + Path.of(System.getProperty("java.home"), "bin/java")
            + "' -XX:-UsePerfData -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path") + "' "
            + Main.class.getName();

    private static String stderr(String command, int code) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-o", "pipefail", "-c", command);
        builder.environment().remove("LD_PRELOAD");
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(err).isEqualTo(code);
        return err;
    }

    @Test
    void aFullDiskIsAFailure() throws IOException, InterruptedException {
        assertThat(stderr(JAVA + " ops > /dev/full", ExitCode.FAILURE))
                .isEqualToIgnoringNewLines("clinfer: stdout cannot be written: No space left on device");
    }

    @Test
    void aClosedStdoutIsAFailure() throws IOException, InterruptedException {
        assertThat(stderr(JAVA + " ops >&-", ExitCode.FAILURE)).startsWith("clinfer: stdout cannot be written: ");
    }

    @Test
    void aReaderThatGoesIsNone() throws IOException, InterruptedException {
        assertThat(stderr(JAVA + " ops --json | true", ExitCode.OK)).isEmpty();
    }
}
