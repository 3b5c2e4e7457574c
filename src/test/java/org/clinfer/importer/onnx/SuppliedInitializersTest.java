package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.INT64;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Initializers that are listed as inputs too: constants, unless a run supplies them. */
class SuppliedInitializersTest {

    private static final Tensor X = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);

    @TempDir
    private Path folder;

    /** y = x * scale + bias, reshaped to sizes; the first three are inputs as well. */
    private static TestModel model() {
        return TestModel.opset(18)
                .input("x", 2, 2)
                .input("scale", 2)
                .typed("sizes", INT64, 1)
                .reals("scale", 1, 10)
                .reals("bias", 5, 5)
                .longs("sizes", 4)
                .node("Mul", "x,scale", "m")
                .node("Add", "m,bias", "a")
                .node("Reshape", "a,sizes", "y")
                .output("y");
    }

    private static float[] run(Session session, Map<String, Tensor> inputs) {
        try (Result result = session.run(inputs)) {
            return result.get("y").toFloatArray();
        }
    }

    @Test
    void aRunMaySupplyThem() {
        Tensor scale = Tensor.of(new float[] {-1, 0}, 2);
        for (DeviceChoice device : List.of(new DeviceChoice.Cpu(), new DeviceChoice.Auto())) {
            try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                    Model model = engine.load(model().write(folder));
                    Session session = model.session()) {
                assertThat(run(session, Map.of("x", X))).containsExactly(6, 25, 8, 45);
                assertThat(run(session, Map.of("x", X, "scale", scale))).containsExactly(4, 5, 2, 5);
                assertThat(session.placement().nodes()).isNotEmpty();
                assertThat(run(session, Map.of("x", X))).containsExactly(6, 25, 8, 45);
            }
        }
    }

    @Test
    void othersAreRefusedByName() {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(model().write(folder));
                Session session = model.session()) {
            assertThat(model.inputs()).extracting(Graph.Input::name).containsExactly("x");
            assertThat(model.defaults())
                    .extracting(Graph.Input::name)
                    .contains("scale")
                    .doesNotContain("bias");
            Tensor bias = Tensor.of(new float[] {0, 0}, 2);
            assertThatThrownBy(() -> session.run(Map.of("x", X, "bias", bias)))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("'bias'");
            Tensor wide = Tensor.of(new float[] {0, 0, 0}, 3);
            assertThatThrownBy(() -> session.run(Map.of("x", X, "scale", wide)))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("input 'scale' must be 2:float32");
        }
    }

    @Test
    void thoseThatTypesDependOnRemainOpen() {
        TestModel model = TestModel.opset(18)
                .input("x", 4)
                .typed("k", INT64, 1)
                .longs("k", 3)
                .node("TopK", "x,k", "values,places")
                .node("ReduceSum", "values", "y")
                .output("y");
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model loaded = engine.load(model.write(folder));
                Session session = loaded.session()) {
            Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 4);
            Tensor one = Tensor.of(new long[] {1}, 1);
            assertThat(run(session, Map.of("x", x))).containsExactly(9);
            assertThat(run(session, Map.of("x", x, "k", one))).containsExactly(4);
        }
    }
}
