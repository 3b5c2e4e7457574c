package org.clinfer.importer.onnx.export;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;

/** Graphs, written as ONNX and read again, on the CPU. */
final class RoundTrip implements AutoCloseable {

    /** Both run the same kernels; formulas in the place of one operator round once more or less. */
    private static final Tolerance TOLERANCE = new Tolerance(Optional.of(1e-6), Optional.of(0.0));

    static final SourceRef MEMORY = new SourceRef("memory", "");

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    private final Supplier<Path> folder;

    /** @param folder where to write, asked for when something is written */
    RoundTrip(Supplier<Path> folder) {
        this.folder = folder;
    }

    @Override
    public void close() {
        engine.close();
    }

    Path write(Graph graph) throws IOException {
        OnnxExporter.Content content = new OnnxExporter(OpCatalog.builtIn()).content(graph);
        Path file = folder.get().resolve("m.onnx");
        try (OutputStream out = Files.newOutputStream(file)) {
            content.writeTo(out);
        }
        return file;
    }

    static Tensor random(DType dtype, Random random, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, dtype.isFloating() ? random.nextGaussian() : random.nextInt(2));
        }
        return tensor;
    }

    static Tensor random(long... sizes) {
        return random(DType.FLOAT32, new Random(sizes.length), sizes);
    }

    /** Values for every input; sizes that are not known are 2. */
    static Map<String, Tensor> inputs(Graph graph) {
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        Random random = new Random(1);
        for (Graph.Input input : graph.inputs()) {
            long[] sizes = input.type().shape().dims().stream()
                    .mapToLong(dim -> dim instanceof Dim.Known known ? known.size() : 2)
                    .toArray();
            inputs.put(input.name(), random(input.type().dtype(), random, sizes));
        }
        return inputs;
    }

    Map<String, Tensor> run(Graph graph, Map<String, Tensor> inputs) {
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(inputs)) {
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return outputs;
        }
    }

    static void assertSame(Map<String, Tensor> wanted, Map<String, Tensor> found, String what) {
        assertThat(found.keySet()).as(what).isEqualTo(wanted.keySet());
        wanted.forEach((name, tensor) -> assertThat(
                        TensorComparison.difference(tensor, requireNonNull(found.get(name)), TOLERANCE))
                .as("%s: %s", what, name)
                .isEmpty());
    }

    /** A graph of one node; the first input is given with the run, the others are constants. */
    static Graph graph(String op, TensorType x, Params params, int outputs, Tensor... constants) {
        GraphBuilder graph = new GraphBuilder("one", MEMORY).input("x", x);
        List<String> inputs = new ArrayList<>(List.of("x"));
        for (int i = 0; i < constants.length; i++) {
            graph.constant("c" + i, constants[i]);
            inputs.add("c" + i);
        }
        List<String> names = IntStream.range(0, outputs).mapToObj(i -> "y" + i).toList();
        graph.node("node", op, inputs, names, params.map());
        names.forEach(graph::output);
        return graph.build();
    }

    void same(Graph graph, String what) throws IOException {
        Map<String, Tensor> inputs = inputs(graph);
        Graph again = Importers.builtIn().read(write(graph));
        assertThat(again.inputs()).as(what).isEqualTo(graph.inputs());
        assertThat(again.outputs()).as(what).isEqualTo(graph.outputs());
        assertSame(run(graph, inputs), run(again, inputs), what);
    }

    void same(String op, long[] x, Params params, Tensor... constants) throws IOException {
        Graph graph = graph(op, TensorType.of(DType.FLOAT32, x), params, 1, constants);
        same(graph, op + " " + params.map());
    }

    List<String> operators(Graph graph) throws IOException {
        return operators(write(graph));
    }

    static List<String> operators(Path file) throws IOException {
        ModelProto model = ModelProto.parseFrom(Files.readAllBytes(file));
        return model.getGraph().getNodeList().stream().map(NodeProto::getOpType).toList();
    }

    static String refusal(Graph graph) {
        try {
            new OnnxExporter(OpCatalog.builtIn()).content(graph);
            return "";
        } catch (UnsupportedException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    static Params params() {
        return new Params();
    }

    static long[] sizes(long... values) {
        return values;
    }
}
