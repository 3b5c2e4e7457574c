package org.clinfer.importer.onnx;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Runs ONNX models of a few nodes on the CPU, with inputs that are collected while a model is built. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnnxRuns {

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    final Map<String, Tensor> inputs = new HashMap<>();

    @TempDir
    Path folder;

    @AfterAll
    void close() {
        engine.close();
    }

    final Tensor random(TestModel model, String name, long... dims) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        Random random = new Random(name.hashCode());
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextGaussian());
        }
        inputs.put(name, tensor);
        model.input(name, dims);
        return tensor;
    }

    final void given(TestModel model, String name, int type, Tensor tensor) {
        inputs.put(name, tensor);
        model.typed(name, type, tensor.shape().sizes());
    }

    final Map<String, Tensor> run(TestModel test) {
        Map<String, Tensor> given = Map.copyOf(inputs);
        inputs.clear();
        try (Model model = engine.load(test.write(folder));
                Session session = model.session();
                Result result = session.run(given)) {
            Map<String, Tensor> copies = new HashMap<>();
            result.outputs().forEach((name, tensor) -> copies.put(name, tensor.copy()));
            return copies;
        }
    }

    final Tensor only(TestModel test, String output) {
        return Objects.requireNonNull(run(test.output(output)).get(output));
    }

    static TestModel model() {
        return TestModel.opset(24);
    }
}
