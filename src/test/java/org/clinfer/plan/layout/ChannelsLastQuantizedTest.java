package org.clinfer.plan.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelSources;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.Placer;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class ChannelsLastQuantizedTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    private static Tensor scale() {
        Tensor scale = Tensor.allocate(DType.FLOAT32);
        scale.setDouble(0, 0.5);
        return scale;
    }

    @Test
    void sumsWithConstantsStay() {
        GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", ""));
        builder.input("x", DType.INT8, 1, 8, 6, 6);
        builder.constant("three", Tensor.allocate(DType.INT8, 1, 8, 6, 6));
        for (String of : List.of("x", "three", "y")) {
            builder.constant(of + "_zero", Tensor.allocate(DType.INT8));
            builder.constant(of + "_scale", scale());
        }
        List<String> inputs =
                List.of("x", "three", "x_zero", "three_zero", "x_scale", "three_scale", "y_scale", "y_zero");
        builder.node("y", "QuantizedAdd", inputs, List.of("y"), Map.of());
        builder.output("y");
        Graph graph = builder.build();
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph, Map.of("x", graph.inputs().get(0).type())), CATALOG, ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        KernelCatalog kernels = KernelCatalog.of(CATALOG, KernelSources.packaged());
        Placer placer = new Placer(
                kernels,
                Optional.of(SomeProcessor.FACTS),
                node -> Optional.empty(),
                node -> List.of(),
                Map.of(),
                false);
        PlacedGraph placed = placer.place(checked);

        PlacedGraph turned = new ChannelsLastQuantized(CATALOG, placer).apply(placed);

        assertThat(turned.nodes()).extracting(node -> node.op()).containsExactly("QuantizedAdd");
    }
}
