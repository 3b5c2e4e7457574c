package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Threads of a process that may use fewer processors than the machine has, as in a container. */
@EnabledOnOs(OS.LINUX)
class ContainerTest {

    private static final String ONE = "-XX:ActiveProcessorCount=1";

    private static List<String> printed(
            List<String> before, List<String> options, Map<String, String> environment, String device)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-Dclinfer.cache=off", "-Dclinfer.trust=true"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.clinfer.ContainerProgram", device));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text.lines().toList();
    }

    @Test
    void onOneProcessorThereIsOneRunAndNoOtherThread() throws IOException, InterruptedException {
        assertThat(printed(List.of(), List.of(ONE), Map.of(), "cpu")).contains("threads: 1", "runs: 1", "started: 0");
    }

    @Test
    void soItIsWhereTheSystemLeavesOneProcessor() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "needs taskset");
        String first = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.replaceAll("[^0-9]*([0-9]+).*", "$1"))
                .findFirst()
                .orElseThrow();
        assertThat(printed(List.of("taskset", "-c", first), List.of(), Map.of(), "cpu"))
                .contains("threads: 1", "runs: 1", "started: 0");
    }

    @Test
    void twoProcessorsAreUsed() throws IOException, InterruptedException {
        assertThat(printed(List.of(), List.of("-XX:ActiveProcessorCount=2"), Map.of(), "cpu"))
                .contains("threads: 2", "runs: 2");
    }

    @Test
    @RequiresOpenCl
    void theThreadsOfPoclAreLimitedByItsEnvironment() throws IOException, InterruptedException {
        Map<String, String> one = Map.of("POCL_MAX_PTHREAD_COUNT", "1", "POCL_CPU_MAX_CU_COUNT", "1");
        List<String> limited = printed(List.of(), List.of(ONE), one, "opencl");
        assumeTrue(limited.contains("units: 1"), "the device is not PoCL's");
        assertThat(limited).contains("threads: 1", "runs: 2").noneMatch(line -> line.contains("waits for itself"));
    }

    @Test
    @RequiresOpenCl
    void aDeviceWithMoreThreadsThanTheProcessMayUseIsWarnedOf() throws IOException, InterruptedException {
        List<String> lines = printed(List.of(), List.of(ONE), Map.of(), "opencl");
        assumeTrue(lines.stream().anyMatch(line -> line.matches("units: ([2-9]|[1-9][0-9]+)")), "one unit alone");
        assertThat(lines)
                .contains("runs: 2")
                .filteredOn(line -> line.contains("but this process may use 1 processor: "))
                .hasSize(1);
    }
}
