package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** OpenCL that is not there, or only half there, seen by a fresh process. */
@EnabledOnOs(OS.LINUX)
final class MissingOpenClTest {

    @TempDir
    private Path folder;

    /** The two lines of {@link OpenClProbe}, which must be the same; JOCL's native part may print others. */
    private static String probe(Binding binding, Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OpenClProbe.class.getName()));
        command.add(binding.name());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        Process process = builder.start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.matches("(AVAILABLE|MISSING) .*"))
                .toList();
        assertThat(process.waitFor()).as("exit code after %s", lines).isZero();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).isEqualTo(lines.get(0));
        return lines.get(0);
    }

    @Test
    void noLibraryForLwjgl() throws IOException, InterruptedException {
        assertThat(probe(Binding.LWJGL, Map.of(), "-Dclinfer.opencl.library=/nonexistent/libOpenCL.so"))
                .startsWith("MISSING the OpenCL library cannot be loaded (LWJGL: ")
                .contains("/nonexistent/libOpenCL.so")
                .contains("install an OpenCL loader and a driver");
    }

    /** A file that is no library, found before the system's, hides the latter. */
    @ParameterizedTest
    @EnumSource
    void unloadableLibrary(Binding binding) throws IOException, InterruptedException {
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
    void noDriver(Binding binding) throws IOException, InterruptedException {
        assertThat(probe(binding, Map.of("OCL_ICD_VENDORS", folder.toString())))
                .startsWith("MISSING no OpenCL device: the OpenCL library finds no driver (platform): ")
                .contains("install an OpenCL driver (ICD)");
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void brokenDriver(Binding binding) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("gone.icd"), "/nonexistent/libdriver.so\n");
        Files.writeString(folder.resolve("bad.icd"), folder.resolve("bad.icd") + "\n");
        assertThat(probe(binding, Map.of("OCL_ICD_VENDORS", folder.toString())))
                .startsWith("MISSING no OpenCL device: ")
                .contains(folder.resolve("gone.icd") + " names /nonexistent/libdriver.so, which does not exist")
                .contains("bad.icd, which gives no platform");
    }

    @ParameterizedTest
    @EnumSource
    @RequiresOpenCl
    void brokenDriverBesideAGoodOne(Binding binding) throws IOException, InterruptedException {
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
