package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.conformance.OnnxRuntime;
import org.clinfer.tensor.Tensor;

/** Holds what some devices compute of a model against what ONNX Runtime computes. */
final class PeerComparison implements AutoCloseable {

    /** Of the largest element of an output. */
    private static final double TOLERANCE = 1e-5;

    private final OnnxRuntime runtime;
    private final List<Engine> engines;

    private PeerComparison(OnnxRuntime runtime, List<Engine> engines) {
        this.runtime = runtime;
        this.engines = engines;
    }

    static PeerComparison open(DeviceChoice... devices) throws OrtException {
        List<Engine> engines = Stream.of(devices)
                .map(device -> Engine.open(EngineOptions.defaults().withDevice(device)))
                .toList();
        return new PeerComparison(OnnxRuntime.open(), engines);
    }

    List<Tensor> expected(TestModel test, Map<String, Tensor> inputs) throws OrtException {
        return runtime.run(test.build().toByteArray(), inputs);
    }

    /**
     * Every device does all runs in one session.
     *
     * @param folder where the model may be written
     */
    void assertAgrees(TestModel test, Path folder, List<Map<String, Tensor>> runs) throws OrtException {
        for (Engine engine : engines) {
            try (Model model = engine.load(test.write(folder));
                    Session session = model.session()) {
                for (Map<String, Tensor> inputs : runs) {
                    List<Tensor> expected = expected(test, inputs);
                    try (Result result = session.run(inputs)) {
                        assertClose(List.copyOf(result.outputs().values()), expected);
                    }
                }
            }
        }
    }

    private static void assertClose(List<Tensor> outputs, List<Tensor> expected) {
        assertThat(outputs).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertClose(outputs.get(i), expected.get(i));
        }
    }

    private static void assertClose(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        double largest = 0;
        for (long i = 0; i < expected.elements(); i++) {
            largest = Math.max(largest, Math.abs(expected.getDouble(i)));
        }
        assertThat(largest).isPositive();
        for (long i = 0; i < expected.elements(); i++) {
            assertThat(actual.getDouble(i)).isCloseTo(expected.getDouble(i), Offset.offset(TOLERANCE * largest));
        }
    }

    @Override
    public void close() {
        engines.forEach(Engine::close);
        runtime.close();
    }
}
