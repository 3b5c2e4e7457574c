package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the launcher starts Java for each command, with a Java that only prints what it is given. */
@EnabledOnOs(OS.LINUX)
class LauncherTest {

    private static final String READS_ONLY = "-XX:TieredStopAtLevel=1";
    private static final String VECTORS = "jdk.incubator.vector";

    @TempDir
    private Path folder;

    @BeforeEach
    void install() throws IOException {
        Files.copy(Path.of("clinfer"), folder.resolve("clinfer"));
        Files.createDirectories(folder.resolve("target"));
        Files.createFile(folder.resolve("target/clinfer.jar"));
        Path java = folder.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(
                folder.resolve("jdk/release"),
                "JAVA_VERSION=\"17.0.9\"\nMODULES=\"java.base jdk.incubator.vector jdk.net\"\n");
    }

    private List<String> started(String arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", folder.resolve("clinfer").toString()));
        if (!arguments.isEmpty()) {
            command.addAll(List.of(arguments.split(" ", -1)));
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().remove("LD_PRELOAD");
        builder.environment().put("OCL_ICD_VENDORS", folder.resolve("drivers").toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed.lines().toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run net.onnx",
                "run net.onnx --device cpu",
                "run --device=cpu net.onnx",
                "--debug verify models",
                "bench --device opencl",
                "demo",
                "tune",
                "check net.onnx --probe"
            })
    void whatComputesHasVectorsAndTheOptimisingCompiler(String arguments) throws IOException, InterruptedException {
        assertThat(started(arguments)).contains(VECTORS).doesNotContain(READS_ONLY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "check net.onnx", "ops", "profiles", "cache", "help run", "convert a.onnx -o b.json"})
    void whatReadsModelsStartsQuickly(String arguments) throws IOException, InterruptedException {
        assertThat(started(arguments)).contains(READS_ONLY).doesNotContain(VECTORS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run net.onnx --device opencl", "run --device=0 net.onnx"})
    void oneRunOnADeviceStartsQuickly(String arguments) throws IOException, InterruptedException {
        assertThat(started(arguments)).contains(READS_ONLY).doesNotContain(VECTORS);
    }

    @Test
    void oneRunStartsQuicklyWhereADriverIsInstalled() throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("drivers"));
        Files.createFile(folder.resolve("drivers/some.icd"));
        assertThat(started("run net.onnx")).contains(READS_ONLY).doesNotContain(VECTORS);
        assertThat(started("run net.onnx --device cpu")).contains(VECTORS).doesNotContain(READS_ONLY);
    }

    @Test
    void argumentsArePassedOn() throws IOException, InterruptedException {
        assertThat(started("run net.onnx --top 5")).endsWith("run", "net.onnx", "--top", "5");
    }
}
