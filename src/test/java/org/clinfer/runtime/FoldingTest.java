package org.clinfer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.WorkBudget;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.run.HostOperators;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much of what is known beforehand is computed beforehand. */
class FoldingTest {

    private static final int SIZE = 600;
    private static final int PRODUCTS = 10;

    @AfterEach
    void forget() {
        System.clearProperty(WorkBudget.PROPERTY);
    }

    /** One product after the other, each of the same work. */
    private static Ops products() {
        Ops ops = Ops.graph("products");
        Edge factor = ops.constant("factor", Tensor.allocate(TensorType.of(DType.FLOAT32, SIZE, SIZE)));
        Edge product = factor;
        for (int i = 0; i < PRODUCTS; i++) {
            product = ops.matMul(product, factor);
        }
        ops.output("y", product);
        return ops;
    }

    private record Folded(int nodes, long spent) {}

    private static Folded fold(Graph graph, long limit) {
        OpCatalog catalog = OpCatalog.builtIn();
        try (Parallel parallel = Parallel.of(1)) {
            long own = Tensor.bytes(graph.constants().values());
            Folding folding = new Folding(new HostOperators(catalog, CpuOperators.builtIn()), parallel, limit, own, 0);
            CheckedGraph checked = Checker.check(new CheckRequest(graph, Map.of()), catalog, folding);
            return new Folded(checked.folded().size(), folding.spent());
        }
    }

    @Test
    void foldingEndsWhereItIsTooMuchWork() {
        long each = (long) SIZE * SIZE * SIZE;
        Folded folded = fold(products().build(), Long.MAX_VALUE);
        assertThat(folded.nodes()).isBetween(1, PRODUCTS - 1);
        assertThat(folded.spent()).isBetween(folded.nodes() * each, (folded.nodes() + 1) * each);
        System.setProperty(WorkBudget.PROPERTY, "4");
        assertThat(fold(products().build(), Long.MAX_VALUE).nodes()).isEqualTo(PRODUCTS);
    }

    /** Shapes may depend on few elements, which are folded however much was spent before. */
    @Test
    void fewElementsSpendNothing() {
        Ops ops = Ops.graph("sizes");
        ops.output("sizes", ops.abs(ops.constant("small", Tensor.of(new float[] {-3, 4}, 2))));
        assertThat(fold(ops.build(), Long.MAX_VALUE)).isEqualTo(new Folded(1, 0));
    }

    @Test
    void foldingEndsWhereThereIsNoMemory() {
        long bytes = 4L * SIZE * SIZE;
        assertThat(fold(products().build(), 3 * bytes).nodes()).isEqualTo(2);
    }

    /** Weights that are unpacked for a node which takes them packed would be kept for nothing. */
    @Test
    void largeResultsOfDequantizationWait() {
        Ops ops = Ops.graph("unpacked");
        Edge scale = ops.constant("scale", Tensor.of(new float[] {0.5f}, 1));
        for (int size : new int[] {2, SIZE}) {
            Tensor packed = Tensor.allocate(TensorType.of(DType.INT8, size, size));
            packed.setLong(size + 1, -7);
            ops.output(
                    "y" + size,
                    ops.dequantizeLinear(ops.constant("packed" + size, packed), scale)
                            .y());
        }
        Graph graph = ops.build();
        OpCatalog catalog = OpCatalog.builtIn();
        try (Parallel parallel = Parallel.of(1)) {
            Folding folding =
                    new Folding(new HostOperators(catalog, CpuOperators.builtIn()), parallel, Long.MAX_VALUE, 1, 0);
            Map<String, Tensor> folded = Checker.check(new CheckRequest(graph, Map.of()), catalog, folding)
                    .folded();
            Tensor large = Objects.requireNonNull(folded.get("y" + SIZE));
            assertThat(Objects.requireNonNull(folded.get("y2")).isDeferred()).isFalse();
            assertThat(large.isDeferred() && !large.isStored()).isTrue();
            assertThat(large.getDouble(SIZE + 1)).isEqualTo(-3.5);
            assertThat(large.getDouble(SIZE)).isZero();
        }
    }

    @Test
    void workIsAboutWhatTheOperatorCounts() {
        Graph small = products().build();
        OpCatalog catalog = OpCatalog.builtIn();
        CheckedGraph checked = Checker.check(new CheckRequest(small, Map.of()), catalog, ConstantEvaluator.NONE);
        assertThat(checked.nodes())
                .hasSize(PRODUCTS)
                .allSatisfy(node ->
                        assertThat(FoldingWork.of(node)).isBetween((long) SIZE * SIZE * SIZE, 2L * SIZE * SIZE * SIZE));
        assertThat(FoldingWork.LINEAR)
                .allSatisfy(name -> assertThat(catalog.find(name)).as(name).isPresent());
    }
}
