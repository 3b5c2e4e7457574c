package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.clinfer.CapabilityChecker;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.onnx.export.OnnxExporter;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code check --fix}, from a model file to another one. */
class FixCommandTest {

    private static final String PROFILE = "dla-orin";

    @TempDir
    Path folder;

    private Path model;
    private Path output;

    @BeforeEach
    void write() throws IOException {
        model = folder.resolve("net.onnx");
        output = folder.resolve("out.onnx");
        write(model, true);
    }

    private static Tensor random(long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        Random random = new Random(1);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() - 0.5);
        }
        return tensor;
    }

    /** A convolution that DLA refuses for its padding, and a sum that it does not know. */
    private static void write(Path file, boolean isRefused) throws IOException {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 4, 9, 10));
        Edge y = ops.conv2d(x, ops.constant("w", random(5, 4, 1, 1)))
                .padding(isRefused ? new long[] {1, 1, 1, 1} : new long[4])
                .named("conv")
                .y();
        Edge end = isRefused ? ops.cumSum(y, 1).named("sum").y() : y;
        Graph graph = ops.output("y", end).build();
        try (OutputStream out = Files.newOutputStream(file)) {
            new OnnxExporter(OpCatalog.builtIn()).content(graph).writeTo(out);
        }
    }

    @Test
    void writesWhatPassesAndSaysWhatDoesNot() {
        Ran ran = Ran.clinfer("check", model, "--profile", PROFILE, "--fix", output);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isEqualTo(ExitCode.OK);
        assertThat(ran.out().get(0)).contains("(out.onnx) on NVIDIA DLA");
        assertThat(ran.out())
                .anyMatch(line -> line.startsWith("before: 0 of 2 nodes on the device, 0 partitions,"))
                .anyMatch(line -> line.startsWith("after:  1 of 2 nodes on the device, 1 partition,"))
                .anyMatch(line -> line.startsWith("  'conv' (Conv2d): zeros around the kernel, 3 x 3 -> Conv2d ("))
                .anyMatch(line -> line.startsWith("  results of the whole network, on random inputs: "))
                .contains("not fixed, because no change that Clinfer knows passes:")
                .anyMatch(line -> line.startsWith("  'sum' (CumSum): "))
                .contains("wrote " + output);
        CapabilityChecker checker = CapabilityChecker.builtIn();
        Graph written = checker.read(output);
        assertThat(checker.check(written, Map.of(), ProfileCatalog.builtIn().find(PROFILE), Reading.DOCUMENT)
                        .nodes())
                .anyMatch(node -> node.op().equals("Conv2d") && node.verdict() == Verdict.ON_DEVICE);
        written.closeConstants();
    }

    @Test
    void theExitCodeIsThatOfTheSecondCheck() throws IOException {
        assertThat(Ran.clinfer("check", model, "--profile", PROFILE, "--fail-on", "falls-back", "--fix", output)
                        .code())
                .isEqualTo(ExitCode.NO);
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 4, 9, 10));
        ops.output(
                "y",
                ops.conv2d(x, ops.constant("w", random(5, 4, 1, 1)))
                        .padding(1, 1, 1, 1)
                        .y());
        try (OutputStream out = Files.newOutputStream(model)) {
            new OnnxExporter(OpCatalog.builtIn()).content(ops.build()).writeTo(out);
        }
        assertThat(Ran.clinfer("check", model, "--profile", PROFILE, "--fail-on", "falls-back")
                        .code())
                .isEqualTo(ExitCode.NO);
        assertThat(Ran.clinfer("check", model, "--profile", PROFILE, "--fail-on", "falls-back", "--fix", output)
                        .code())
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void otherFormsHaveTheReportAloneOnStdout() {
        Ran ran = Ran.clinfer("check", model, "--profile", PROFILE, "--format", "json", "--fix", output);
        assertThat(ran.code()).isEqualTo(ExitCode.OK);
        assertThat(ran.out().get(0)).isEqualTo("{");
        assertThat(ran.err()).contains("wrote " + output);
    }

    @Test
    void nothingIsWrittenWhereNothingIsToBeChanged() throws IOException {
        write(model, false);
        Ran ran = Ran.clinfer("check", model, "--profile", PROFILE, "--fix", output);
        assertThat(ran.code()).isEqualTo(ExitCode.OK);
        assertThat(ran.out()).contains("nothing is written: the device runs all of the network as it is");
        assertThat(output).doesNotExist();
    }

    @Test
    void whatCannotBeWrittenIsSaid() throws IOException {
        Path named = folder.resolve("net.prototxt");
        Files.writeString(named, """
                name: "net"
                layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 dim: 4 dim: 8 dim: 8 } } }
                layer { name: "conv" type: "Convolution" bottom: "x" top: "c"
                  convolution_param { num_output: 4 kernel_size: 1 pad: 1 } }
                layer { name: "secret" type: "Secret" bottom: "c" top: "y" }
                """);
        Ran ran = Ran.clinfer("check", named, "--profile", PROFILE, "--fix", output);
        assertThat(ran.code()).isEqualTo(ExitCode.NO);
        assertThat(ran.out())
                .anyMatch(line -> line.startsWith("nothing is written: ") && line.contains("Secret"))
                .anyMatch(line -> line.startsWith("  'conv' (Conv2d): zeros around the kernel, 3 x 3 -> Conv2d ("));
        assertThat(output).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check net.onnx --fix out.onnx",
                "check net.onnx net.onnx --profile dla-orin --fix out.onnx",
                "check net.onnx --profile dla-orin --profile edgetpu --fix out.onnx",
                "check --op Relu --input x=1x2 --profile dla-orin --fix out.onnx",
                "check net.onnx --profile dla-orin --fix out.onnx --against edgetpu",
                "check net.onnx --profile dla-orin --fix out.onnx --probe",
                "check net.onnx --profile dla-orin --fix out.onnx --extract parts",
                "check net.onnx --profile dla-orin --fix out.json",
                "check net.onnx --profile dla-orin --fix net.onnx",
                "check net.onnx --profile dla-orin --fix missing/out.onnx",
            })
    void whatDoesNotGoTogetherIsRefused(String command) throws IOException {
        byte[] before = Files.readAllBytes(model);
        Object[] args = command.replaceAll("\\b(net|out|missing/out)\\.(onnx|json)", folder + "/$1.$2")
                .split(" ");
        Ran ran = Ran.clinfer(args);
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).isNotEmpty();
        assertThat(output).doesNotExist();
        assertThat(model).hasBinaryContent(before);
    }
}
