package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The option {@code --precision} of the commands that compute. */
class PrecisionCommandTest {

    @TempDir
    Path folder;

    private Path relu() throws IOException {
        return TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "bench", "tune"})
    void isRefusedTogetherWithExactSums(String command) throws IOException {
        Ran ran = clinfer(command, relu(), "--device", "cpu", "--exact", "--precision", "tf32");
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).first().asString().contains("--exact needs --precision float32, but it is tf32");
    }

    @Test
    void isOneOfThree() throws IOException {
        Ran ran = clinfer("run", relu(), "--precision", "double");
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).first().asString().contains("precision 'double' is none of float32, tf32, float16");
    }

    @Test
    void doesNotChangeWhatACheckSays() throws IOException {
        assertThat(clinfer("check", relu(), "--precision", "tf32").err())
                .first()
                .asString()
                .contains("unknown option");
    }
}
