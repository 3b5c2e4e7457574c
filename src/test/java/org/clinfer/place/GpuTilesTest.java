package org.clinfer.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSources;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Tiles of convolutions on a GPU of 132 compute units. */
class GpuTilesTest {

    private static final KernelCatalog KERNELS = KernelCatalog.of(OpCatalog.builtIn(), KernelSources.packaged());

    private final Map<String, Long> limits = new HashMap<>(Map.of(
            "max_mem_alloc_size", 35_250_000_000L,
            "global_mem_size", 141_000_000_000L,
            "max_work_group_size", 1024L,
            "local_mem_size", 49152L,
            "max_compute_units", 132L));

    /** A convolution of an image of {@code size} x {@code size}, padded to keep it, by a window of {@code window}. */
    private PlacedNode convolution(long batch, long channels, long size, long results, int window) {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, batch, channels, size, size));
        int pad = window / 2;
        try (Tensor weights = Tensor.allocate(TensorType.of(DType.FLOAT32, results, channels, window, window))) {
            ops.output(
                    "y",
                    ops.conv2d(x, ops.constant("w", weights))
                            .padding(pad, pad, pad, pad)
                            .y());
            Graph graph = ops.build();
            Map<String, TensorType> types = Map.of("x", TensorType.of(DType.FLOAT32, batch, channels, size, size));
            CheckedGraph checked =
                    Checker.check(new CheckRequest(graph, types), OpCatalog.builtIn(), ConstantEvaluator.NONE);
            DeviceFacts gpu = new DeviceFacts(
                    "Large", "Acme", "1", "Acme CL", "1.2", DeviceFacts.Kind.GPU, Set.of(), Map.copyOf(limits));
            return new Placer(KERNELS, Optional.of(gpu), node -> Optional.empty(), Map.of())
                    .place(checked)
                    .nodes()
                    .get(0);
        }
    }

    private static List<KernelLaunch> run(PlacedNode node) {
        return node.launches().orElseThrow().run();
    }

    private static String variant(PlacedNode node) {
        return node.variant().map(KernelVariant::name).orElse("none");
    }

    @Test
    void fewTilesShareTheirTermsWithinAWorkGroup() {
        List<KernelLaunch> four = run(convolution(1, 1024, 14, 256, 1));
        assertThat(four).hasSize(1);
        assertThat(four.get(0).options()).contains("-DTILE=32", "-DSLICES=4");
        assertThat(four.get(0).local()).containsExactly(8L, 8L, 4L);

        limits.put("local_mem_size", 32768L);
        List<KernelLaunch> two = run(convolution(1, 128, 28, 128, 1));
        assertThat(two.get(0).options()).contains("-DTILE=32", "-DSLICES=2");
        assertThat(two.get(0).local()).containsExactly(8L, 8L, 2L);
    }

    @Test
    void manyTilesAreLargeAndAloneInTheirWorkGroup() {
        KernelLaunch launch = run(convolution(64, 64, 56, 256, 1)).get(0);
        assertThat(launch.options())
                .contains("-DTILE=128", "-DITEM_REGISTERS=128", "-DSLICES=1", "-DX_QUADS=2", "-DY_QUADS=1");
        assertThat(launch.local()).containsExactly(16L, 16L, 1L);
    }

    @Test
    void registersOfSmallerTilesHaveNoLimit() {
        assertThat(run(convolution(64, 256, 56, 64, 1)).get(0).options()).contains("-DTILE=64", "-DITEM_REGISTERS=0");
    }

    @Test
    void pixelsAreReadByFoursWhereRowsOfThemAre() {
        assertThat(run(convolution(64, 64, 7, 256, 1)).get(0).options()).contains("-DX_QUADS=0", "-DY_QUADS=0");
        assertThat(run(convolution(1, 64, 8, 16, 3)).get(0).options()).contains("-DX_QUADS=0", "-DY_QUADS=1");
    }

    @Test
    void transformedValuesMayTakeAShareOfALargeMemory() {
        assertThat(variant(convolution(64, 64, 224, 64, 3))).isEqualTo("winograd4_groups");
        limits.put("global_mem_size", 24_000_000_000L);
        assertThat(variant(convolution(64, 64, 224, 64, 3))).isEqualTo("groups");
    }
}
