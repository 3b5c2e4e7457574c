package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is fused for GPUs alone, on a device that says it is one and whose fresh memory is NaN, against the CPU. */
@RequiresOpenCl
class GpuFusionParityTest {

    private static final int UNITS = 64;

    private static Tensor random(long seed, long... sizes) {
        Random random = new Random(seed);
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 2 * random.nextDouble() - 1);
        }
        return tensor;
    }

    /** Runs the graph twice in either place; hands back the operators that run on the device by themselves. */
    private static List<String> compare(Graph graph, Map<String, Tensor> inputs) {
        try (ConformanceEngine gpu = ConformanceEngine.gpu(UNITS, ClBinding.LWJGL);
                ConformanceEngine cpu = ConformanceEngine.nodesAlone()) {
            List<List<String>> alone = new ArrayList<>();
            cpu.run(
                    graph,
                    inputs,
                    (expected, ignored) -> gpu.run(graph, inputs, (outputs, placement) -> {
                        expected.forEach((name, tensor) -> assertThat(TensorComparison.difference(
                                        tensor, Objects.requireNonNull(outputs.get(name)), Tolerance.DEFAULT))
                                .as(name)
                                .isEmpty());
                        alone.add(placement.stream()
                                .filter(entry -> entry.target() == Placement.Target.DEVICE
                                        && entry.fusedInto().isEmpty())
                                .map(Placement.Entry::op)
                                .toList());
                    }));
            return alone.get(0);
        }
    }

    /** With sizes at which parts begin at a multiple of what devices ask for, and others at which the last one is copied. */
    @ParameterizedTest
    @CsvSource({"8, 8, 32, 64", "5, 7, 128, 24", "13, 11, 128, 17", "1, 1, 128, 16", "28, 28, 16, 96"})
    void branchesAreJoined(long height, long width, long first, long second) {
        assertThat(convolutionsOfBranches(height, width, first, second)).isLessThan(3);
    }

    /** With sizes at which two parts would be copied, one launch each. */
    @ParameterizedTest
    @CsvSource({"5, 7, 9, 24", "13, 11, 33, 17", "1, 1, 8, 16"})
    void branchesStayWhereCopiesAreAsManyLaunches(long height, long width, long first, long second) {
        assertThat(convolutionsOfBranches(height, width, first, second)).isEqualTo(3);
    }

    /** The number of convolutions that are left of three of one value. */
    private static long convolutionsOfBranches(long height, long width, long first, long second) {
        Ops ops = Ops.graph("branches");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 400, height, width));
        Edge a = ops.conv2d(x, ops.constant("v", random(1, first, 400, 1, 1)))
                .bias(ops.constant("b", random(2, first)))
                .y();
        Edge b = ops.conv2d(x, ops.constant("w", random(3, second, 400, 1, 1))).y();
        Edge c = ops.conv2d(x, ops.constant("u", random(4, 19, 400, 1, 1))).y();
        Edge gathered = ops.concat(List.of(ops.neg(a), b)).axis(1).y();
        ops.output("a", a);
        ops.output("gathered", gathered);
        ops.output("c", ops.neg(c));
        Graph graph = ops.build();

        return compare(graph, Map.of("x", random(5, 1, 400, height, width))).stream()
                .filter("Conv2d"::equals)
                .count();
    }

    @Test
    void windowsOfBranchesAreJoined() {
        Ops ops = Ops.graph("windows");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 5, 9, 10));
        Edge a = ops.conv2d(x, ops.constant("v", random(1, 11, 5, 3, 3)))
                .padding(1, 1, 1, 1)
                .y();
        Edge b = ops.conv2d(x, ops.constant("w", random(2, 13, 5, 3, 3)))
                .padding(1, 1, 1, 1)
                .y();
        ops.output("a", a);
        ops.output("b", ops.sigmoid(b));
        Graph graph = ops.build();

        assertThat(compare(graph, Map.of("x", random(3, 1, 5, 9, 10)))).contains("Conv2d");
    }

    /** With sizes that four divides and others, of heads that are cut from one product, and of one that is split. */
    @ParameterizedTest
    @CsvSource({"1, 16, 3, 64", "2, 13, 2, 11", "1, 33, 1, 36", "1, 12, 4, 12", "3, 70, 2, 21"})
    void attentionReadsAndWritesInPlace(long batch, long tokens, long heads, long width) {
        Ops ops = Ops.graph("attention");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, batch, tokens, 3 * heads * width));
        Edge all = ops.transpose(ops.reshape(x, batch, tokens, 3, heads, width).y())
                .perm(2, 0, 3, 1, 4)
                .y();
        Edge q = ops.gather(all, ops.constant("0", index(0))).axis(0).y();
        Edge k = ops.gather(all, ops.constant("1", index(1))).axis(0).y();
        Edge v = ops.gather(all, ops.constant("2", index(-1))).axis(0).y();
        Edge scores = ops.mul(
                ops.matMul(q, ops.transpose(k).perm(0, 1, 3, 2).y()),
                ops.constant("s", Tensor.of(new float[] {0.3f}, 1)));
        Edge shares = ops.softmax(scores).axis(-1).flatten(false).y();
        Edge y = ops.transpose(ops.matMul(shares, v)).perm(0, 2, 1, 3).y();
        ops.output("y", ops.reshape(y, batch, tokens, heads * width).y());
        Graph graph = ops.build();

        List<String> alone = compare(graph, Map.of("x", random(6, batch, tokens, 3 * heads * width)));

        assertThat(alone).contains("MatMul").doesNotContain("Transpose", "Mul");
    }

    private static Tensor index(long value) {
        Tensor tensor = Tensor.allocate(DType.INT64);
        tensor.setLong(0, value);
        return tensor;
    }

    @Test
    void factorsAndPartsReachTheProduct() {
        Ops ops = Ops.graph("parts");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 2, 9, 30));
        List<Edge> parts = ops.split(x).axis(2).split(11, 8, 11).y(3);
        Edge left = ops.div(parts.get(0), ops.constant("d", Tensor.of(new float[] {4}, 1)));
        Edge right = ops.transpose(parts.get(2)).perm(0, 2, 1).y();
        ops.output("y", ops.matMul(left, right));
        ops.output("z", ops.neg(parts.get(1)));
        Graph graph = ops.build();

        assertThat(compare(graph, Map.of("x", random(7, 2, 9, 30)))).doesNotContain("Div", "Transpose");
    }

    /** Of products with many terms, whose sums two launches make, and with few. */
    @ParameterizedTest
    @CsvSource({"13, 20, 33", "9, 300, 17", "1, 40, 64"})
    void geluFollowsASum(long rows, long terms, long columns) {
        Ops ops = Ops.graph("gelu");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, rows, terms));
        Edge product = ops.matMul(x, ops.constant("w", random(8, terms, columns)));
        ops.output(
                "y",
                ops.gelu(ops.add(product, ops.constant("b", random(9, columns))))
                        .y());
        Graph graph = ops.build();

        List<String> alone = compare(graph, Map.of("x", random(10, 1, rows, terms)));

        assertThat(alone.contains("Gelu")).isEqualTo(rows <= 8);
    }
}
