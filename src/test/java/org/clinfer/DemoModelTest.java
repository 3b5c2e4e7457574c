package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The bundled network against what the training program recorded for the bundled picture. */
class DemoModelTest {

    private static final Path MODEL = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");
    private static final Path RECORDED = Path.of("test-data/demo");

    @Test
    void cpuAgreesWithTheTrainingProgram() throws IOException {
        agrees(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @Test
    @RequiresOpenCl
    void openClAgreesWithTheTrainingProgram() throws IOException {
        agrees(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()));
    }

    private static void agrees(EngineOptions options) throws IOException {
        check(options.withExact(true), 1e-5f);
        // Winograd's filtering is less accurate; scores lie between 0 and 1.
        check(options, 1e-4f);
    }

    private static void check(EngineOptions options, float precision) throws IOException {
        Tensor image = NpyFile.read(RECORDED.resolve("input_0.npy"));
        Tensor expected = NpyFile.read(RECORDED.resolve("output_0.npy"));
        try (Engine engine = Engine.open(options);
                Model model = engine.load(MODEL);
                Session session = model.session();
                Result result = session.run(Map.of("image", image))) {
            Tensor scores = result.get("scores");
            assertThat(scores.shape()).isEqualTo(expected.shape());
            assertThat(scores.elements())
                    .as("elements within %s", precision)
                    .isEqualTo(LongStream.range(0, scores.elements())
                            .filter(i -> Math.abs(scores.getDouble(i) - expected.getDouble(i)) <= precision)
                            .count());
            if (!(options.device() instanceof DeviceChoice.Cpu)) {
                assertThat(session.placement().count(Placement.Target.CPU)).isZero();
            }
        }
    }
}
