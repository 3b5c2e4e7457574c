package org.clinfer.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Public models and test vectors, where they stand beside the checkout: no case fails, on any device or binding. */
class ConformanceTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    /**
     * Recordings that cannot be right for the model they stand with. Two take Upsample's linear mode as PyTorch's half-pixel
     * one, see KNOWN-AMBIGUOUS.tsv of the sets; one resizes to a constant shape of one channel, but has two.
     * Three are of an engine that saturated sums of two products of bytes to 16 bits, as an instruction of x86 does, where
     * the definition has int32: with such sums their values come out bit for bit. One
     * cuts a resized value that is a whole number but for rounding to the one below. One says 1 for the last state of an
     * LSTM whose gates are open and whose cells are 3; it is tanh(3), and the values are not of the first output either.
     * Three are of another network than the ncnn file beside it, whose kernels were cut to float16, whose last
     * convolution has a border, or which ends in boxes.
     */
    private static final Set<String> WRONG_RECORDINGS = Set.of(
            "models/fastestdet/ref:ncnn",
            "models/squeezenet_v1.1/ref:ncnn",
            "models/yolo_fastest_1.1/ref:ncnn",
            "opencv-onnx/dynamic_resize_9",
            "opencv-onnx/lstm_layout_0",
            "opencv-onnx/quantized_constant",
            "opencv-onnx/quantized_conv_int8_weights",
            "opencv-onnx/quantized_conv_per_channel_weights",
            "opencv-onnx/quantized_resize_bilinear_align",
            "opencv-onnx/resize_bilinear",
            "opencv-onnx/resize_nearest_unfused_opset11_torch1.3");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "onnx-node",
                "onnx-node-legacy",
                "onnx-simple",
                "onnx-pytorch",
                "opencv-onnx",
                "opencv-caffe",
                "opencv-darknet",
                "models",
                "light"
            })
    void cpu(String set) throws IOException {
        check(set, EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "onnx-node",
                "onnx-node-legacy",
                "onnx-simple",
                "onnx-pytorch",
                "opencv-onnx",
                "opencv-caffe",
                "opencv-darknet",
                "models",
                "light"
            })
    @RequiresOpenCl(ClBinding.LWJGL)
    void lwjgl(String set) throws IOException {
        check(set, EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()));
    }

    /** The sets that differ in operators and files; the other binding runs the same kernels in all. */
    @ParameterizedTest
    @ValueSource(strings = {"onnx-simple", "onnx-pytorch", "opencv-onnx", "opencv-caffe", "light"})
    @RequiresOpenCl(ClBinding.JOCL)
    void jocl(String set) throws IOException {
        check(
                set,
                EngineOptions.defaults()
                        .withDevice(new DeviceChoice.FirstOpenCl())
                        .withBinding(ClBinding.JOCL));
    }

    @Test
    void whatIsOutOfScopeIsRefusedOrRight() throws IOException {
        List<String> others = new ArrayList<>();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            for (TestCase test : cases("onnx-refuse")) {
                Outcome outcome = runner(engine).run(test);
                if (!(outcome instanceof Outcome.Unsupported || outcome instanceof Outcome.Pass)) {
                    others.add(test.name() + ": " + outcome);
                }
            }
        }
        assertThat(others).isEmpty();
    }

    private static CaseRunner runner(Engine engine) {
        return new CaseRunner(engine, new Tolerance(Optional.empty(), Optional.empty()), RecordedLayout.AUTO);
    }

    private static List<TestCase> cases(String set) throws IOException {
        Path folder = SETS.resolve(set);
        Assumptions.assumeTrue(Files.isDirectory(folder), () -> folder + " is not there");
        return CaseFinder.find(folder);
    }

    private static void check(String set, EngineOptions options) throws IOException {
        List<String> failed = new ArrayList<>();
        int passed = 0;
        try (Engine engine = Engine.open(options)) {
            for (TestCase test : cases(set)) {
                Outcome outcome = runner(engine).run(test);
                boolean excused = WRONG_RECORDINGS.contains(test.name());
                if (outcome instanceof Outcome.Fail fail && !excused) {
                    failed.add(test.name() + ": " + fail.why());
                } else if (outcome instanceof Outcome.Pass) {
                    passed++;
                }
            }
        }
        assertThat(failed).isEmpty();
        assertThat(passed).isPositive();
    }
}
