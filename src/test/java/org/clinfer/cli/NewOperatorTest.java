package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators of one's own: the one to begin with runs, and a kernel that does not compile is named with file and line. */
class NewOperatorTest {

    @TempDir
    private Path folder;

    @Test
    void itRunsAtOnceOnTheCpuAndOnADevice() {
        Path made = folder.resolve("mine");
        assertThat(clinfer("new-operator", "MyScale", made).code()).isZero();

        for (String device : List.of("cpu", "opencl")) {
            Ran ran = clinfer("verify", made.resolve("my_scale-test"), "--operators", made, "--device", device);
            assertThat(ran.out()).as(device).contains("1 passed, 0 failed, 0 unsupported");
        }
        Ran ran = clinfer(
                "run",
                made.resolve("my_scale-test/model.json"),
                "--operators",
                made,
                "--device",
                "opencl",
                "--input",
                "zeros",
                "--placement");
        assertThat(ran.out()).anyMatch(line -> line.matches("node +MyScale +device .*ref"));
    }

    /** Names of functions, types and words of OpenCL C, and of what Clinfer's headers define. */
    @RequiresOpenCl
    @Test
    void anyNameRunsAtOnce() {
        List<String> names = List.of(
                "Exp2",
                "Hypot",
                "Step",
                "Dot",
                "Mix",
                "Cross",
                "Half",
                "Float",
                "Double",
                "Int",
                "Uint4",
                "SizeT",
                "Event",
                "Kernel",
                "Global",
                "Void",
                "Return",
                "If2",
                "Main",
                "Printf",
                "Fma",
                "Barrier",
                "GetGlobalId",
                "LoadElement",
                "StoreElement",
                "Real",
                "Stored",
                "Element",
                "Scale",
                "Len",
                "X",
                "Y",
                "I",
                "A1B2",
                "Elementwise2",
                "Common");
        names.forEach(name -> assertThat(clinfer("new-operator", name, folder).code())
                .as(name)
                .isZero());

        Ran ran = clinfer("verify", "--operators", folder, "--device", "opencl");

        assertThat(ran.out()).contains(names.size() + " passed, 0 failed, 0 unsupported");
    }

    @Test
    void nothingIsOverwritten() {
        assertThat(clinfer("new-operator", "Cube", folder).code()).isZero();

        Ran again = clinfer("new-operator", "Cube", folder);
        assertThat(again.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(again.err()).anyMatch(line -> line.contains("cube.json: exists already"));
    }

    @Test
    void aFolderIsNoDescription() throws IOException {
        assertThat(clinfer("new-operator", "Cube", folder).code()).isZero();
        Files.createDirectory(folder.resolve("folder.json"));
        assertThat(clinfer("ops", "Cube", "--operators", folder).code()).isZero();
    }

    @Test
    void hintsAreAsAShellTakesThem() {
        Path blank = folder.resolve("my friend's");
        String quoted = "'" + folder.resolve("my friend") + "'\\''s";
        assertThat(clinfer("new-operator", "Cube", blank).out())
                .contains(
                        "try its kernel: clinfer verify --operators " + quoted + "'",
                        "try it: clinfer verify " + quoted + "/cube-test' --operators " + quoted + "'");
    }

    @Test
    void namesThatCannotBeAreRefused() {
        assertThat(clinfer("new-operator", "X".repeat(65), folder).err())
                .anyMatch(line -> line.contains("at most 63 letters and digits"));
        assertThat(clinfer("new-operator", "Conv2d", folder).err()).anyMatch(line -> line.contains("already"));
        assertThat(clinfer("new-operator", "../x", folder).err()).anyMatch(line -> line.contains("capital letter"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void compilersNameTheFileAndLine() throws IOException {
        clinfer("new-operator", "Wrong", folder);
        Path kernel = folder.resolve("wrong.cl");
        List<String> lines = Files.readAllLines(kernel);
        int line = lines.indexOf("    if (i < len) {") + 2;
        lines.set(line - 1, "        store_element(load_element(x, i) * nonsense, y, i);");
        Files.write(kernel, lines);

        Ran ran = clinfer(
                "run",
                folder.resolve("wrong-test/model.json"),
                "--operators",
                folder,
                "--device",
                "opencl",
                "--input",
                "zeros",
                "--placement");

        assertThat(ran.out()).anyMatch(text -> text.matches(" {8}.*wrong\\.cl:" + line + ":.*nonsense.*"));
        assertThat(ran.out()).noneMatch(text -> text.contains("\\u000a"));
        assertThat(ran.code()).isZero();

        Ran verified = clinfer("verify", folder.resolve("wrong-test"), "--operators", folder, "--device", "opencl");
        assertThat(verified.code()).isEqualTo(ExitCode.NO);
        assertThat(verified.out())
                .first(STRING)
                .startsWith("FAIL wrong-test: kernel variant Wrong_ref does not compile: ")
                .contains("wrong.cl:" + line + ": ", "'nonsense'");
        assertThat(verified.out()).contains("0 passed, 1 failed, 0 unsupported");
        assertThat(clinfer("verify", folder.resolve("wrong-test"), "--operators", folder, "--device", "cpu")
                        .code())
                .as("where the kernel is not asked for")
                .isZero();
    }
}
