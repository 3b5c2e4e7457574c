package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.cli.io.JsonText;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commands in a process whose PoCL has two devices. */
@RequiresOpenCl
class TwoDevicesTest {

    private static final String DEMO = "src/main/resources/org/clinfer/demo/shapes.onnx";

    @TempDir
    private Path folder;

    @BeforeEach
    void needsPocl() throws IOException, InterruptedException {
        List<String> devices = printed("devices");
        assumeTrue(
                devices.stream().anyMatch(line -> line.contains("Portable Computing Language")),
                "another driver than PoCL shows no second device on demand");
        assertThat(devices).anyMatch(line -> line.startsWith("device 1: "));
    }

    private List<String> printed(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-Dclinfer.cache=off"));
        command.add("--enable-native-access=ALL-UNNAMED");
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        command.addAll(List.of("-cp", classes, Main.class.getName()));
        command.addAll(List.of(arguments));
        File errors = folder.resolve("errors").toFile();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
        builder.environment().put("POCL_DEVICES", "pthread pthread");
        Process process = builder.start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as("exit code of %s", command).isZero();
        return lines;
    }

    @Test
    void bothAreMeasuredBesideTheFirstAlone() throws IOException, InterruptedException {
        Path file = folder.resolve("bench.json");
        printed(
                "bench",
                DEMO,
                "--device",
                "all",
                "--sessions",
                "2",
                "--runs",
                "5",
                "--warmup",
                "1",
                "--json",
                "-o",
                file.toString());
        JsonNode model = JsonText.read(file).get("models").get(0);
        assertThat(model.get("sessions").asInt()).isEqualTo(2);
        JsonNode engines = model.get("throughput");
        assertThat(engines.size()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThat(engines.get(i).get("devices").size()).isEqualTo(i + 1);
            assertThat(engines.get(i).get("runs").asInt()).isEqualTo(10);
            assertThat(engines.get(i).get("runs_per_s").asDouble()).isPositive();
        }
        assertThat(engines.get(0).get("ratio").asDouble()).isEqualTo(1);
        assertThat(engines.get(1).get("ratio").asDouble())
                .isEqualTo(engines.get(1).get("runs_per_s").asDouble()
                        / engines.get(0).get("runs_per_s").asDouble());
    }

    @Test
    void aRunOnBothIsOnOneOfThem() throws IOException, InterruptedException {
        List<String> lines = printed("run", DEMO, "--input", "zeros", "--device", "0,1", "--placement", "--time");
        assertThat(lines).anyMatch(line -> line.matches("(.+), \\1"));
        assertThat(lines).anyMatch(line -> line.contains(" on the device ") && line.contains(", 0 on the CPU"));
    }
}
