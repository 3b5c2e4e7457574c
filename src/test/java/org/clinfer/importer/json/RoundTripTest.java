package org.clinfer.importer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written and read again is the same graph. */
class RoundTripTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    @TempDir
    Path folder;

    private Graph again(Graph graph, long inlineElements) throws IOException {
        JsonExporter exporter = new JsonExporter(OpCatalog.builtIn(), inlineElements);
        ByteArrayOutputStream weights = new ByteArrayOutputStream();
        if (exporter.needsWeights(graph)) {
            exporter.writeWeights(graph, weights);
        }
        ByteArrayOutputStream model = new ByteArrayOutputStream();
        exporter.writeModel(graph, "w.safetensors", model);
        Files.write(folder.resolve("w.safetensors"), weights.toByteArray());
        return Importers.builtIn().read(Files.write(folder.resolve("m.json"), model.toByteArray()));
    }

    private void assertSame(Graph graph) throws IOException {
        List<String> wanted = GraphText.of(graph);
        assertThat(GraphText.of(again(graph, Long.MAX_VALUE))).isEqualTo(wanted);
        assertThat(GraphText.of(again(graph, 8))).isEqualTo(wanted);
        assertThat(GraphText.of(again(graph, -1))).isEqualTo(wanted);
    }

    @Test
    void aDocumentThatCouldNotBeReadIsBadInput() throws IOException {
        Graph graph = random(new Random(3));
        long length = exported(graph, Long.MAX_VALUE);
        assertThat(exported(graph, length)).isEqualTo(length);
        assertThatThrownBy(() -> exported(graph, length - 1))
                .isInstanceOf(GraphException.class)
                .hasMessageEndingWith("the document would have more than " + (length - 1)
                        + " bytes; leave the weights to a file of their own");
    }

    private static long exported(Graph graph, long mostBytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new JsonExporter(OpCatalog.builtIn(), Long.MAX_VALUE, mostBytes).writeModel(graph, "w.safetensors", out);
        return out.size();
    }

    @Test
    void randomGraphs() throws IOException {
        for (int seed = 0; seed < 150; seed++) {
            assertSame(random(new Random(seed)));
        }
    }

    private static Graph random(Random random) {
        GraphBuilder graph = new GraphBuilder("g\u00e4\n\"" + random.nextInt(), new SourceRef("memory", ""));
        List<String> values = new ArrayList<>();
        graph.input("in", new TensorType(any(random, DType.values()), new Shape(List.of(Dim.named("n"), Dim.of(3)))));
        values.add("in");
        for (int i = random.nextInt(8); i >= 0; i--) {
            graph.constant("c" + i, tensor(random));
            values.add("c" + i);
        }
        graph.constant("__metadata__", Tensor.of(new float[20], 20));
        values.add("__metadata__");
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            String op = any(random, "Add", "Concat", "Conv2d", "Resize", "Split", "Clip");
            List<String> inputs = new ArrayList<>();
            for (int given = 1 + random.nextInt(2); given > 0; given--) {
                inputs.add(any(random, values.toArray(new String[0])));
            }
            if (op.equals("Resize") || op.equals("Clip")) {
                inputs.add(1, random.nextBoolean() ? "" : "in");
            }
            List<String> outputs = op.equals("Split") ? List.of("v" + i, "", "w" + i) : List.of("v" + i);
            List<String> taken = op.equals("Split") ? inputs.subList(0, 1) : inputs;
            graph.node(op, taken, outputs, params(random, op));
            values.addAll(outputs.stream().filter(name -> !name.isEmpty()).toList());
        }
        values.subList(1, values.size()).forEach(graph::output);
        return graph.build();
    }

    @SafeVarargs
    private static <T> T any(Random random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static Tensor tensor(Random random) {
        DType dtype = any(random, DType.values());
        Tensor tensor = Tensor.allocate(dtype, any(random, new long[] {}, new long[] {3, 7}, new long[] {0, 2}));
        ByteBuffer memory = tensor.bytes();
        for (int i = 0; i < memory.limit(); i++) {
            memory.put(i, (byte) (dtype == DType.BOOL ? random.nextInt(2) : random.nextInt(256)));
        }
        if (dtype.isPacked()) {
            // bits behind the last element are zero
            Tensor clean = Tensor.allocate(tensor.type());
            for (long i = 0; i < tensor.elements(); i++) {
                if (dtype == DType.U1) {
                    clean.setLong(i, tensor.getLong(i));
                } else {
                    clean.setCode(i, tensor.code(i));
                }
            }
            return clean;
        }
        if (dtype.isFloating() && tensor.elements() > 5) {
            double[] edges = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, Float.MIN_VALUE};
            for (int i = 0; i < edges.length; i++) {
                tensor.setDouble(i, edges[i]);
            }
        }
        return tensor;
    }

    private static Map<String, Attribute> params(Random random, String op) {
        Map<String, Attribute> params = new LinkedHashMap<>();
        params.put("whole", Attribute.of(random.nextLong()));
        params.put("real", Attribute.of(Double.longBitsToDouble(random.nextLong() & ~(1L << 62))));
        params.put("exact", Attribute.of((double) random.nextInt()));
        params.put("flag", Attribute.of(random.nextBoolean()));
        params.put("text", Attribute.of(any(random, "", "NaN", "1", "\u0000\u20ac\\\"")));
        params.put("longs", Attribute.ofInts(random.longs(random.nextInt(4)).toArray()));
        params.put("reals", Attribute.ofReals(1, -0.0, random.nextGaussian()));
        params.put("texts", Attribute.ofTexts(List.of("a", "Infinity")));
        params.put("flags", new Attribute.ListValue(List.of(Attribute.of(true), Attribute.of(false))));
        if (op.equals("Concat") || op.equals("Split")) {
            // only where the description says that it is a number can "NaN" be one
            params.put("axis", Attribute.ofReals(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        }
        return params;
    }

    @Test
    void everySixteenBitNumber() throws IOException {
        for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16)) {
            Tensor all = Tensor.allocate(dtype, 1 << 16);
            for (int i = 0; i < 1 << 16; i++) {
                all.bytes().putShort(2 * i, (short) i);
            }
            Graph graph = new GraphBuilder("all", new SourceRef("memory", ""))
                    .constant("c", all)
                    .output("c")
                    .build();
            assertThat(GraphText.of(again(graph, Long.MAX_VALUE))).isEqualTo(GraphText.of(graph));
        }
    }

    private static List<Path> models(Path set) throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(set), () -> set + " is not there");
        try (Stream<Path> files = Files.walk(set)) {
            return files.filter(file -> file.toString().endsWith(".onnx"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"onnx-node", "onnx-simple", "models/mnist-8", "models/samplenet", "models/yunet_n_320", "light"})
    void publicModels(String set) throws IOException {
        int same = 0;
        for (Path file : models(SETS.resolve(set))) {
            Graph graph;
            try {
                graph = Importers.builtIn().read(file);
            } catch (GraphException unsupported) {
                continue; // the conformance test says which those are
            }
            List<String> wanted = GraphText.of(graph);
            assertThat(GraphText.of(again(graph, JsonExporter.INLINE_ELEMENTS)))
                    .as(file.toString())
                    .isEqualTo(wanted);
            assertThat(GraphText.of(again(graph, Long.MAX_VALUE)))
                    .as(file.toString())
                    .isEqualTo(wanted);
            same++;
        }
        System.out.println(set + ": " + same + " models are the same after a round trip");
        assertThat(same).isPositive();
    }

    /** A branch within a loop, with constants of its own and of the graph around. */
    @Test
    void controlFlow() throws IOException {
        SourceRef memory = new SourceRef("memory", "");
        TensorType any = new TensorType(DType.FLOAT32, new Shape(List.of(Dim.unknown())));
        Graph then = new GraphBuilder("then", memory)
                .input("v", any)
                .constant("w", Tensor.of(new float[20], 20))
                .node("Add", List.of("v", "w"), List.of("a"), Map.of())
                .output("a")
                .build();
        Graph otherwise = new GraphBuilder("else", memory)
                .input("x", any)
                .constant("one", Tensor.of(new float[] {1}, 1))
                .node("Sub", List.of("x", "one"), List.of("b"), Map.of())
                .output("b")
                .build();
        Map<String, Graph> branches = new LinkedHashMap<>();
        branches.put(ControlFlow.THEN, then);
        branches.put(ControlFlow.ELSE, otherwise);
        Graph body = new GraphBuilder("body", memory)
                .input("iteration", TensorType.of(DType.INT64))
                .input("go", TensorType.of(DType.BOOL))
                .input("v", any)
                .input("x", any)
                .constant("w", Tensor.of(new float[20], 20))
                .node("Neg", List.of("w"), List.of("u"), Map.of())
                .node(new Node("if", "If", List.of("go", "v", "x"), List.of("c"), Map.of(), branches, memory))
                .output("go")
                .output("c")
                .output("u")
                .build();
        Node loop = new Node(
                "loop",
                "Loop",
                List.of("n", "", "x", "x"),
                List.of("", "us"),
                Map.of(ControlFlow.STATES, Attribute.of(1)),
                Map.of(ControlFlow.BODY, body),
                memory);
        assertSame(new GraphBuilder("g", memory)
                .input("n", TensorType.of(DType.INT64))
                .input("x", any)
                .node(loop)
                .output("us")
                .build());
    }

    @Test
    void bothRunAlike() throws IOException {
        Path file = models(SETS.resolve("models/mnist-8")).get(0);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            Graph graph = Importers.builtIn().read(file);
            Tensor input = Tensor.allocate(graph.inputs().get(0).type());
            Random random = new Random(1);
            for (long i = 0; i < input.elements(); i++) {
                input.setDouble(i, random.nextDouble());
            }
            assertThat(run(engine, again(graph, 64), input)).isEqualTo(run(engine, graph, input));
        }
    }

    private static List<Float> run(Engine engine, Graph graph, Tensor input) {
        String name = graph.inputs().get(0).name();
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(Map.of(name, input))) {
            List<Float> values = new ArrayList<>();
            for (float value : result.get(graph.outputs().get(0)).toFloatArray()) {
                values.add(value);
            }
            return values;
        }
    }
}
