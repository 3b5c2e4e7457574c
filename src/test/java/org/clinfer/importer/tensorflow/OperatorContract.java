package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Operators compute what TensorFlow says, on a device or on the CPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OperatorContract {

    private static final double TOLERANCE = 2e-5;

    @TempDir
    Path folder;

    private final Engine engine;

    OperatorContract(DeviceChoice device) {
        this.engine = Engine.open(EngineOptions.defaults().withDevice(device));
    }

    @AfterAll
    void close() {
        engine.close();
    }

    /** What the graph's only output is for an input x. */
    Tensor run(TfGraph graph, Tensor x) throws IOException {
        try (Model model = engine.load(engine.read(graph.write(folder)));
                Session session = model.session();
                Result result = session.run(Map.of("x", x))) {
            assertThat(result.outputs()).hasSize(1);
            return result.outputs().values().iterator().next().copy();
        }
    }

    void check(TfGraph graph, Nhwc x, Nhwc expected) throws IOException {
        check(run(graph, Tensor.of(x.data, x.sizes())), expected.sizes(), expected.data);
    }

    static void check(Tensor actual, long[] sizes, float... expected) {
        assertThat(actual.shape().sizes()).containsExactly(sizes);
        float[] values = actual.toFloatArray();
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) values[i]).as("element " + i).isCloseTo(expected[i], within(TOLERANCE));
        }
    }

    static TfGraph with(Nhwc x) {
        return new TfGraph().input("x", x.sizes());
    }

    static TfGraph with(Nhwc x, Nhwc weights) {
        return with(x).floats("w", weights.sizes(), weights.data);
    }
}
