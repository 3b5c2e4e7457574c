package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers that float16 does not have, codes, and networks of any nodes. */
class Float16NumbersTest extends Float16Tests {

    @ParameterizedTest
    @EnumSource
    void numbersThatFloat16DoesNotHave(Where where) {
        Graph graph = net(ops -> {
            Edge x = input(ops, 2, 4);
            Edge mask = ops.mul(
                    ops.sub(ops.constant("one", Tensor.scalar(1f)), ops.input("m", TensorType.of(DType.FLOAT32, 2, 4))),
                    ops.constant("low", Tensor.scalar(-1e9f)));
            Edge masked = ops.op("Add", ops.mul(x, ops.constant("c", Tensor.scalar(0.5f))), mask)
                    .named("masked")
                    .y();
            Edge y = ops.softmax(masked).axis(1).named("softmax").y();
            Edge root = ops.op("Sqrt", ops.add(ops.mul(x, x), ops.constant("eps", Tensor.scalar(1e-12f))))
                    .named("root")
                    .y();
            return ops.output("y", y).output("z", ops.div(x, root));
        });
        Tensor m = floats(1, 0, 1, 0, 0, 0, 0, 0).reshaped(Shape.of(2, 4));
        Tensor x = floats(1, 2, 3, 0, 0, -1, 0.5, 4).reshaped(Shape.of(2, 4));
        Ran ran = close(where, graph, Map.of("x", x, "m", m));
        for (String node : List.of("masked", "softmax")) {
            assertThat(ran.precision(node)).isEqualTo(Precision.FLOAT32);
            assertThat(ran.reasons(node)).anyMatch(reason -> reason.contains("numbers beyond 65504"));
        }
        assertThat(ran.reasons("root")).anyMatch(reason -> reason.contains("so small that float16"));
    }

    /** Exponentials of numbers in float16 are computed so that they do not overflow within. */
    @ParameterizedTest
    @EnumSource
    void largeNumbersInSoftmaxAndNormalization(Where where) {
        Graph graph = net(ops -> {
            Edge x = input(ops, 3, 64);
            Edge softmax = ops.softmax(ops.mul(x, ops.constant("c", Tensor.scalar(100f))))
                    .axis(1)
                    .y();
            Edge norm = ops.layerNorm(x, ops.constant("s", scaled(TestGraphs.numbers(2, 64), 0.1)))
                    .bias(ops.constant("b", TestGraphs.numbers(3, 64)))
                    .y();
            return ops.output("softmax", softmax).output("norm", norm);
        });
        close(where, graph, Map.of("x", scaled(TestGraphs.numbers(6, 3, 64), 4)));
    }

    /** What a network computes beyond 65504 becomes an infinity. */
    @ParameterizedTest
    @EnumSource
    void resultsOverflow(Where where) {
        Graph graph = net(ops -> ops.output("y", ops.exp(input(ops, 3))));
        Ran ran = run(engine(where), graph, Map.of("x", floats(1, 11, 12)));
        assertThat(ran.output("y").getDouble(1)).isCloseTo(Math.exp(11), within(60.0));
        assertThat(ran.output("y").getDouble(2)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @EnumSource
    void codesStayAsTheyAre(Where where) {
        Graph graph = net(ops -> {
            Edge scale = ops.constant("s", Tensor.scalar(0.0123f));
            Edge zero = ops.constant("z", Tensor.allocate(TensorType.of(DType.UINT8)));
            Edge codes =
                    ops.quantizeLinear(input(ops, 2, 6), scale).zeroPoint(zero).y();
            return ops.output("codes", codes)
                    .output(
                            "y",
                            ops.dequantizeLinear(codes, scale).zeroPoint(zero).y());
        });
        equal(where, graph, Map.of("x", scaled(TestGraphs.numbers(1, 2, 6), 0.05)));
    }

    @ParameterizedTest
    @EnumSource
    void productsWithCodesStayInFloat32(Where where) {
        Tensor codes = Tensor.allocate(DType.UINT8, 3, 2, 8);
        for (int i = 0; i < codes.elements(); i++) {
            codes.setLong(i, 37 * i % 256);
        }
        Graph graph = TestGraphs.builder()
                .input("x", DType.FLOAT32, 2, 32)
                .constant("b", codes)
                .constant("scales", scaled(TestGraphs.numbers(7, 3, 2), 0.01))
                .node("MatMulNBits", List.of("x", "b", "scales"), List.of("p"), Map.of("block_size", Attribute.of(16)))
                .node("Sigmoid", List.of("p"), List.of("y"), Map.of())
                .output("y")
                .build();
        Ran ran = close(where, graph, Map.of("x", scaled(TestGraphs.numbers(1, 2, 32), 0.02)));
        assertThat(ran.nodes().values())
                .filteredOn(entry -> entry.op().equals("MatMulNBits"))
                .hasSize(1)
                .allSatisfy(entry -> assertThat(entry.precision()).contains(Precision.FLOAT32))
                .allSatisfy(entry ->
                        assertThat(entry.reasons()).contains("in float32: it computes with codes of 8 bits or less"));
    }

    /** Random networks of convolutions and what stands around them; the largest error that was seen is 1.1e-3. */
    @ParameterizedTest
    @EnumSource
    void randomNetworks(Where where) {
        for (long seed = 0; seed < 25; seed++) {
            Graph graph = new FusionParityTest.Network(seed, DType.FLOAT32).build(2 + (int) (seed % 9));
            Map<String, Tensor> inputs = Map.of("x", FusionParityTest.input(seed, DType.FLOAT32));
            Ran ran = close(where, graph, inputs);
            assertThat(ran.nodes().keySet())
                    .isEqualTo(run(reference, graph, inputs).nodes().keySet());
        }
    }
}
