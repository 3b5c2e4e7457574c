package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The option {@code --on-unsupported}. */
class OnUnsupportedCommandTest {

    @TempDir
    Path folder;

    @Test
    void failsWhereTheCpuWouldCompute() throws IOException {
        Path relu = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
        Ran ran = clinfer("bench", relu, "--device", "cpu", "--on-unsupported", "fail");
        assertThat(ran.code()).isNotZero();
        assertThat(ran.err())
                .anySatisfy(line -> assertThat(line).contains("every node is to run on a device, but there is none"));
        assertThat(clinfer("bench", relu, "--device", "cpu", "--runs", "1", "--on-unsupported", "cpu")
                        .code())
                .isZero();
    }

    /** A check runs nothing, and says itself when its answer is no. */
    @Test
    void aCheckDoesNotTakeIt() throws IOException {
        Ran ran = clinfer("check", TinyOnnx.write(folder.resolve("relu.onnx"), "Relu"), "--on-unsupported", "fail");
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).anyMatch(line -> line.contains("--fail-on falls-back"));
    }
}
