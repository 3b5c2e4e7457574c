package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.conformance.OnnxRuntime;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.onnx.export.OnnxExporter;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;

/** Convolutions that were changed for devices, in ONNX Runtime before and after. */
class FixOracleTest {

    private static final int NETWORKS = 15;

    private static byte[] model(Graph graph) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new OnnxExporter(OpCatalog.builtIn()).content(graph).writeTo(out);
        return out.toByteArray();
    }

    @Test
    void writtenNetworksGiveTheSame() throws OrtException, IOException {
        Random random = new Random(2);
        int changed = 0;
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                OnnxRuntime runtime = OnnxRuntime.open()) {
            Fixer fixer = new Fixer(NetworkChecker.builtIn(), cpu);
            for (int i = 0; i < NETWORKS; i++) {
                Graph graph = RandomConvolutionsTest.convolution(random);
                String name = RandomConvolutionsTest.PROFILES.get(i % RandomConvolutionsTest.PROFILES.size());
                DeviceProfile profile = ProfileCatalog.builtIn().find(name);
                try (NetworkFix fix = fixer.fix(graph, Map.of(), profile, Reading.DOCUMENT)) {
                    changed += fix.applied().isEmpty() ? 0 : 1;
                    Map<String, Tensor> inputs =
                            Map.of("x", input(graph.inputs().get(0).type(), random));
                    List<Tensor> before = runtime.run(model(graph), inputs);
                    List<Tensor> after = runtime.run(model(fix.network()), inputs);
                    assertThat(TensorComparison.difference(before.get(0), after.get(0), Tolerance.DEFAULT))
                            .as("%s on %s: %s", graph.nodes(), name, fix.applied())
                            .isEmpty();
                }
            }
        }
        assertThat(changed).isPositive();
    }

    private static Tensor input(TensorType type, Random random) {
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() * 2 - 1);
        }
        return tensor;
    }
}
