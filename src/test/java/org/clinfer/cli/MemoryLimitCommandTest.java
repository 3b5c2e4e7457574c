package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The option {@code --memory-limit}. */
class MemoryLimitCommandTest {

    @TempDir
    Path folder;

    @Test
    void refusesWhatExceedsIt() throws IOException {
        Path relu = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
        Ran refused = clinfer("bench", relu, "--device", "cpu", "--runs", "1", "--memory-limit", "1");
        assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err())
                .anySatisfy(line -> assertThat(line)
                        .contains("more bytes, but the engine holds 0 ")
                        .contains("of at most 1: raise its memory limit"));
        assertThat(clinfer("bench", relu, "--device", "cpu", "--runs", "1", "--memory-limit", "1M")
                        .code())
                .isZero();
    }

    @Test
    void isANumberOfBytes() {
        ByteCount count = new ByteCount();
        assertThat(count.convert("1536")).isEqualTo(1536);
        assertThat(count.convert("3K")).isEqualTo(3 << 10);
        assertThat(count.convert("5m")).isEqualTo(5 << 20);
        assertThat(count.convert("7G")).isEqualTo(7L << 30);
        assertThatThrownBy(() -> count.convert("0")).hasMessage("'0' is no number of bytes such as 500M or 2G");
        assertThatThrownBy(() -> count.convert("1.5G")).hasMessageContaining("'1.5G'");
        assertThatThrownBy(() -> count.convert("99999999999999G")).hasMessageContaining("more than any memory");
    }
}
