package org.clinfer.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frozen TensorFlow graphs, whose tensors were recorded with the channels second, where they stand beside the checkout. */
class TensorflowConformanceTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));
    private static final Tolerance TOLERANCE = new Tolerance(Optional.empty(), Optional.empty());
    private static final Set<String> NETWORKS = Set.of("espcn_x2", "fsrcnn_x2", "fsrcnn_x3");

    private static EngineOptions cpu() {
        return EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
    }

    private static EngineOptions device() {
        return EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    }

    private static Path existing(Path path) {
        Assumptions.assumeTrue(Files.exists(path), () -> path + " is not there");
        return path;
    }

    private static void check(EngineOptions options, RecordedLayout layout) throws IOException {
        Map<String, String> unsupported = new TreeMap<>();
        Map<String, String> failed = new TreeMap<>();
        int passed = 0;
        try (Engine engine = Engine.open(options)) {
            CaseRunner runner = new CaseRunner(engine, TOLERANCE, layout);
            for (TestCase test : CaseFinder.find(existing(SETS.resolve("opencv-tf")))) {
                Outcome outcome = runner.run(test);
                if (outcome instanceof Outcome.Unsupported lacking) {
                    unsupported.put(test.name(), lacking.feature());
                } else if (outcome instanceof Outcome.Fail fail) {
                    failed.put(test.name(), fail.why());
                } else {
                    passed++;
                }
            }
        }
        assertThat(failed).isEmpty();
        assertThat(unsupported).isEmpty();
        assertThat(passed).isGreaterThanOrEqualTo(72);
    }

    /** Also those whose outputs alone have channels. */
    @ParameterizedTest
    @EnumSource(
            value = RecordedLayout.class,
            names = {"NCHW", "AUTO"})
    void vectorsOnTheCpu(RecordedLayout layout) throws IOException {
        check(cpu(), layout);
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void vectorsOnTheDevice() throws IOException {
        check(device(), RecordedLayout.NCHW);
    }

    private static void checkNetworks(EngineOptions options) throws IOException {
        Set<String> passed = new TreeSet<>();
        try (Engine engine = Engine.open(options)) {
            CaseRunner runner = new CaseRunner(engine, TOLERANCE, RecordedLayout.NCHW);
            for (String network : NETWORKS) {
                for (TestCase test :
                        CaseFinder.find(existing(SETS.resolve("models").resolve(network)))) {
                    assertThat(runner.run(test)).as(test.name()).isInstanceOf(Outcome.Pass.class);
                    passed.add(network);
                }
            }
        }
        assertThat(passed).isEqualTo(NETWORKS);
    }

    @Test
    void networksOnTheCpu() throws IOException {
        checkNetworks(cpu());
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void networksOnTheDevice() throws IOException {
        checkNetworks(device());
    }

    private static Tensor result(Engine engine, Graph graph, Tensor x) {
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(Map.of(graph.inputs().get(0).name(), x))) {
            return result.get(graph.outputs().get(0)).copy();
        }
    }

    /** One network that was saved in two formats. */
    @Test
    void onnxAndTensorflowGiveTheSameNumbers() {
        Path folder = existing(SETS.resolve("models/samplenet"));
        Tensor x = Tensor.allocate(DType.FLOAT32, 1, 3, 32, 32);
        Random random = new Random(1);
        for (int i = 0; i < x.elements(); i++) {
            x.setDouble(i, random.nextFloat());
        }
        try (Engine engine = Engine.open(cpu())) {
            Tensor onnx = result(engine, engine.read(folder.resolve("samplenet.onnx")), x);
            Tensor tensorflow = result(engine, engine.read(folder.resolve("samplenet.pb")), x);
            assertThat(TensorComparison.difference(onnx, tensorflow, TOLERANCE)).isEmpty();
            assertThat(onnx.shape()).hasToString("1x10");
        }
    }
}
