package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiFunction;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Types that a device refuses, and what they become where the numbers fit. */
class FixedTypesTest extends FixTests {

    @Test
    void typesAreChangedWhereTheDeviceAsks() {
        Graph graph = graph((ops, x) -> conv(ops, x, 16, 3, 1, 1, 1), 1, 16, 16, 16);
        assertThat(check(graph, "ascend310").summary().nodesOnDevice()).isZero();
        try (NetworkFix fix = fix(graph, "ascend310")) {
            assertThat(check(fix.network(), "ascend310").summary().nodesOnDevice())
                    .isEqualTo(1);
            assertThat(fix.network().inputs().get(0).type().dtype()).isEqualTo(DType.FLOAT16);
            assertThat(fix.applied()).singleElement().satisfies(applied -> {
                assertThat(applied.steps()).containsExactly(HalfNetwork.STEP);
                assertThat(applied.difference().largest()).isPositive();
                assertThat(applied.difference().fault()).isEmpty();
            });
        }
    }

    @Test
    void weightsThatFloat16DoesNotHoldKeepTheirType() {
        Tensor large = random(1, 16, 16, 1, 1);
        large.setDouble(7, 1e6);
        Graph graph = graph((ops, x) -> ops.conv2d(x, ops.constant("w", large)).y(), 1, 16, 8, 8);
        try (NetworkFix fix = fix(graph, "ascend310")) {
            assertThat(fix.applied()).isEmpty();
        }
    }

    /** Words as numbers of int64, their vectors, and what is computed of the numbers themselves. */
    static Graph words(BiFunction<Ops, Edge, Edge> numbers) {
        Ops ops = Ops.graph("net");
        Edge ids = ops.input("ids", TensorType.of(DType.INT64, 1, 6));
        Edge vectors = ops.gather(ops.constant("table", random(1, 30, 8)), ids).y();
        Edge last = ops.reshape(numbers.apply(ops, ids), 1, 6).y();
        return ops.output("vectors", vectors).output("numbers", last).build();
    }

    @Test
    void int64BecomesInt32WhereItsNumbersFit() {
        Graph graph = words((ops, ids) -> {
            Edge isWord = ops.cast(ops.equal(ids, ops.constant("end", Tensor.scalar(1L))), DType.INT64)
                    .y();
            Edge places = ops.cumSum(isWord, 1).y();
            return ops.add(ops.mul(ids, ops.constant("three", Tensor.scalar(3L))), places);
        });
        try (NetworkFix fix = fix(graph, "opencl-embedded")) {
            assertThat(fix.applied())
                    .singleElement()
                    .satisfies(applied -> assertThat(applied.steps()).containsExactly(Int32Network.STEP));
            assertThat(fix.difference().orElseThrow().fault()).isEmpty();
            assertThat(fix.network().inputs().get(0).type().dtype()).isEqualTo(DType.INT32);
            assertThat(check(fix.network(), "opencl-embedded").nodes())
                    .allMatch(node -> node.verdict() == Verdict.ON_DEVICE);
        }
    }

    /** Inputs may be any numbers of 32 bits where nothing selects by them. */
    @Test
    void int64StaysWhereItsNumbersMayNotFit() {
        List<BiFunction<Ops, Edge, Edge>> all = List.of(
                (ops, ids) -> ops.add(ids, ops.constant("far", Tensor.scalar(1L << 31))),
                (ops, ids) -> ops.mul(ids, ops.constant("far", Tensor.scalar(1L << 30))),
                (ops, ids) -> ops.cumSum(ops.mul(ids, ops.constant("far", Tensor.scalar(1L << 26))), 1)
                        .y(),
                (ops, ids) -> ops.cast(ops.exp(ops.cast(ids, DType.FLOAT32).y()), DType.INT64)
                        .y());
        for (BiFunction<Ops, Edge, Edge> numbers : all) {
            try (NetworkFix fix = fix(words(numbers), "opencl-embedded")) {
                assertThat(fix.applied()).isEmpty();
                assertThat(fix.network().inputs().get(0).type().dtype()).isEqualTo(DType.INT64);
            }
        }
    }
}
