package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.Importers;
import org.clinfer.importer.onnx.TensorProtoFile;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A public network where it stands beside the checkout, against what another program computed of the same weights. */
abstract class SampleNetContract {

    private static final double TOLERANCE = 1e-5;

    private static final Path NETWORK = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"))
            .resolve("models/samplenet");

    private final DeviceChoice device;

    @TempDir
    Path folder;

    SampleNetContract(DeviceChoice device) {
        this.device = device;
    }

    private static Path file(String name) {
        Path file = NETWORK.resolve(name);
        Assumptions.assumeTrue(Files.exists(file), () -> file + " is not there");
        return file;
    }

    private static void same(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        for (long i = 0; i < expected.elements(); i++) {
            assertThat(actual.getDouble(i)).isCloseTo(expected.getDouble(i), offset(TOLERANCE));
        }
    }

    @Test
    void theRecordedOutput() {
        Path definition = file("SampLeNet.xml");
        Tensor x = TensorProtoFile.read(file("ref/input_0.pb"));
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device))) {
            same(IrNet.run(engine, definition, x).get(0), TensorProtoFile.read(file("ref/output_0.pb")));
        }
    }

    /** The same network of the same weights in another format. */
    @Test
    void theSameAsInAnotherFormat() {
        Tensor x = IrNet.random(5, 1, 3, 32, 32);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device))) {
            List<Tensor> ours = IrNet.run(engine, file("SampLeNet.xml"), x);
            List<Tensor> theirs = IrNet.run(engine, file("SampLeNet.prototxt"), x);
            same(ours.get(0), theirs.get(0));
        }
    }

    @Test
    void theDefinitionAlone() throws IOException {
        Path alone = Files.copy(file("SampLeNet.xml"), folder.resolve("alone.xml"));
        Graph whole = Importers.builtIn().read(file("SampLeNet.xml"));
        Graph graph = Importers.builtIn().read(alone);
        assertThat(graph.outputs()).isEqualTo(whole.outputs());
        assertThat(layers(graph)).hasSize(19).isEqualTo(layers(whole));
    }

    /** What is not about sizes. */
    private static List<String> layers(Graph graph) {
        return graph.nodes().stream()
                .filter(node ->
                        !Set.of("ConstantOfShape", "Shape", "Gather", "Concat").contains(node.op()))
                .map(Node::name)
                .toList();
    }
}
