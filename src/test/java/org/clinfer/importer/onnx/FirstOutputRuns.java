package org.clinfer.importer.onnx;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
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

/** Runs graphs that an importer gives on the CPU, and takes the first of their outputs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FirstOutputRuns {

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @TempDir
    Path folder;

    @AfterAll
    void close() {
        engine.close();
    }

    final Tensor run(TestModel test, Map<String, Tensor> inputs) {
        try (Model model = engine.load(test.read(folder));
                Session session = model.session();
                Result result = session.run(inputs)) {
            return result.outputs().values().iterator().next().copy();
        }
    }

    static Tensor floats(long... sizes) {
        float[] values = new float[(int) Arrays.stream(sizes).reduce(1, (a, b) -> a * b)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i * 7 + 3) % 11 - 5;
        }
        return Tensor.of(values, sizes);
    }

    static double[] values(Tensor tensor) {
        return IntStream.range(0, (int) tensor.elements())
                .mapToDouble(i -> tensor.getDouble(i) + 0.0)
                .toArray();
    }
}
