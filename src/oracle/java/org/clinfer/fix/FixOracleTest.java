package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

/** Networks that were changed for devices, in ONNX Runtime before and after. */
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

    /** A network that is changed, and its results before and after. */
    private static void same(Graph graph, String profile, Map<String, Tensor> inputs) throws OrtException, IOException {
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                OnnxRuntime runtime = OnnxRuntime.open();
                NetworkFix fix = new Fixer(NetworkChecker.builtIn(), cpu)
                        .fix(graph, Map.of(), ProfileCatalog.builtIn().find(profile), Reading.DOCUMENT)) {
            assertThat(fix.applied()).isNotEmpty();
            Map<String, Tensor> others = new LinkedHashMap<>();
            fix.network()
                    .inputs()
                    .forEach(input -> others.put(
                            input.name(),
                            Objects.requireNonNull(inputs.get(input.name()))
                                    .to(input.type().dtype())));
            List<Tensor> before = runtime.run(model(graph), inputs);
            List<Tensor> after = runtime.run(model(fix.network()), others);
            assertThat(after).hasSameSizeAs(before);
            for (int i = 0; i < before.size(); i++) {
                Tensor expected = before.get(i);
                assertThat(TensorComparison.difference(expected, after.get(i).to(expected.dtype()), Tolerance.DEFAULT))
                        .as("%s", fix.applied())
                        .isEmpty();
            }
        }
    }

    @Test
    void volumesGiveTheSame() throws OrtException, IOException {
        Graph graph = FixedNodesTest.volumes();
        same(graph, "dla-orin", Map.of("x", input(graph.inputs().get(0).type(), new Random(3))));
    }

    @Test
    void numbersOfInt32GiveTheSame() throws OrtException, IOException {
        Graph graph = FixedTypesTest.words((ops, ids) -> ops.mul(ids, ops.constant("three", Tensor.scalar(3L))));
        same(graph, "opencl-embedded", Map.of("ids", Tensor.of(new long[] {0, 29, 7, 28, 1, 3}, 1, 6)));
    }

    private static Tensor input(TensorType type, Random random) {
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() * 2 - 1);
        }
        return tensor;
    }
}
