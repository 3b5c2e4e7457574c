package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClBinding;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
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

    /** With sizes at which parts begin at a multiple of what devices ask for, and others at which they are copied. */
    @ParameterizedTest
    @CsvSource({"8, 8, 32, 64", "5, 7, 9, 24", "13, 11, 33, 17", "1, 1, 8, 16", "28, 28, 16, 96"})
    void branchesAreJoined(long height, long width, long first, long second) {
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

        List<String> alone = compare(graph, Map.of("x", random(5, 1, 400, height, width)));

        assertThat(alone).filteredOn("Conv2d"::equals).hasSizeLessThan(3);
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
}
