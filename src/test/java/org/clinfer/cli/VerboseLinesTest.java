package org.clinfer.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code CLINFER_VERBOSE} as a shell gives it: a process of its own, because a variable of the environment is one's own. */
class VerboseLinesTest {

    private static final int SECONDS = 120;

    @TempDir
    private Path folder;

    /** That of the tests without their own classes, which have other settings of the log. */
    private static String classPath() {
        String tests = VerboseLinesTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).toAbsolutePath().equals(Path.of(tests)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Ran clinfer(String verbose, List<String> javaOptions) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m", "-cp", classPath()));
        command.addAll(javaOptions);
        command.addAll(List.of(
                Main.class.getName(),
                "run",
                TinyOnnx.write(folder.resolve("relu.onnx"), "Relu").toString(),
                "--input",
                "random",
                "--device",
                "cpu"));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("CLINFER_VERBOSE", verbose);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ran(process.exitValue(), Files.readAllLines(out, UTF_8), Files.readAllLines(err, UTF_8));
    }

    @Test
    void linesOfTheKindsThatAreAskedForGoToStderr() throws Exception {
        Ran ran = clinfer("run,dispatch", List.of());
        assertThat(ran.code()).as("%s", ran.err()).isZero();
        assertThat(ran.out()).noneMatch(line -> line.startsWith("clinfer,"));
        List<String> lines =
                ran.err().stream().filter(line -> line.startsWith("clinfer,")).toList();
        assertThat(lines.get(0))
                .matches(
                        "clinfer,dispatch,run=1,step=0,kind=cpu,op=Relu,node=[^,]*,variant=,device_us=0\\.000,bytes=\\d+,"
                                + "multiply_adds=0,us=[0-9.]+");
        assertThat(lines.get(lines.size() - 1)).startsWith("clinfer,run,run=1,").contains(",failure=,us=");
        assertThat(lines).allMatch(line -> line.matches("clinfer,(run|dispatch),.*"));
    }

    @Test
    void thePropertyComesFirstAndAKindThatThereIsNotIsOneLine() throws Exception {
        Ran ran = clinfer("run", List.of("-Dclinfer.verbose=everything"));
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().stream().filter(line -> line.startsWith("clinfer: ")))
                .singleElement()
                .asString()
                .contains("names 'everything'", "dispatch");
    }
}
