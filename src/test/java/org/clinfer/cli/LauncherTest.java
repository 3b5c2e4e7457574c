package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        Files.createFile(folder.resolve("target/clinfer-cli.jar"));
        Files.createDirectories(folder.resolve("jdk/bin"));
        java("printf '%s\\n' \"$@\"");
        Files.writeString(
                folder.resolve("jdk/release"),
                "JAVA_VERSION=\"17.0.9\"\nMODULES=\"java.base jdk.incubator.vector jdk.net\"\n");
    }

    private void java(String script) throws IOException {
        Path java = folder.resolve("jdk/bin/java");
        Files.writeString(java, "#!/bin/bash\n" + script + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    /** The Java of this process with the classes of this process in place of the jar. */
    private void realJava() throws IOException {
        String home = System.getProperty("java.home");
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        java("options=(); while [ \"$1\" != -jar ]; do options+=(\"$1\"); shift; done; shift 2\n"
                + "exec '" + home + "/bin/java' -Xmx512m \"${options[@]}\" -cp '" + classes + "' "
                + Main.class.getName()
                + " \"$@\"");
        Files.copy(Path.of(home, "release"), folder.resolve("jdk/release"), StandardCopyOption.REPLACE_EXISTING);
    }

    private List<String> started(String arguments) throws IOException, InterruptedException {
        return printed(arguments, 0);
    }

    private List<String> printed(String arguments, int code) throws IOException, InterruptedException {
        // cat ends when the filter of stderr has, which may be after the launcher; Java would read no longer than that
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "bash \"$0\" \"$@\" 2>&1 | cat; exit ${PIPESTATUS[0]}",
                folder.resolve("clinfer").toString()));
        if (!arguments.isEmpty()) {
            command.addAll(List.of(arguments.split(" ", -1)));
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, first) -> first + ":" + path);
        builder.environment().remove("LD_PRELOAD");
        builder.environment().put("CLINFER_CACHE", folder.resolve("cache").toString());
        builder.environment().put("OCL_ICD_VENDORS", folder.resolve("drivers").toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(printed).isEqualTo(code);
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
                "serve models",
                "check net.onnx --probe",
                "check net.onnx --profile x --fix out.onnx"
            })
    void whatComputesHasVectorsAndTheOptimisingCompiler(String arguments) throws IOException, InterruptedException {
        assertThat(started(arguments)).contains(VECTORS).doesNotContain(READS_ONLY);
    }

    @ParameterizedTest
    @CsvSource({"run net.onnx --device cpu, true", "demo, true", "bench net.onnx, false", "serve models, false"})
    void whatRunsOnceHasVectorsForLargeNetworksAlone(String arguments, boolean once)
            throws IOException, InterruptedException {
        assertThat(started(arguments).contains("-Dclinfer.vector=large")).isEqualTo(once);
    }

    @Test
    void whoAsksForAPathOnTheCpuGetsIt() throws IOException, InterruptedException {
        Path launcher = folder.resolve("clinfer");
        Files.writeString(
                launcher,
                Files.readString(launcher)
                        .replaceFirst("set -eu\n", "set -eu\nexport JAVA_TOOL_OPTIONS=-Dclinfer.vector=off\n"));
        assertThat(started("run net.onnx")).doesNotContain("-Dclinfer.vector=large");
    }

    @ParameterizedTest
    @CsvSource({
        "LC_ALL=C, C.UTF-8/",
        "LC_CTYPE=POSIX, /C.UTF-8",
        "LANG=C, /C.UTF-8",
        "LANG=, /C.UTF-8",
        "LC_ALL=de_DE.utf8, de_DE.utf8/",
        "LANG=de_DE.utf8, /"
    })
    void namesOfFilesMayHaveAnyLetters(String set, String expected) throws IOException, InterruptedException {
        Path launcher = folder.resolve("clinfer");
        Files.writeString(
                launcher,
                Files.readString(launcher)
                        .replaceFirst(
                                "set -eu\n", "set -eu\nunset LC_ALL LC_CTYPE LANG; export " + set + " 2>/dev/null\n"));
        java("echo \"${LC_ALL:-}/${LC_CTYPE:-}\"");
        assertThat(started("show net.onnx")).contains(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "bench, always [madvise] never, true",
        "serve models, always [madvise] never, true",
        "bench, [always] madvise never, false",
        "bench, always madvise [never], false",
        "run net.onnx, always [madvise] never, false"
    })
    void whatRunsForLongAsksForLargePagesWhereTheyAreGivenOnRequest(String arguments, String pages, boolean asked)
            throws IOException, InterruptedException {
        Path enabled = Files.writeString(folder.resolve("enabled"), pages + "\n");
        Path launcher = folder.resolve("clinfer");
        String script = Files.readString(launcher);
        String system = "/sys/kernel/mm/transparent_hugepage/enabled";
        assertThat(script).contains(system);
        Files.writeString(launcher, script.replace(system, enabled.toString()));
        assertThat(started(arguments).contains("-XX:+UseTransparentHugePages")).isEqualTo(asked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "check net.onnx",
                "ops",
                "profiles",
                "show net.onnx",
                "cache",
                "help run",
                "convert a.onnx -o b.json"
            })
    void whatReadsModelsStartsQuickly(String arguments) throws IOException, InterruptedException {
        assertThat(started(arguments)).contains(READS_ONLY).doesNotContain(VECTORS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run net.onnx --device opencl", "run --device=0 net.onnx"})
    void oneRunOnATestedDeviceStartsQuickly(String arguments) throws IOException, InterruptedException {
        assertThat(started(arguments)).contains(VECTORS).doesNotContain(READS_ONLY);
        testDevice();
        assertThat(started(arguments)).contains(READS_ONLY).doesNotContain(VECTORS);
    }

    @Test
    void oneRunStartsQuicklyWhereADriverIsInstalled() throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("drivers"));
        Files.createFile(folder.resolve("drivers/some.icd"));
        assertThat(started("run net.onnx")).contains(VECTORS).doesNotContain(READS_ONLY);
        testDevice();
        assertThat(started("run net.onnx")).contains(READS_ONLY).doesNotContain(VECTORS);
        assertThat(started("run net.onnx --device cpu")).contains(VECTORS).doesNotContain(READS_ONLY);
    }

    /** As if kernels had been held against the CPU. */
    private void testDevice() throws IOException {
        Files.createDirectories(folder.resolve("cache/tested"));
        Files.createFile(folder.resolve("cache/tested/some.json"));
    }

    @Test
    void argumentsArePassedOn() throws IOException, InterruptedException {
        assertThat(started("run net.onnx --top 5")).endsWith("run", "net.onnx", "--top", "5");
    }

    @Test
    void helpNeedsNoVectors() throws IOException, InterruptedException {
        assertThat(started("run --help")).doesNotContain(VECTORS);
        assertThat(started("devices -h")).doesNotContain(VECTORS);
    }

    @ParameterizedTest
    @CsvSource({"17.0.9, false", "22.0.2, false", "23, true", "25.0.1, true"})
    void javaIsGivenTheOptionsThatItKnows(String version, boolean known) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"" + version + "\"\n");
        assertThat(started("devices").contains("--sun-misc-unsafe-memory-access=allow"))
                .isEqualTo(known);
    }

    /** The one line goes; what comes before and after it, also without an end of line, stays. */
    @Test
    void whatJavaPrintsOfErrorsIsKept() throws IOException, InterruptedException {
        String incubator = "WARNING: Using incubator modules: jdk.incubator.vector";
        java("printf 'Picked up\n" + incubator + "\n" + incubator + " and more\nabort' >&2; exit 7");
        assertThat(printed("devices", 7)).containsExactly("Picked up", incubator + " and more", "abort");
        java("printf 'Error: no memory' >&2; exit 1");
        assertThat(printed("devices", 1)).containsExactly("Error: no memory");
    }

    /** A build fails where another one is at work in the same folder. */
    @Test
    void launchersThatFindTheProgramOutdatedBuildItOnce() throws Exception {
        Files.createDirectories(folder.resolve("src/main"));
        Files.delete(folder.resolve("target/clinfer-cli.jar"));
        Path maven = folder.resolve("bin/mvn");
        Files.createDirectories(maven.getParent());
        Files.writeString(maven, """
                #!/bin/bash
                mkdir at-work || exit 1
                sleep 1
                rmdir at-work
                echo built >> builds
                touch target/clinfer-cli.jar
                """);
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        ExecutorService launchers = Executors.newFixedThreadPool(3);
        try {
            List<Future<List<String>>> all = launchers.invokeAll(Collections.nCopies(3, () -> started("devices")));
            for (Future<List<String>> one : all) {
                assertThat(one.get()).endsWith("devices");
            }
        } finally {
            launchers.shutdown();
        }
        assertThat(folder.resolve("builds")).content().isEqualTo("built\n");
    }

    @Test
    void javaItselfPrintsNothing() throws IOException, InterruptedException {
        realJava();
        assertThat(printed("devices --json", 0)).startsWith("{").endsWith("}");
        assertThat(printed("run nowhere.onnx", 2)).singleElement().asString().startsWith("clinfer: ");
    }
}
