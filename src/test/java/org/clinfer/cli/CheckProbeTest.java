package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asking the device itself, and keeping what it does not run. */
class CheckProbeTest {

    private static final Path EXAMPLE = Path.of("examples/custom-operator");

    @TempDir
    private Path folder;

    private static String text(Ran ran) {
        return String.join("\n", ran.out());
    }

    private static Ran upsampling(String profile, Object... more) {
        return clinfer(Stream.concat(
                        Stream.of(
                                "check",
                                "--op",
                                "Conv2dTranspose",
                                "--input",
                                "x=1x3x128x128:float16",
                                "--input",
                                "weights=3x2x16x16",
                                "--param",
                                "strides=8,8",
                                "--profile",
                                profile,
                                "--explain"),
                        Stream.of(more))
                .toArray());
    }

    @Test
    @RequiresOpenCl
    void aDeviceThatRunsWhatTheRulesRefuseIsADisagreement() {
        Ran refused = upsampling("ascend910b1", "--probe");
        assertThat(text(refused))
                .contains("falls-back")
                .contains("probe/disagreement: the rules refuse it, but the device runs it and agrees with the CPU");
        Ran allowed = upsampling("generic", "--probe", "--fail-on", "falls-back");
        assertThat(allowed.code()).as(allowed.toString()).isZero();
        assertThat(text(allowed)).doesNotContain("probe/");
    }

    @Test
    @RequiresOpenCl
    void aKernelThatComputesSomethingElseIsFound() throws IOException {
        Files.copy(EXAMPLE.resolve("hard_shrink.json"), folder.resolve("hard_shrink.json"));
        String kernel = Files.readString(EXAMPLE.resolve("hard_shrink.cl"));
        Files.writeString(folder.resolve("hard_shrink.cl"), kernel.replace("threshold ? 0", "threshold ? 1"));
        Object[] check = {
            "check", "--op", "HardShrink", "--input", "x=4x5", "--device", "opencl", "--explain", "--probe"
        };
        Ran sound = clinfer(with(check, EXAMPLE));
        assertThat(text(sound)).contains("on-device").doesNotContain("probe/");
        Ran broken = clinfer(with(check, folder));
        assertThat(text(broken))
                .contains("falls-back")
                .containsPattern(
                        "probe/disagreement: the rules allow it, but the device gives other results than the CPU"
                                + " \\(y: [0-9]+ of 20 elements differ");
    }

    private static Object[] with(Object[] check, Path operators) {
        return Stream.concat(Stream.of(check), Stream.of("--operators", operators))
                .toArray();
    }

    @Test
    void withoutADeviceThereIsNothingToAsk() {
        Ran ran = clinfer("check", "--op", "Relu", "--input", "x=1x3", "--probe", "--device", "99");
        assertThat(ran.code()).isNotZero();
        assertThat(ran.err()).hasSize(1);
    }

    @Test
    void whatIsNotKnownIsNotWritten() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("tiny.onnx"), "Mystery");
        Ran ran = clinfer("check", model, "--profile", "ascend310", "--extract", folder.resolve("parts"));
        assertThat(ran.err())
                .containsExactly(
                        "the part with 'Mystery_0' (Mystery) is not written, because it has operators that Clinfer does"
                                + " not have");
        try (Stream<Path> files = Files.list(folder.resolve("parts"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void whatFallsBackIsSavedAndFallsBackAgain() throws IOException {
        Path pieces = folder.resolve("pieces");
        upsampling("ascend910b1", "--extract", pieces);
        List<Path> saved;
        try (Stream<Path> files = Files.list(pieces)) {
            saved = files.toList();
        }
        assertThat(saved).containsExactly(pieces.resolve("Conv2dTranspose-ascend910b1-0-conv2dtranspose_0.onnx"));
        Ran again = clinfer("check", saved.get(0), "--profile", "ascend910b1", "--fail-on", "falls-back");
        assertThat(again.code()).as(again.toString()).isEqualTo(ExitCode.NO);
        Ran elsewhere = clinfer("check", saved.get(0), "--profile", "ascend310", "--fail-on", "falls-back");
        assertThat(elsewhere.code()).as(elsewhere.toString()).isZero();
    }
}
