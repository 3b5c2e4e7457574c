package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Clinfer in a program that is started as any other, without the launcher's options. */
@EnabledOnOs(OS.LINUX)
class EmbeddedTest {

    private static final String FASTER = "--add-modules jdk.incubator.vector among the options of java";

    private static List<String> printed(boolean hasSignalsChained, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
        command.addAll(List.of("-Dclinfer.cache=off", "-Dclinfer.trust=true"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.clinfer.EmbeddedProgram"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (!hasSignalsChained) {
            builder.environment().remove("LD_PRELOAD");
        }
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text.lines().toList();
    }

    private static final String MODEL = "src/main/resources/org/clinfer/demo/shapes.onnx";

    @Test
    void withoutTheVectorModuleALineSaysOnceWhatWouldBeFaster() throws IOException, InterruptedException {
        List<String> lines = printed(true, List.of("-Dlog.level=INFO"), "run", MODEL, "cpu");
        assertThat(lines).contains("path: plain", "outputs: [scores]", "division: / by zero");
        assertThat(lines).filteredOn(line -> line.contains(FASTER)).hasSize(1);
    }

    @Test
    @RequiresOpenCl
    void driversThatBreakJavasSignalsAreNotUsedAndBreakNothing() throws IOException, InterruptedException {
        List<String> lines = printed(false, List.of(), "run", MODEL, "auto");
        assertThat(lines).contains("outputs: [scores]", "division: / by zero");
        if (lines.stream().anyMatch(line -> line.contains("Portable Computing Language"))) {
            assertThat(lines)
                    .anyMatch(line -> line.startsWith("device: no OpenCL device")
                            && line.contains("start Java with LD_PRELOAD=" + System.getProperty("java.home")));
        }
    }

    @Test
    @RequiresOpenCl
    void twoClassLoadersOfOneProcessUseTheDevice() throws IOException, InterruptedException {
        List<String> lines = printed(true, List.of(), "twice", MODEL, "opencl");
        assertThat(lines).filteredOn(line -> line.equals("outputs: [scores]")).hasSize(2);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("device: "))
                .hasSize(2)
                .noneMatch(line -> line.contains("everything runs on the CPU"));
    }
}
