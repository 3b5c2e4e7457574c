package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Networks in 16-bit floats with many products are computed in float32 on processors: as if they were written in it. */
@RequiresOpenCl
class Float32WideningTest {

    private static final int GRAPHS = 24;

    /** A network that is chained has a program of its own, which takes seconds to build. */
    private static final int CHAINED_GRAPHS = 6;

    private static final int STEPS = 6;

    /** Sizes of a product that is large enough alone. */
    private static final int ROWS = 16;

    private static final int SIDE = 256;
    private static final String BIG = "big";
    private static final Tensor WEIGHTS = Float16Tests.scaled(TestGraphs.numbers(7, SIDE, SIDE), 0x1p-6);
    private static final List<DType> TYPES = List.of(DType.FLOAT16, DType.BFLOAT16);

    enum Where {
        CPU,
        PROCESSOR,
        CHAINED_PROCESSOR
    }

    private static final EngineOptions OPTIONS = EngineOptions.defaults().withByCost(false);
    private static final Map<Where, Engine> ENGINES = new HashMap<>();

    @BeforeAll
    static void open() {
        ENGINES.put(Where.CPU, Engine.open(OPTIONS.withDevice(new DeviceChoice.Cpu())));
        EngineOptions device = OPTIONS.withDevice(new DeviceChoice.FirstOpenCl());
        ENGINES.put(Where.PROCESSOR, Engine.open(device.withChain(false)));
        ENGINES.put(Where.CHAINED_PROCESSOR, Engine.open(device));
    }

    @AfterAll
    static void close() {
        ENGINES.values().forEach(Engine::close);
        ENGINES.clear();
    }

    private static Engine engine(Where where) {
        return Objects.requireNonNull(ENGINES.get(where));
    }

    private static Float16Tests.Ran run(Where where, Graph graph, Map<String, Tensor> inputs) {
        return Float16Tests.run(engine(where), graph, inputs);
    }

    /** A product that is large enough for a network to be computed in float32. */
    private static Edge largeProduct(Ops ops, DType dtype) {
        return ops.matMul(ops.input(BIG, TensorType.of(dtype, ROWS, SIDE)), ops.constant("weights", WEIGHTS.to(dtype)));
    }

    private static Tensor large(DType dtype) {
        return TestGraphs.numbers(1, ROWS, SIDE).to(dtype);
    }

    private static Stream<Arguments> placesAndTypes() {
        return Arrays.stream(Where.values()).flatMap(where -> TYPES.stream().map(dtype -> Arguments.of(where, dtype)));
    }

    /** Rounded once at the end, they are as the same networks in float32, bit for bit. */
    @ParameterizedTest
    @MethodSource("placesAndTypes")
    void randomNetworks(Where where, DType dtype) {
        for (int seed = 0; seed < (where == Where.CHAINED_PROCESSOR ? CHAINED_GRAPHS : GRAPHS); seed++) {
            // a number of float16 is none of bfloat16: constants are rounded in both networks
            Tensor x = FusionParityTest.input(seed, dtype);
            Graph graph = network(seed, dtype, dtype);
            Graph wide = network(seed, dtype, DType.FLOAT32);
            Float16Tests.Ran expected = run(
                    where,
                    wide,
                    Map.of("x", x.to(DType.FLOAT32), BIG, large(dtype).to(DType.FLOAT32)));
            Float16Tests.Ran actual = run(where, graph, Map.of("x", x, BIG, large(dtype)));
            assertThat(actual.outputs()).hasSameSizeAs(expected.outputs());
            int number = seed;
            expected.outputs()
                    .forEach((name, tensor) -> assertThat(actual.output(name).toDoubleArray())
                            .as("%s of network %d", name, number)
                            .isEqualTo(tensor.to(dtype).toDoubleArray()));
        }
    }

    private static Graph network(int seed, DType rounded, DType dtype) {
        Ops ops = new FusionParityTest.Network(seed, rounded).nodes(2 + seed % STEPS);
        ops.output("product", largeProduct(ops, rounded));
        return rounded == dtype ? ops.build() : in(dtype, ops.build());
    }

    /** The same graph in another type. */
    private static Graph in(DType dtype, Graph graph) {
        Map<String, Tensor> constants = new HashMap<>();
        graph.constants()
                .forEach(
                        (name, tensor) -> constants.put(name, tensor.dtype().isFloating() ? tensor.to(dtype) : tensor));
        List<Graph.Input> inputs = graph.inputs().stream()
                .map(input -> new Graph.Input(
                        input.name(), new TensorType(dtype, input.type().shape())))
                .toList();
        return new Graph(graph.name(), inputs, graph.outputs(), graph.nodes(), constants, graph.source());
    }

    @ParameterizedTest
    @MethodSource("placesAndTypes")
    void saysSo(Where where, DType dtype) {
        Ops ops = Ops.graph("net");
        Graph graph = ops.output("y", ops.relu(largeProduct(ops, dtype))).build();
        Float16Tests.Ran ran = run(where, graph, Map.of(BIG, large(dtype)));
        assertThat(ran.output("y").dtype()).isEqualTo(dtype);
        assertThat(ran.nodes().values())
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT32))
                .filteredOn(entry -> entry.op().equals("MatMul"))
                .allSatisfy(entry -> {
                    assertThat(entry.reasons())
                            .anyMatch(reason -> reason.startsWith("in float32, in which a processor"));
                    assertThat(entry.variant()).isNotEqualTo("ref");
                });
    }

    /** Conversions of the network between the types are none, and integers are those of float32. */
    @ParameterizedTest
    @MethodSource("placesAndTypes")
    void conversionsOfTheNetwork(Where where, DType dtype) {
        Ops ops = Ops.graph("net");
        Edge product = largeProduct(ops, dtype);
        Edge wide = ops.cast(product, DType.FLOAT32).named("to32").y();
        Edge root = ops.sqrt(ops.abs(wide));
        Edge narrow = ops.cast(root, dtype).named("to16").y();
        Edge whole = ops.cast(ops.neg(narrow), DType.INT32).y();
        ops.output("root", root).output("narrow", narrow).output("whole", whole);
        Float16Tests.Ran ran = run(where, ops.build(), Map.of(BIG, large(dtype)));
        assertThat(Objects.requireNonNull(ran.nodes().get("to32")).fusedInto()).isNotEmpty();
        float[] roots = ran.output("root").toFloatArray();
        assertThat(ran.output("narrow").toDoubleArray())
                .isEqualTo(ran.output("root").to(dtype).toDoubleArray());
        int[] expected = new int[roots.length];
        for (int i = 0; i < roots.length; i++) {
            expected[i] = (int) -roots[i];
        }
        assertThat(ran.output("whole").toIntArray()).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void branches(Where where) {
        Ops then = Ops.graph("then");
        Graph branch = then.output("t", largeProduct(then, DType.FLOAT16)).build();
        Ops other = Ops.graph("otherwise");
        Graph otherwise = other.output("o", other.relu(other.input(BIG, TensorType.of(DType.FLOAT16, ROWS, SIDE))))
                .build();
        Graph graph = TestGraphs.builder()
                .input(BIG, DType.FLOAT16, ROWS, SIDE)
                .input("c", TensorType.of(DType.BOOL))
                .node(new Node(
                        "branch",
                        ControlFlow.IF,
                        List.of("c", BIG),
                        List.of("y"),
                        Map.of(),
                        Map.of(ControlFlow.THEN, branch, ControlFlow.ELSE, otherwise),
                        new SourceRef("net", "")))
                .output("y")
                .build();
        Tensor condition = Tensor.allocate(TensorType.of(DType.BOOL));
        condition.setLong(0, 1);
        Ops alone = Ops.graph("alone");
        Tensor expected = run(
                        where,
                        alone.output("y", largeProduct(alone, DType.FLOAT32)).build(),
                        Map.of(BIG, large(DType.FLOAT32)))
                .output("y");
        Tensor actual = run(where, graph, Map.of(BIG, large(DType.FLOAT16), "c", condition))
                .output("y");
        assertThat(actual.dtype()).isEqualTo(DType.FLOAT16);
        assertThat(actual.toDoubleArray()).isEqualTo(expected.to(DType.FLOAT16).toDoubleArray());
    }

    /** A constant for which there is no memory in float32 stays as it is, with the nodes that read it. */
    @ParameterizedTest
    @EnumSource
    void weightsBeyondTheMemory(Where where) {
        Ops ops = Ops.graph("net");
        Graph graph = ops.output("y", largeProduct(ops, DType.FLOAT16)).build();
        EngineOptions options = where == Where.CPU
                ? OPTIONS.withDevice(new DeviceChoice.Cpu())
                : OPTIONS.withDevice(new DeviceChoice.FirstOpenCl()).withChain(where == Where.CHAINED_PROCESSOR);
        Map<String, Tensor> inputs = Map.of(BIG, large(DType.FLOAT16));
        Tensor expected = run(where, graph, inputs).output("y");
        try (Engine small = Engine.open(options.withMemoryLimit(600_000))) {
            Float16Tests.Ran ran = Float16Tests.run(small, graph, inputs);
            assertThat(ran.nodes().values())
                    .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT16));
            assertThat(Float16Tests.error(expected, ran.output("y"))).isLessThanOrEqualTo(0x1p-10);
        }
    }

    /** A node that is converted may read a float32 that the network converts itself. */
    @ParameterizedTest
    @MethodSource("placesAndTypes")
    void scalesThatTheNetworkConverts(Where where, DType dtype) {
        Ops ops = Ops.graph("net");
        Edge product = largeProduct(ops, dtype);
        Edge mean = ops.cast(ops.mean(product).axis(0).keepDims(false).y(), DType.FLOAT32)
                .y();
        Tensor ones = Tensor.allocate(DType.FLOAT32, SIDE);
        for (int i = 0; i < SIDE; i++) {
            ones.setDouble(i, 1);
        }
        Edge one = ops.constant("one", ones);
        ops.output("y", ops.batchNorm(product, one, one, mean, one).y());
        Float16Tests.Ran ran = run(where, ops.build(), Map.of(BIG, large(dtype)));
        double sum = 0;
        for (double value : ran.output("y").toDoubleArray()) {
            sum += value - 1;
        }
        assertThat(sum / (ROWS * SIDE)).isCloseTo(0, within(0.05));
    }

    /** Few products, a device that is no processor, float16 that was asked for, and no rewriting. */
    @Test
    void othersStayAsTheyAre() {
        Ops ops = Ops.graph("net");
        Graph graph = ops.output("y", largeProduct(ops, DType.FLOAT16)).build();
        Map<String, Tensor> inputs = Map.of(BIG, large(DType.FLOAT16));
        EngineOptions cpu = OPTIONS.withDevice(new DeviceChoice.Cpu());
        try (Engine half = Engine.open(cpu.withPrecision(Precision.FLOAT16));
                Engine plain = Engine.open(cpu.withFusion(false));
                Engine gpu = Float16Tests.gpu(OPTIONS)) {
            for (Engine each : List.of(half, plain, gpu)) {
                assertThat(Float16Tests.run(each, graph, inputs).nodes().values())
                        .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT16));
            }
        }
        Ops small = Ops.graph("small");
        Edge x = small.input("x", TensorType.of(DType.FLOAT16, 8, 8));
        Graph few = small.output("y", small.matMul(x, x)).build();
        for (Where where : Where.values()) {
            assertThat(run(where, few, Map.of("x", TestGraphs.numbers(2, 8, 8).to(DType.FLOAT16)))
                            .nodes()
                            .values())
                    .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT16));
        }
    }
}
