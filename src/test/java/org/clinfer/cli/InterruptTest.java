package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The program as a person in a terminal has it: a line of progress, and an end by Ctrl-C. */
@EnabledOnOs(OS.LINUX)
class InterruptTest {

    private static final String MODEL = "src/main/resources/org/clinfer/demo/shapes.onnx";
    private static final String ERASED = "\r" + " ".repeat(78) + "\r";

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    private static String java(String arguments) {
        return "'" + Path.of(System.getProperty("java.home"), "bin/java")
                + "' -XX:-UsePerfData -Dclinfer.cache=off -cp '" + System.getProperty("java.class.path") + "' "
                + Main.class.getName() + " " + arguments;
    }

    /** The command line in a process that takes an interrupt, even where its parent does not. */
    private static List<String> interruptible(String arguments) {
        return List.of("env", "--default-signal=INT", "bash", "-c", "exec " + java(arguments));
    }

    private Process started(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(folder.resolve("printed").toFile());
        builder.environment().remove("LD_PRELOAD");
        builder.environment().put("TMPDIR", folder.toString());
        return started(builder);
    }

    private Process started(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private String printed() throws IOException {
        return Files.readString(folder.resolve("printed"), StandardCharsets.UTF_8);
    }

    /** Waits until PoCL has a file in its folder, which it makes when it begins to compile. */
    private static void awaitCompiler(Path pocl, Process process) throws IOException, InterruptedException {
        for (int tenths = 0; tenths < 600 && process.isAlive(); tenths++) {
            try (Stream<Path> files = Files.walk(pocl)) {
                if (files.anyMatch(Files::isRegularFile)) {
                    return;
                }
            } catch (UncheckedIOException gone) {
                continue; // a file that was deleted while they were listed
            }
            Thread.sleep(100);
        }
    }

    /** As Ctrl-C does; a minimal system has no program for it, but its shell does it. */
    private static void interrupt(Process process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("bash", "-c", "kill -INT " + process.pid()).start();
        assertThat(kill.waitFor()).isZero();
    }

    private void assertInterruptEnds(Process process) throws IOException, InterruptedException {
        interrupt(process);

        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed()).isEqualTo(130);
        assertThat(printed()).doesNotContain("Exception");
    }

    /** What a terminal shows of a command, with what erases it. */
    private String inTerminal(String arguments) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/script")));
        Process process = started(List.of("/usr/bin/script", "-qec", java(arguments), "/dev/null"));
        process.getOutputStream().close();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(printed()).isZero();
        return printed();
    }

    @Test
    void progressIsALineThatIsErased() throws IOException, InterruptedException {
        String command = "bench " + MODEL + " --device cpu --runs 2 --warmup 0";

        String shown = inTerminal(command);
        assertThat(shown).contains("\r0/1 " + MODEL);
        assertThat(shown.substring(shown.lastIndexOf(ERASED)))
                .contains("device: ")
                .doesNotContain("0/1");
        assertThat(inTerminal(command + " --quiet")).contains("device: ").doesNotContain("0/1");
    }

    @Test
    void anInterruptEndsItAtOnceAndLeavesNothing() throws IOException, InterruptedException {
        Path output = folder.resolve("bench.json");
        Process process =
                started(interruptible("bench " + MODEL + " --device cpu --runs 1000000000 --json -o '" + output + "'"));
        assertThat(process.waitFor(3, TimeUnit.SECONDS)).isFalse();

        assertInterruptEnds(process);

        assertThat(folder.toFile().list()).containsExactly("printed");
    }

    @Test
    void anInterruptCompletesTheTrace() throws IOException, InterruptedException {
        Path trace = folder.resolve("trace.json");
        Process process =
                started(interruptible("bench " + MODEL + " --device cpu --runs 1000000000 --trace '" + trace + "'"));
        assertThat(process.waitFor(3, TimeUnit.SECONDS)).isFalse();

        assertInterruptEnds(process);

        assertThat(new JsonMapper().readTree(trace.toFile()).get("traceEvents").size())
                .isPositive();
    }

    @RequiresOpenCl
    @Test
    void anInterruptEndsItWhileKernelsAreCompiled() throws IOException, InterruptedException {
        Path pocl = Files.createDirectory(folder.resolve("pocl"));
        Path output = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(
                        interruptible("run " + MODEL + " --device opencl --input random -o '" + output + "'"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile());
        builder.environment().put("TMPDIR", folder.toString());
        builder.environment().put("POCL_CACHE_DIR", pocl.toString());
        Process process = started(builder);
        awaitCompiler(pocl, process);
        assertThat(process.isAlive()).as(printed()).isTrue();

        assertInterruptEnds(process);

        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("printed", "pocl");
    }
}
