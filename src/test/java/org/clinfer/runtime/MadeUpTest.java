package org.clinfer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelSources;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Made-up inputs keep what a description says that they promise. */
class MadeUpTest {

    /** One row is cut off at the top, the next is promised to be 0, and so is the last column. */
    @Test
    void aPromisedBorderIsZero() {
        TensorType blocks = TensorType.of(DType.FLOAT32, 1, 1, 5, 6, 16);
        Map<String, Attribute> params =
                Map.of("zeros", Attribute.ofInts(1, 0, 0, 1), "crop", Attribute.ofInts(1, 1, 0, 0));
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", blocks)
                .constant("w", Tensor.of(new float[16 * 16], 16, 16, 1, 1))
                .node("BlockedConv", List.of("x", "w"), List.of("y"), params)
                .output("y")
                .build();
        KernelCatalog kernels = KernelCatalog.of(OpCatalog.builtIn(), KernelSources.packaged());
        PlacedNode node = new Placer(kernels, Optional.empty(), any -> Optional.empty(), Map.of())
                .place(Checker.check(
                        new CheckRequest(graph, Map.of("x", blocks)), OpCatalog.builtIn(), ConstantEvaluator.NONE))
                .nodes()
                .get(0);
        Tensor x = MadeUp.input(node, "x", blocks);
        for (int row = 0; row < 5; row++) {
            for (int column = 0; column < 6; column++) {
                double sum = 0;
                for (int lane = 0; lane < 16; lane++) {
                    sum += Math.abs(x.getDouble((row * 6L + column) * 16 + lane));
                }
                assertThat(sum == 0).isEqualTo(row < 2 || column == 5);
            }
        }
    }
}
