package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;

/** Runs models with operators of ONNX Runtime on the CPU. */
final class RuntimeModelRunner implements AutoCloseable {

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    Model load(RuntimeModel test, Path folder) {
        return engine.load(test.model().write(folder));
    }

    /** The outputs for the model's own inputs. */
    List<Tensor> run(RuntimeModel test, Path folder) {
        try (Model model = load(test, folder);
                Session session = model.session()) {
            return run(session, test.inputs());
        }
    }

    static List<Tensor> run(Session session, Map<String, Tensor> inputs) {
        try (Result result = session.run(inputs)) {
            return result.outputs().values().stream().map(Tensor::copy).toList();
        }
    }

    static void assertClose(Tensor actual, double[] expected) {
        assertThat(actual.elements()).isEqualTo(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual.getDouble(i)).isCloseTo(expected[i], Offset.offset(1e-4));
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
