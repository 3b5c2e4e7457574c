package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Clinfer in a program that is started as any other, without the launcher's options. */
@EnabledOnOs(OS.LINUX)
class EmbeddedTest {

    private static final String FASTER = "--add-modules jdk.incubator.vector among the options of java";

    private static final String LOGBACK = """
            <configuration>
              <appender name="lines" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%level %logger: %msg%n</pattern></encoder>
              </appender>
              <root level="INFO"><appender-ref ref="lines"/></root>
            </configuration>
            """;

    private static List<String> printed(boolean hasSignalsChained, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        return printed(hasSignalsChained, System.getProperty("java.class.path"), options, arguments);
    }

    private static List<String> printed(
            boolean hasSignalsChained, String classPath, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
        command.addAll(List.of("-Dclinfer.cache=off", "-Dclinfer.trust=true"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, "org.clinfer.EmbeddedProgram"));
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
    void twoClassLoadersOfOneProcessUseTheDeviceAtOnce() throws IOException, InterruptedException {
        List<String> lines = printed(true, List.of(), "twice", MODEL, "opencl");
        assertThat(lines).filteredOn(line -> line.equals("outputs: [scores]")).hasSize(2);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("device: "))
                .hasSize(2)
                .noneMatch(line -> line.contains("everything runs on the CPU"));
    }

    /** The class path of a program that depends on the library, and on libraries whose names begin so. */
    private static String classPath(Path folder, List<String> beginnings, String... without) throws IOException {
        Path jar = folder.resolve("clinfer.jar");
        LibraryJar.write(jar, without);
        LibraryJar.copyProgram(folder, EmbeddedProgram.class);
        List<String> path = new ArrayList<>(List.of(folder.toString(), jar.toString()));
        path.addAll(LibraryJar.jars(beginnings));
        return String.join(File.pathSeparator, path);
    }

    @Test
    void anApplicationsOwnLogSettingsHold(@TempDir Path folder) throws IOException, InterruptedException {
        List<String> libraries = new ArrayList<>(LibraryJar.LIBRARIES);
        libraries.add("logback-");
        Files.writeString(folder.resolve("logback.xml"), LOGBACK);
        List<String> lines = printed(true, classPath(folder, libraries), List.of(), "run", MODEL, "cpu");
        assertThat(lines).contains("INFO app: the application starts", "outputs: [scores]");
        assertThat(lines)
                .filteredOn(line -> line.contains("org.clinfer"))
                .singleElement()
                .asString()
                .startsWith("INFO org.clinfer.")
                .contains(FASTER);
    }

    @Test
    @RequiresOpenCl
    void withoutLwjglsLibraryJoclTakesOver(@TempDir Path folder) throws IOException, InterruptedException {
        String path = classPath(folder, LibraryJar.LIBRARIES, LibraryJar.NATIVES);
        List<String> lines = printed(true, path, List.of(), "run", MODEL, "auto");
        assertThat(lines).contains("outputs: [scores]");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("device: "))
                .singleElement()
                .asString()
                .contains("the native library of LWJGL", "cannot be loaded");
    }

    @Test
    void withoutAnyLibraryEverythingRunsOnTheCpu(@TempDir Path folder) throws IOException, InterruptedException {
        List<String> libraries = LibraryJar.LIBRARIES.stream()
                .filter(name -> !name.equals("jocl"))
                .toList();
        String path = classPath(folder, libraries, LibraryJar.NATIVES);
        List<String> lines = printed(true, path, List.of(), "run", MODEL, "auto");
        assertThat(lines).contains("outputs: [scores]");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("device: "))
                .singleElement()
                .asString()
                .contains("everything runs on the CPU", "the native library of LWJGL");
    }
}
