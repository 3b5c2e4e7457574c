package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Networks in float16: which of their nodes are computed in it, and which stay as they are. */
class Float16Test extends Float16Tests {

    @ParameterizedTest
    @EnumSource
    void productsAndSoftmax(Where where) {
        Ran ran = close(where, TestGraphs.products(), Map.of("x", scaled(TestGraphs.numbers(9, 6, 24), 0.1)));
        assertThat(ran.nodes().values())
                .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT16));
    }

    @ParameterizedTest
    @EnumSource
    void convolutionsOfAnySize(Where where) {
        Graph graph = TestGraphs.convolutions();
        for (long size : new long[] {20, 33}) {
            Ran ran = close(where, graph, Map.of("x", scaled(TestGraphs.numbers(size, 1, 3, size, 24), 0.02)));
            assertThat(ran.nodes().values())
                    .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT16));
        }
    }

    /** One session plans for each size that comes. */
    @ParameterizedTest
    @EnumSource
    void sizesThatAreOpen(Where where) {
        try (Model model = engine(where).load(TestGraphs.rectifier(4));
                Session session = model.session()) {
            for (int batch : new int[] {1, 3, 2, 3}) {
                Tensor x = TestGraphs.numbers(batch, batch, 4);
                try (Result result = session.run(Map.of("x", x))) {
                    // whole numbers up to 150 are exact in float16
                    assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
                }
            }
            assertThat(session.plansMade()).isEqualTo(3);
        }
    }

    /** Rows of a table by their numbers; the numbers themselves stay integers. */
    @ParameterizedTest
    @EnumSource
    void integersAsInputs(Where where) {
        Graph graph = net(ops -> {
            Edge ids = ops.input("ids", TensorType.of(DType.INT64, 5));
            Edge rows = ops.gather(ops.constant("table", scaled(TestGraphs.numbers(1, 3000, 8), 0.1)), ids)
                    .y();
            Edge y = ops.matMul(rows, ops.constant("w", scaled(TestGraphs.numbers(2, 8, 4), 0.1)));
            return ops.output("y", y).output("more", ops.add(ids, ops.constant("one", Tensor.scalar(1L))));
        });
        Tensor ids = Tensor.of(new long[] {2999, 0, 2049, 7, 2051}, 5);
        Ran ran = close(where, graph, Map.of("ids", ids));
        assertThat(ran.output("more").getLong(2)).isEqualTo(2050);
        assertThat(ran.nodes().values())
                .filteredOn(entry -> entry.op().equals("Add"))
                .allSatisfy(entry -> assertThat(entry.precision()).isEmpty());
    }

    /** Positions beyond 2048 are no numbers of float16. */
    @ParameterizedTest
    @EnumSource
    void whatIsComputedOfIntegersStaysInFloat32(Where where) {
        Graph graph = net(ops -> {
            Edge ids = ops.input("ids", TensorType.of(DType.INT64, 3, 1));
            Edge angle = ops.matMul(
                    ops.cast(ids, DType.FLOAT32).y(), ops.constant("f", scaled(TestGraphs.numbers(1, 1, 4), 0.01)));
            Edge x = input(ops, 3, 4);
            return ops.output("y", ops.mul(ops.op("Sin", angle).named("sine").y(), ops.relu(x)));
        });
        Tensor ids = Tensor.of(new long[] {30001, 4097, 12}, 3, 1);
        Ran ran = close(where, graph, Map.of("ids", ids, "x", TestGraphs.numbers(3, 3, 4)));
        assertThat(ran.precision("sine")).isEqualTo(Precision.FLOAT32);
        assertThat(ran.reasons("sine")).anyMatch(reason -> reason.contains("in float32: it is computed of integers"));
    }

    @ParameterizedTest
    @EnumSource
    void whatBecomesIntegersStaysInFloat32(Where where) {
        Graph graph = net(ops -> {
            Edge sums = ops.matMul(input(ops, 2, 3), ops.constant("w", TestGraphs.numbers(1, 3, 2)));
            Edge y = ops.cast(
                            ops.op("Floor", ops.mul(sums, ops.constant("c", Tensor.scalar(100f))))
                                    .named("floor")
                                    .y(),
                            DType.INT32)
                    .y();
            return ops.output("y", y);
        });
        Ran ran = run(engine(where), graph, Map.of("x", TestGraphs.numbers(5, 2, 3)));
        assertThat(ran.precision("floor")).isEqualTo(Precision.FLOAT32);
        assertThat(ran.reasons("floor")).anyMatch(reason -> reason.contains("integers or float64 are made of it"));
        // sums of whole numbers below 2048 are exact in float16; a hundred times as much is not
        Tensor expected =
                run(reference, graph, Map.of("x", TestGraphs.numbers(5, 2, 3))).output("y");
        for (int i = 0; i < 4; i++) {
            if (Math.abs(expected.getLong(i)) < 100 * 2048) {
                assertThat(ran.output("y").getLong(i)).isEqualTo(expected.getLong(i));
            }
        }
    }

    private static Graph body(UnaryOperator<GraphBuilder> nodes) {
        return nodes.apply(TestGraphs.builder()).build();
    }

    @ParameterizedTest
    @EnumSource
    void branchesAndLoops(Where where) {
        Tensor half = Tensor.scalar(0.3f);
        Graph then = body(b -> b.input("x", DType.FLOAT32, 2, 3)
                .constant("h", half)
                .node("Mul", List.of("x", "h"), List.of("t"), Map.of())
                .output("t"));
        Graph otherwise = body(b -> b.input("x", DType.FLOAT32, 2, 3)
                .node("Sigmoid", List.of("x"), List.of("e"), Map.of())
                .output("e"));
        Graph loop = body(b -> b.input("i", TensorType.of(DType.INT64))
                .input("go", TensorType.of(DType.BOOL))
                .input("s", DType.FLOAT32, 2, 3)
                .constant("h", half)
                .node("Identity", List.of("go"), List.of("on"), Map.of())
                .node("Add", List.of("s", "h"), List.of("a"), Map.of())
                .node("Tanh", List.of("a"), List.of("n"), Map.of())
                .output("on")
                .output("n")
                .output("a"));
        SourceRef source = new SourceRef("net", "");
        Graph graph = TestGraphs.builder()
                .input("x", DType.FLOAT32, 2, 3)
                .input("c", TensorType.of(DType.BOOL))
                .constant("times", Tensor.scalar(3L))
                .node(new Node(
                        "branch",
                        ControlFlow.IF,
                        List.of("c", "x"),
                        List.of("b"),
                        Map.of(),
                        Map.of(ControlFlow.THEN, then, ControlFlow.ELSE, otherwise),
                        source))
                .node(new Node(
                        "loop",
                        ControlFlow.LOOP,
                        List.of("times", "", "b"),
                        List.of("y", "all"),
                        Map.of(ControlFlow.STATES, Attribute.of(1)),
                        Map.of(ControlFlow.BODY, loop),
                        source))
                .output("y")
                .output("all")
                .build();
        for (long taken : new long[] {0, 1}) {
            Tensor condition = Tensor.allocate(TensorType.of(DType.BOOL));
            condition.setLong(0, taken);
            Ran ran = close(where, graph, Map.of("x", scaled(TestGraphs.numbers(4, 2, 3), 0.03), "c", condition));
            assertThat(ran.outputs()).containsOnlyKeys("y", "all");
        }
    }

    /** An input, a constant, a value that others use as well, and the same value twice. */
    @ParameterizedTest
    @EnumSource
    void outputsOfEveryKind(Where where) {
        Graph graph = TestGraphs.builder()
                .input("x", DType.FLOAT32, 2, 3)
                .constant("c", scaled(TestGraphs.numbers(3, 2, 3), 1e-4))
                .node("Add", List.of("x", "c"), List.of("a"), Map.of())
                .node("Relu", List.of("a"), List.of("b"), Map.of())
                .node("Reshape", List.of("b", "sizes"), List.of("d"), Map.of())
                .constant("sizes", Tensor.of(new long[] {3, 2}, 2))
                .output("x")
                .output("c")
                .output("a")
                .output("b")
                .output("d")
                .build();
        Tensor x = scaled(TestGraphs.numbers(8, 2, 3), 1.0 / 3);
        Ran ran = close(where, graph, Map.of("x", x));
        assertThat(ran.nodes().values())
                .hasSize(3)
                .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT16));
        assertThat(ran.output("x").toFloatArray()).isEqualTo(x.toFloatArray());
        assertThat(ran.output("c").toFloatArray())
                .isEqualTo(Objects.requireNonNull(graph.constants().get("c")).toFloatArray());
    }

    /** A network that only moves elements is not rounded. */
    @ParameterizedTest
    @EnumSource
    void movesAloneStayAsTheyAre(Where where) {
        Graph graph = net(ops -> ops.output(
                "y",
                ops.transpose(ops.reshape(input(ops, 4, 6), 2, 12).y())
                        .perm(1, 0)
                        .y()));
        equal(where, graph, Map.of("x", scaled(TestGraphs.numbers(1, 4, 6), 0.1)));
    }

    @ParameterizedTest
    @EnumSource
    void networksInOtherTypesStayAsTheyAre(Where where) {
        for (DType dtype : List.of(DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16)) {
            Graph graph = net(ops -> {
                Edge x = ops.input("x", TensorType.of(dtype, 2, 3));
                return ops.output(
                        "y",
                        ops.sigmoid(
                                ops.mul(x, ops.constant("c", Tensor.scalar(0.3f).to(dtype)))));
            });
            Ran ran = run(
                    engine(where),
                    graph,
                    Map.of("x", TestGraphs.numbers(1, 2, 3).to(dtype)));
            try (Engine plain = Engine.open(
                    OPTIONS.withDevice(where == Where.CPU ? new DeviceChoice.Cpu() : new DeviceChoice.FirstOpenCl())
                            .withPrecision(Precision.FLOAT32))) {
                Tensor expected = run(
                                plain,
                                graph,
                                Map.of("x", TestGraphs.numbers(1, 2, 3).to(dtype)))
                        .output("y");
                assertThat(error(expected, ran.output("y")))
                        .isLessThanOrEqualTo(dtype == DType.FLOAT64 ? 1e-12 : 0x1p-8);
                assertThat(ran.output("y").dtype()).isEqualTo(dtype);
            }
        }
    }

    /** A network with some float16 says itself what has to be in float32. */
    @ParameterizedTest
    @EnumSource
    void networksWithFloat16OfTheirOwnAreLeftAsTheyAre(Where where) {
        Graph graph = net(ops -> {
            Edge x = ops.input("x", TensorType.of(DType.FLOAT16, 2, 3));
            Edge wide = ops.op("Exp", ops.cast(ops.relu(x), DType.FLOAT32).y())
                    .named("wide")
                    .y();
            return ops.output("y", wide);
        });
        Ran ran = close(
                where,
                graph,
                Map.of("x", floats(1, 2, 3, 10, 11, 12).to(DType.FLOAT16).reshaped(Shape.of(2, 3))));
        assertThat(ran.precision("wide")).isEqualTo(Precision.FLOAT32);
        assertThat(ran.reasons("wide")).anyMatch(reason -> reason.contains("the network says itself"));
    }

    /** Conversions of the model between float16 and float32 are none where there is float16 on both sides. */
    @ParameterizedTest
    @EnumSource
    void conversionsOfTheModel(Where where) {
        Graph graph = net(ops -> {
            Edge x = ops.input("x", TensorType.of(DType.FLOAT16, 2, 3));
            Edge a = ops.sigmoid(ops.cast(x, DType.FLOAT32).named("to32").y());
            Edge b = ops.cast(a, DType.FLOAT16).named("to16").y();
            Edge c = ops.sqrt(ops.cast(b, DType.FLOAT32).named("back").y());
            Edge bytes = ops.cast(ops.mul(c, ops.constant("factor", Tensor.scalar(200f))), DType.UINT8)
                    .y();
            Edge last = ops.cast(ops.relu(ops.cast(bytes, DType.FLOAT32).y()), DType.FLOAT16)
                    .y();
            return ops.output("half", b).output("c", c).output("bytes", bytes).output("last", last);
        });
        Tensor x = scaled(TestGraphs.numbers(3, 2, 3), 0.05).to(DType.FLOAT16);
        Ran expected = run(reference, graph, Map.of("x", x));
        Ran ran = run(engine(where), graph, Map.of("x", x));
        for (String name : List.of("half", "c")) {
            assertThat(ran.output(name).type()).isEqualTo(expected.output(name).type());
            assertThat(error(expected.output(name), ran.output(name))).isLessThanOrEqualTo(BOUND);
        }
        for (int i = 0; i < 6; i++) {
            // truncated: one less, or one more, where it is close to a whole number
            assertThat(ran.output("bytes").getLong(i))
                    .isBetween(
                            expected.output("bytes").getLong(i) - 1,
                            expected.output("bytes").getLong(i) + 1);
            assertThat(ran.output("last").getDouble(i))
                    .isEqualTo((double) ran.output("bytes").getLong(i));
        }
        assertThat(ran.nodes()).containsKeys("to32", "to16", "back");
        assertThat(List.of("to32", "back"))
                .allSatisfy(cast -> assertThat(
                                Objects.requireNonNull(ran.nodes().get(cast)).fusedInto())
                        .as(cast)
                        .isNotEmpty());
    }
}
