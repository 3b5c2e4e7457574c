package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.conformance.Agreement;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Graphs that run partly on the device and partly on the CPU give what the CPU alone gives. */
@RequiresOpenCl
@TestInstance(Lifecycle.PER_CLASS)
class MixedPlacementTest {

    private static final List<String> UNARY = List.of("Relu", "Neg", "Abs", "Identity", "Reshape");

    private CountingClApi counting;
    private Engine cpu;
    private Engine device;
    private Engine separate;

    @BeforeAll
    void open() {
        counting = CountingClApi.over(ClBinding.LWJGL);
        cpu = Engine.open(
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withExact(true));
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withChain(false);
        device = Engine.open(options, () -> OpenCl.over(SeparateBuffersClApi.over(counting.api(), true)));
        separate = Engine.open(options, () -> OpenCl.over(DeviceAnswers.separateMemory(counting.api())));
    }

    @AfterAll
    void everythingIsReleased() {
        separate.close();
        device.close();
        cpu.close();
        counting.assertAllReleased();
    }

    private static void avoid(Engine engine, Session session, String... ops) {
        for (String op : ops) {
            engine.context()
                    .kernels()
                    .variants(op)
                    .forEach(variant -> session.avoid(variant.optype(), "the test wants the CPU"));
        }
    }

    /** Runs a graph whose operators are exact twice on the device; closes its constants. */
    private Placement agrees(Graph graph, Map<String, Tensor> inputs, String... avoided) {
        Map<String, Tensor> expected;
        try (Session session = cpu.load(graph).session()) {
            expected = session.run(inputs).outputs();
        }
        agrees(separate, graph, inputs, expected, avoided);
        return agrees(device, graph, inputs, expected, avoided);
    }

    private static Placement agrees(
            Engine engine, Graph graph, Map<String, Tensor> inputs, Map<String, Tensor> expected, String... avoided) {
        try (Model model = engine.load(graph);
                Session session = model.session()) {
            avoid(engine, session, avoided);
            for (int round = 0; round < 2; round++) {
                Map<String, Tensor> outputs = session.run(inputs).outputs();
                expected.forEach((name, tensor) -> assertThat(
                                Agreement.difference("Identity", Objects.requireNonNull(outputs.get(name)), tensor))
                        .as("%s of %s without %s", name, graph.nodes(), List.of(avoided))
                        .isEmpty());
            }
            return session.placement();
        }
    }

    @Test
    void nodesThatAlternate() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 13, 6));
        Edge first = ops.neg(ops.add(x, x));
        Edge sum = ops.add(first, x);
        Edge last = ops.neg(ops.add(ops.neg(sum), x));
        Graph graph = ops.output("last", last).output("sum", sum).build();
        Placement placement = agrees(graph, Map.of("x", TestGraphs.numbers(1, 13, 6)), "Neg");
        assertThat(placement.nodes())
                .extracting(Placement.Entry::target)
                .containsExactly(
                        Placement.Target.DEVICE,
                        Placement.Target.CPU,
                        Placement.Target.DEVICE,
                        Placement.Target.CPU,
                        Placement.Target.DEVICE,
                        Placement.Target.CPU);
        assertThat(placement.nodes().get(1).reasons()).contains("ref: the test wants the CPU");
    }

    @Test
    void weightsOnBothSides() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 4, 6));
        Edge w = ops.constant("w", TestGraphs.numbers(8, 4, 6));
        Graph graph = ops.output("y", ops.add(ops.mul(ops.add(x, w), w), w)).build();
        Placement placement = agrees(graph, Map.of("x", TestGraphs.numbers(1, 4, 6)), "Mul");
        assertThat(placement.count(Placement.Target.CPU)).isEqualTo(1);
    }

    @Test
    void randomGraphs() {
        List<String> avoidable = List.of("Relu", "Neg", "Abs", "Reshape", "Add", "Concat");
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Graph graph = randomGraph(random);
            Map<String, Tensor> inputs = new LinkedHashMap<>();
            graph.inputs()
                    .forEach(input -> inputs.put(
                            input.name(),
                            TestGraphs.numbers(
                                    random.nextLong(), input.type().shape().sizes())));
            List<String> avoided =
                    avoidable.stream().filter(op -> random.nextBoolean()).toList();
            agrees(graph, inputs, avoided.toArray(new String[0]));
        }
    }

    private static Graph randomGraph(Random random) {
        Ops ops = Ops.graph("net");
        TensorType type = TensorType.of(DType.FLOAT32, 5, 6);
        Edge constant = ops.constant("k", TestGraphs.numbers(random.nextLong(), 5, 6));
        List<Edge> values = new ArrayList<>(List.of(ops.input("x", type), ops.input("z", type), constant));
        Edge last = constant;
        for (int i = 0; i < 12; i++) {
            Edge a = values.get(random.nextInt(values.size()));
            Edge b = values.get(random.nextInt(values.size()));
            int kind = random.nextInt(UNARY.size() + 2);
            if (kind < UNARY.size()) {
                String op = UNARY.get(kind);
                last = op.equals("Reshape")
                        ? ops.reshape(a, 5, 6).y()
                        : ops.op(op, a).y();
            } else if (kind == UNARY.size()) {
                last = ops.add(a, b);
            } else {
                last = ops.split(ops.concat(a, b).axis(0).y())
                        .numOutputs(2)
                        .y(2)
                        .get(1);
            }
            values.add(last);
        }
        Edge other = values.get(random.nextInt(values.size()));
        ops.output("last", last);
        if (other != last) {
            ops.output("other", other);
        }
        return ops.build();
    }
}
