package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fused nodes as the user of a model sees them. */
class FusionTest {

    private static final EngineOptions CPU = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());

    /** A block of a residual network for any batch: whole numbers, and so small that all sums are exact. */
    private static Graph block() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input(
                "x",
                new TensorType(
                        DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(16), Dim.of(5), Dim.of(6)))));
        Edge first = ops.conv2d(x, ops.constant("w", TestGraphs.numbers(1, 16, 16, 3, 3)))
                .padding(1, 1, 1, 1)
                .named("conv1")
                .y();
        Edge normal = ops.batchNorm(
                        first,
                        ops.constant(
                                "scale", Tensor.of(new float[] {2, 1, -1, 2, 1, 1, 1, 1, 2, 1, -1, 2, 1, 1, 1, 1}, 16)),
                        ops.constant("shift", TestGraphs.numbers(4, 16)),
                        ops.constant("mean", TestGraphs.numbers(5, 16)),
                        ops.constant(
                                "variance",
                                Tensor.of(new float[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 16)))
                .epsilon(0)
                .named("norm1")
                .y();
        Edge kept = ops.dropout(ops.relu(normal).named("relu1")).named("drop1").y();
        Edge second = ops.conv2d(kept, ops.constant("v", TestGraphs.numbers(2, 16, 16, 1, 1)))
                .named("conv2")
                .y();
        Edge sum = ops.add(x, second).named("sum");
        return ops.output("y", ops.clip(sum).min(-100).named("clip").y()).build();
    }

    private static List<String> lines(Placement placement) {
        return placement.nodes().stream()
                .map(entry -> entry.node() + (entry.fusedInto().isEmpty() ? "" : " in " + entry.fusedInto()))
                .toList();
    }

    private static float[] run(Engine engine, Graph graph, Tensor x) {
        try (Session session = engine.load(graph).session();
                Result result = session.run(Map.of("x", x))) {
            return result.get("y").toFloatArray();
        }
    }

    @Test
    void thePlacementNamesEveryNode() {
        Graph graph = block();
        Map<String, TensorType> types = Map.of("x", TensorType.of(DType.FLOAT32, 1, 16, 5, 6));
        try (Engine engine = Engine.open(CPU);
                Session session = engine.load(graph).session()) {
            assertThat(lines(session.placement(types)))
                    .containsExactly(
                            "conv1",
                            "norm1 in conv1",
                            "relu1 in conv1",
                            "drop1 in conv1",
                            "conv2",
                            "sum in conv2",
                            "clip in conv2");
            assertThat(session.placement(types).nodes())
                    .extracting(Placement.Entry::op)
                    .containsExactly("Conv2d", "BatchNorm", "Relu", "Dropout", "Conv2d", "Add", "Clip");
        }
        try (Engine engine = Engine.open(CPU.withFusion(false));
                Session session = engine.load(graph).session()) {
            assertThat(lines(session.placement(types)))
                    .containsExactly("conv1", "norm1", "relu1", "drop1", "conv2", "sum", "clip");
        }
    }

    @Test
    void everyShapeAndSessionGivesWhatNodesByThemselvesGive() {
        manyPlans(CPU);
    }

    @Test
    @RequiresOpenCl
    void everyShapeAndSessionGivesWhatNodesByThemselvesGiveOnTheDevice() {
        manyPlans(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()));
    }

    private static void manyPlans(EngineOptions options) {
        Graph graph = block();
        try (Engine plain = Engine.open(options.withFusion(false));
                Engine fusing = Engine.open(options);
                Model model = fusing.load(graph);
                Session one = model.session();
                Session other = model.session()) {
            for (long batch = 1; batch <= 3; batch++) {
                Tensor x = TestGraphs.numbers(batch, batch, 16, 5, 6);
                float[] expected = run(plain, graph, x);
                for (Session session : List.of(one, other, one)) {
                    try (Result result = session.run(Map.of("x", x))) {
                        assertThat(result.get("y").toFloatArray()).isEqualTo(expected);
                    }
                }
            }
        }
    }

    /** One plan folds the weights of a convolution and another one does not: each keeps its own packed weights. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @RequiresOpenCl
    void plansThatFuseAndPlansThatDoNotShareAModel(boolean fusedFirst) {
        Graph graph = lastAxis();
        Tensor x = TestGraphs.numbers(9, 1, 5, 6, 16);
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        try (Engine cpu = Engine.open(CPU.withFusion(false));
                Engine engine = Engine.open(options);
                Model model = engine.load(graph);
                Session fusing = model.session();
                Session mixed = model.session()) {
            float[] expected = run(cpu, graph, x);
            engine.context()
                    .kernels()
                    .variants("Mul")
                    .forEach(variant -> mixed.avoid(variant.optype(), "the test wants the CPU"));
            for (Session session : fusedFirst ? List.of(fusing, mixed) : List.of(mixed, fusing)) {
                try (Result result = session.run(Map.of("x", x))) {
                    assertThat(result.get("y").toFloatArray()).isEqualTo(expected);
                }
            }
            assertThat(lines(fusing.placement())).containsExactly("conv", "scale in conv");
            assertThat(lines(mixed.placement())).containsExactly("conv", "scale");
        }
    }

    private static Graph lastAxis() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 5, 6, 16));
        Edge weights = ops.constant("w", TestGraphs.numbers(1, 3, 3, 16, 16));
        long[] ones = {1, 1};
        Edge sum = ops.convolution(x, weights, ones, ones, ones, ones)
                .named("conv")
                .dst();
        return ops.output(
                        "y",
                        ops.mul(sum, ops.constant("factor", TestGraphs.numbers(2, 16)))
                                .named("scale"))
                .build();
    }

    @Test
    void fusionIsOnUnlessSwitchedOff() {
        assertThat(CPU.fusion()).isTrue();
        assertThat(CPU.withFusion(false).withThreads(1).fusion()).isFalse();
    }
}
