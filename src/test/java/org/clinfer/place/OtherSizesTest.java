package org.clinfer.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelSources;
import org.clinfer.place.PlacedNode.Target;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks and places of one graph for inputs of many sizes, each after the one before and by itself. */
class OtherSizesTest {

    private static final KernelCatalog KERNELS = KernelCatalog.of(OpCatalog.builtIn(), KernelSources.packaged());
    private static final long LARGEST = 4096;

    /** A part that no size changes, one that grows, and one that takes the number of rows as a constant. */
    private static final Graph GRAPH = new GraphBuilder("net", new SourceRef("net", ""))
            .input("x", DType.FLOAT32, 2, 16)
            .input("w", DType.FLOAT32, 16)
            .input("k", DType.INT64, 2)
            .node("Relu", List.of("w"), List.of("r"), Map.of())
            .node("Add", List.of("x", "r"), List.of("y"), Map.of())
            .node("Shape", List.of("x"), List.of("sizes"), Map.of())
            .node("Mul", List.of("k", "sizes"), List.of("z"), Map.of())
            .output("y")
            .output("z")
            .build();

    private final Placer placer = placer();

    private static Placer placer() {
        Map<String, Long> limits = Map.of("max_mem_alloc_size", LARGEST, "max_compute_units", 4L);
        DeviceFacts facts =
                new DeviceFacts("Toaster", "Acme", "1", "Acme CL", "1.2", DeviceFacts.Kind.CPU, Set.of(), limits);
        return new Placer(KERNELS, Optional.of(facts), node -> Optional.empty(), Map.of());
    }

    private static CheckedGraph check(long rows, @Nullable CheckedGraph earlier) {
        Map<String, TensorType> types = Map.of(
                "x", TensorType.of(DType.FLOAT32, rows, 16),
                "w", TensorType.of(DType.FLOAT32, 16),
                "k", TensorType.of(DType.INT64, 2));
        CheckRequest request = new CheckRequest(GRAPH, types, Map.of(), Map.of(), Optional.ofNullable(earlier));
        return Checker.check(request, OpCatalog.builtIn(), ConstantEvaluator.NONE);
    }

    private static CheckedNode node(CheckedGraph graph, String op) {
        return graph.nodes().stream()
                .filter(node -> node.node().op().equals(op))
                .findFirst()
                .orElseThrow();
    }

    private static List<Object> facts(CheckedGraph graph) {
        return List.of(
                graph.types(),
                graph.walked(),
                graph.nodes().stream().map(CheckedNode::configuration).toList(),
                Objects.requireNonNull(graph.constants().get("sizes")).getLong(0),
                graph.constants().keySet());
    }

    private static List<Object> facts(PlacedGraph placed) {
        return placed.nodes().stream()
                .<Object>map(node -> List.of(node.target(), node.variant(), node.launches(), node.reasons()))
                .toList();
    }

    @Test
    void nodesWhoseInputsAreTheSameAreTakenOver() {
        CheckedGraph small = check(2, null);
        CheckedGraph large = check(5, small);
        assertThat(node(large, "Relu")).isSameAs(node(small, "Relu"));
        assertThat(node(large, "Add")).isNotSameAs(node(small, "Add"));
        assertThat(node(large, "Mul"))
                .as("its constant has another value of the same type")
                .isNotSameAs(node(small, "Mul"));
        assertThat(placer.place(large).nodes().get(0))
                .isSameAs(placer.place(check(3, large)).nodes().get(0));
    }

    /** The device allocates 64 rows at most; the others are the CPU's. */
    @Test
    void growingAndShrinkingIsAsFromTheStart() {
        CheckedGraph earlier = null;
        for (long rows : new long[] {2, 63, 64, 65, 1, 500, 64, 2}) {
            earlier = check(rows, earlier);
            CheckedGraph alone = check(rows, null);
            assertThat(facts(earlier)).isEqualTo(facts(alone));
            PlacedGraph placed = placer.place(earlier);
            assertThat(facts(placed)).isEqualTo(facts(placer().place(alone)));
            assertThat(placed.nodes().get(1).target()).isEqualTo(rows <= 64 ? Target.DEVICE : Target.CPU);
        }
    }
}
