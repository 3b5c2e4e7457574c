package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenCL that is not there, only half there, or elsewhere, seen by a fresh process that prints nothing of itself. */
@EnabledOnOs(OS.LINUX)
final class MissingOpenClTest {

    @TempDir
    private Path folder;

    /** A process that runs {@link OpenClProbe} without any OpenCL options of the surroundings; too short for the second compiler. */
    private ProcessBuilder process(Optional<ClBinding> binding, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dclinfer.cache=off"));
        command.addAll(List.of(options));
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        command.addAll(List.of("-cp", classes, OpenClProbe.class.getName()));
        binding.ifPresent(asked -> command.add(asked.name()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("POCL_CACHE_DIR", folder.resolve("compiled").toString());
        return builder;
    }

    /** All that the process prints: what it found, which is the same twice, and the libraries that it loaded. */
    private static String found(Process process) throws IOException, InterruptedException {
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("WARNING: ")) // newer JDKs warn of what LWJGL calls
                .toList();
        assertThat(process.waitFor()).as("exit code after %s", lines).isZero();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).isEqualTo(lines.get(0));
        return lines.get(0) + " " + lines.get(2);
    }

    private String probe(Optional<ClBinding> binding, Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        ProcessBuilder builder = process(binding, options);
        builder.environment().putAll(environment);
        return found(builder.start());
    }

    private String probe(ClBinding binding, Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        return probe(Optional.of(binding), environment, options);
    }

    /** A copy of this system's loader, under a name of its own in {@link #folder}. */
    private Path loaderCopy(String name) throws IOException {
        OpenCl.open(ClBinding.LWJGL);
        return Files.copy(OpenClProbe.loaded().get(0), folder.resolve(name));
    }

    /** The name that a loader has without development packages, which a machine of a developer may have as well. */
    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void loaderUnderItsOwnName(ClBinding binding) throws IOException, InterruptedException {
        Path loader = loaderCopy("libOpenCL.so.1");
        assertThat(probe(binding, Map.of("LD_LIBRARY_PATH", folder.toString())))
                .startsWith("AVAILABLE ")
                .endsWith("LOADED [" + loader + "]");
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void namedLoader(ClBinding binding) throws IOException, InterruptedException {
        Path loader = loaderCopy("libOtherOpenCL.so.7");
        assertThat(probe(binding, Map.of(), "-Dclinfer.opencl.library=" + loader))
                .startsWith("AVAILABLE ")
                .endsWith("LOADED [" + loader + "]");
    }

    @Test
    @RequiresOpenCl
    void anotherBindingWhereTheFirstCannotBeLoaded() throws IOException, InterruptedException {
        String broken = "-Dorg.lwjgl.libname=/nonexistent/liblwjgl.so";
        assertThat(probe(Optional.empty(), Map.of())).startsWith("AVAILABLE BindingUse[name=lwjgl, reason=] ");
        assertThat(probe(Optional.empty(), Map.of(), broken))
                .startsWith("AVAILABLE BindingUse[name=jocl, reason=not LWJGL: ")
                .contains("/nonexistent/liblwjgl.so");
        assertThat(probe(ClBinding.LWJGL, Map.of(), broken))
                .startsWith("MISSING the OpenCL library cannot be loaded (LWJGL: ")
                .contains("/nonexistent/liblwjgl.so");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @RequiresOpenCl
    void manyStartsAtOnceLeaveNothing(boolean cached) throws IOException, InterruptedException {
        Path working = Files.createDirectory(folder.resolve("working"));
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Path cache = folder.resolve("cache");
        List<Process> started = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ProcessBuilder builder = process(
                    Optional.of(i % 2 == 0 ? ClBinding.LWJGL : ClBinding.JOCL),
                    "-Djava.io.tmpdir=" + temporary,
                    "-Dclinfer.cache=" + (cached ? cache : "off"));
            started.add(builder.directory(working.toFile()).start());
        }
        for (Process process : started) {
            assertThat(found(process)).startsWith("AVAILABLE ");
        }
        assertThat(working).isEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
        if (cached) {
            assertThat(cache).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @EnumSource
    void namedLoaderThatIsNotThere(ClBinding binding) throws IOException, InterruptedException {
        assertThat(probe(binding, Map.of(), "-Dclinfer.opencl.library=/nonexistent/libOpenCL.so"))
                .startsWith("MISSING the OpenCL library cannot be loaded (" + binding + ": ")
                .contains("/nonexistent/libOpenCL.so")
                .contains("install an OpenCL loader and a driver");
    }

    /** A file that is no library, found before the system's, hides the latter. */
    @ParameterizedTest
    @EnumSource
    void unloadableLibrary(ClBinding binding) throws IOException, InterruptedException {
        for (String name : List.of("libOpenCL.so", "libOpenCL.so.1")) {
            Files.writeString(folder.resolve(name), "no library");
        }
        assertThat(probe(binding, Map.of("LD_LIBRARY_PATH", folder.toString())))
                .startsWith("MISSING the OpenCL library cannot be loaded (" + binding + ": ")
                .contains("install an OpenCL loader and a driver");
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void noDriver(ClBinding binding) throws IOException, InterruptedException {
        assertThat(probe(binding, Map.of("OCL_ICD_VENDORS", folder.toString())))
                .startsWith("MISSING the OpenCL library finds no driver (platform): ")
                .contains("install an OpenCL driver (ICD)");
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void brokenDriver(ClBinding binding) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("gone.icd"), "/nonexistent/libdriver.so\n");
        Files.writeString(folder.resolve("bad.icd"), folder.resolve("bad.icd") + "\n");
        assertThat(probe(binding, Map.of("OCL_ICD_VENDORS", folder.toString())))
                .startsWith("MISSING the OpenCL library finds no driver")
                .contains(folder.resolve("gone.icd") + " names /nonexistent/libdriver.so, which does not exist")
                .contains("bad.icd, which gives no platform");
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void brokenDriverBesideAGoodOne(ClBinding binding) throws IOException, InterruptedException {
        try (DirectoryStream<Path> installed = Files.newDirectoryStream(Path.of("/etc/OpenCL/vendors"), "*.icd")) {
            for (Path icd : installed) {
                Files.copy(icd, folder.resolve(icd.getFileName()));
            }
        }
        Files.writeString(folder.resolve("gone.icd"), "/nonexistent/libdriver.so\n");
        assertThat(probe(binding, Map.of("OCL_ICD_VENDORS", folder.toString())))
                .startsWith("AVAILABLE ")
                .contains("gone.icd names /nonexistent/libdriver.so, which does not exist");
    }

    /** A driver that ends the process, made by a C compiler. */
    private void fatalDriver() throws IOException, InterruptedException {
        Path source = Files.writeString(
                folder.resolve("fatal.c"),
                "#include <stdlib.h>\nvoid *clGetExtensionFunctionAddress(const char *name) { abort(); }\n");
        Path driver = folder.resolve("fatal.so");
        try {
            Process compiler =
                    new ProcessBuilder("cc", "-shared", "-fPIC", "-o", driver.toString(), source.toString()).start();
            assumeTrue(compiler.waitFor() == 0, "the C compiler cannot make a library");
        } catch (IOException missing) {
            abort("there is no C compiler: " + missing.getMessage());
        }
        Files.writeString(folder.resolve("fatal.icd"), driver + "\n");
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void driverThatEndsTheProcessIsAskedTwice(ClBinding binding) throws IOException, InterruptedException {
        fatalDriver();
        Map<String, String> drivers = Map.of("OCL_ICD_VENDORS", folder.toString());
        String cache = "-Dclinfer.cache=" + folder.resolve("cache");
        ProcessBuilder asking = process(Optional.of(binding), cache, "-XX:-CreateCoredumpOnCrash")
                .directory(folder.toFile());
        asking.environment().putAll(drivers);
        for (int time = 0; time < 2; time++) {
            Process ended = asking.start();
            ended.getInputStream().readAllBytes();
            assertThat(ended.waitFor()).isNotZero();
        }

        assertThat(probe(binding, drivers, cache))
                .startsWith("MISSING one of the OpenCL drivers " + folder.resolve("fatal.icd") + " ended the process");
        Files.delete(folder.resolve("fatal.icd"));
        assertThat(probe(binding, drivers, cache)).startsWith("MISSING the OpenCL library finds no driver");
    }

    @Test
    void registrationsAreJudgedOneByOne() throws IOException {
        assertThat(new IcdFiles(folder.resolve("absent")).problems(false)).isEmpty();
        Files.writeString(folder.resolve("a.icd"), "\n");
        Files.writeString(folder.resolve("b.icd"), "libsomewhere.so.2\n");
        Files.writeString(folder.resolve("c.txt"), "/nonexistent\n");
        Files.createDirectory(folder.resolve("d.icd"));
        assertThat(new IcdFiles(folder).problems(true))
                .hasSize(2)
                .satisfies(lines -> assertThat(lines.get(0)).contains("a.icd is empty"))
                .satisfies(lines -> assertThat(lines.get(1)).contains("d.icd cannot be read"));
        assertThat(new IcdFiles(folder.resolve("b.icd")).problems(false))
                .singleElement()
                .asString()
                .contains("libsomewhere.so.2, which gives no platform");
    }
}
