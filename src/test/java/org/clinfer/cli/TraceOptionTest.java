package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands that write a trace. */
class TraceOptionTest {

    @TempDir
    Path folder;

    private List<JsonNode> slices(Path trace, String category) throws IOException {
        JsonNode document = new JsonMapper().readTree(Files.readAllBytes(trace));
        return StreamSupport.stream(document.get("traceEvents").spliterator(), false)
                .filter(event -> event.path("cat").asString("").equals(category))
                .toList();
    }

    @Test
    void runWritesItsRun() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
        Path trace = folder.resolve("run.json");
        Ran ran = clinfer("run", model, "--input", "random", "--device", "cpu", "--trace", trace);
        assertThat(ran.code()).as("%s", ran.err()).isZero();
        assertThat(slices(trace, "run")).hasSize(1);
        assertThat(slices(trace, "cpu")).singleElement().satisfies(node -> {
            assertThat(node.at("/args/op").asString()).isEqualTo("Relu");
            assertThat(node.at("/args/share_of_peak_gb_per_s").asDouble()).isPositive();
        });
        assertThat(slices(trace, "peak")).anySatisfy(peak -> {
            assertThat(peak.get("name").asString()).isEqualTo("measure cpu");
            assertThat(peak.at("/args/peak_gflops").asDouble()).isPositive();
            assertThat(peak.at("/args/peak_gb_per_s").asDouble()).isPositive();
        });
    }

    @Test
    void benchWritesAllRuns() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
        Path trace = folder.resolve("bench.json");
        Ran ran = clinfer("bench", model, "--device", "cpu", "--runs", "3", "--warmup", "0", "--trace", trace);
        assertThat(ran.code()).as("%s", ran.err()).isZero();
        assertThat(slices(trace, "run")).hasSizeGreaterThanOrEqualTo(3);
        assertThat(slices(trace, "plan")).hasSize(1);
    }

    @Test
    void aTraceThatCannotBeWrittenIsBadUsage() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
        Ran ran = clinfer(
                "run",
                model,
                "--input",
                "random",
                "--trace",
                folder.resolve("no").resolve("t.json"));
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).singleElement().asString().contains(folder.resolve("no") + ": no such file or folder");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whereATraceIsNotWholeTheResultIsPrintedAndTheCodeIsThatOfOtherOutputs() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
        requireFailure(clinfer("run", model, "--input", "random", "--device", "cpu", "--trace", "/dev/full"), "y  ");
        requireFailure(
                clinfer("bench", model, "--device", "cpu", "--runs", "1", "--warmup", "0", "--trace", "/dev/full"),
                model.toString());
    }

    /** The file has failed already when the peak of the host is written to it. */
    @Test
    @RequiresOpenCl
    @EnabledOnOs(OS.LINUX)
    void whereATraceOfADeviceIsNotWholeTheResultIsPrinted() throws IOException {
        Path model = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
        requireFailure(clinfer("run", model, "--input", "random", "--device", "0", "--trace", "/dev/full"), "y  ");
    }

    private static void requireFailure(Ran ran, String result) {
        assertThat(ran.out()).anyMatch(line -> line.startsWith(result));
        assertThat(ran.err()).containsExactly("clinfer: the trace /dev/full is not whole: No space left on device");
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
    }
}
