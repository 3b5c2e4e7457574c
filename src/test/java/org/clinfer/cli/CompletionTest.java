package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What bash completes with the script of {@code clinfer completion bash}. */
@EnabledOnOs(OS.LINUX)
class CompletionTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void install() throws IOException {
        Ran ran = clinfer("completion", "bash");
        assertThat(ran.code()).isZero();
        Files.write(folder.resolve("script"), ran.out());
    }

    /** The completions of the last word of a line. */
    private List<String> completed(String... words) throws IOException {
        String all = String.join(" ", words);
        String bash = "source '" + folder.resolve("script") + "'; COMP_WORDS=(" + all + "); COMP_CWORD="
                + (words.length - 1) + "; COMP_LINE='" + all + "'; COMP_POINT=${#COMP_LINE}; "
                + "_complete_clinfer clinfer '" + words[words.length - 1].replace("''", "")
                + "' 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process process = new ProcessBuilder("bash", "--norc", "-c", bash)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .toList();
    }

    @Test
    void commandsOptionsAndValuesAreCompleted() throws IOException {
        assertThat(completed("clinfer", "che")).containsExactly("check");
        assertThat(completed("clinfer", "check", "--expl")).containsExactly("--explain");
        assertThat(completed("clinfer", "check", "--profile", "ascend910b"))
                .contains("ascend910b1")
                .allMatch(name -> name.startsWith("ascend910b"));
        assertThat(completed("clinfer", "check", "--format", "s")).containsExactly("sarif");
        assertThat(completed("clinfer", "run", "--device", "op")).containsExactly("opencl");
        assertThat(completed("clinfer", "check", "--op", "Conv2dT")).containsExactly("Conv2dTranspose");
    }

    @Test
    void thereIsAScriptForZsh() {
        assertThat(clinfer("completion", "zsh").out()).anyMatch(line -> line.contains("bashcompinit"));
        assertThat(clinfer("completion", "fish").code()).isEqualTo(ExitCode.BAD_INPUT);
    }
}
