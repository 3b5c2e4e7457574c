package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSources;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.Placer;
import org.clinfer.plan.Chaining;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Planner;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.plan.rule.Fusion;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plan of a small residual network, made for no run: what the first plan of a process needs is then loaded, linked and
 * read already. It is made beside the opening of a device, which takes as long and keeps one processor waiting.
 */
final class Rehearsal {

    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    /** With fewer processors the thread that opens the device, and goes on to plan, has to wait for it. */
    private static final int FEWEST_PROCESSORS = 3;

    private static final int CHANNELS = 16;
    private static final int SIZE = 32;

    private Rehearsal() {}

    /**
     * {@return whether a process should begin its only rehearsal now} The CPU as a device compiles, which keeps all
     * processors busy.
     */
    static boolean isDue(DeviceFacts device, int processors) {
        return device.kind() != DeviceFacts.Kind.CPU
                && processors >= FEWEST_PROCESSORS
                && BEGUN.compareAndSet(false, true);
    }

    /** Plans the network for a device, and reads the sources of the kernels. A failure is logged: the next plan meets it. */
    static Optional<ExecutionPlan> of(DescriptionLoading.Loaded loaded, DeviceFacts device) {
        try {
            ExecutionPlan plan = plan(loaded, device);
            KernelSources sources = loaded.kernels().sources();
            plan.graph().nodes().stream()
                    .flatMap(node -> node.launches().stream())
                    .flatMap(launches -> launches.run().stream())
                    .forEach(launch -> read(sources, launch));
            return Optional.of(plan);
        } catch (RuntimeException failure) {
            LOG.debug("no plan is rehearsed", failure);
            return Optional.empty();
        }
    }

    private static void read(KernelSources sources, KernelLaunch launch) {
        sources.signature(launch.file(), launch.entry());
        sources.text(launch.file());
    }

    private static ExecutionPlan plan(DescriptionLoading.Loaded loaded, DeviceFacts device) {
        Graph graph = network();
        Placer placer = new Placer(
                loaded.kernels(), Optional.of(device), loaded.hostOperators(), node -> List.of(), Map.of(), false);
        CheckRequest request =
                new CheckRequest(graph, Map.of("x", graph.inputs().get(0).type()));
        PlacedGraph placed = placer.place(Checker.check(request, loaded.operators(), ConstantEvaluator.NONE));
        FoldedConstants folded = new FoldedConstants(MemoryBudget.current().folded(), () -> 0);
        PlacedGraph fused = new Fusion(loaded.operators(), placer, folded).apply(placed, graph.constants());
        return Planner.plan(fused, MemoryLimits.host(), MemoryLimits.of(device), Chaining.NONE);
    }

    /** A block as in residual networks, between what they begin and end with. */
    private static Graph network() {
        GraphBuilder builder = new GraphBuilder("rehearsal", new SourceRef("rehearsal", ""))
                .input("x", DType.FLOAT32, 1, CHANNELS, SIZE, SIZE);
        convolution(builder, "first", "x", 3, 2);
        relu(builder, "first", "first.normalized");
        builder.node(
                "MaxPool",
                List.of("first.y"),
                List.of("pooled"),
                Map.of(
                        "kernel_size", Attribute.ofInts(3, 3),
                        "strides", Attribute.ofInts(2, 2),
                        "padding", Attribute.ofInts(1, 1, 1, 1),
                        "pad_mode", Attribute.of("PADDING"),
                        "ceil_mode", Attribute.of("FLOOR")));
        convolution(builder, "narrow", "pooled", 1, 1);
        relu(builder, "narrow", "narrow.normalized");
        convolution(builder, "wide", "narrow.y", 3, 1);
        builder.node("Add", List.of("wide.normalized", "pooled"), List.of("sum"), Map.of());
        relu(builder, "block", "sum");
        builder.node("AvgPool", List.of("block.y"), List.of("average"), Map.of("is_global", Attribute.of(true)));
        builder.node("Flatten", List.of("average"), List.of("flat"), Map.of("axis", Attribute.of(1)));
        builder.constant("weights", ones(CHANNELS, CHANNELS)).constant("bias", ones(CHANNELS));
        builder.node(
                "Gemm", List.of("flat", "weights", "bias"), List.of("y"), Map.of("transpose_b", Attribute.of(true)));
        return builder.output("y").build();
    }

    /** A square convolution with its normalization. */
    private static void convolution(GraphBuilder builder, String name, String input, int kernel, int stride) {
        String weights = name + ".weights";
        int padding = kernel / 2;
        builder.constant(weights, ones(CHANNELS, CHANNELS, kernel, kernel));
        builder.node(
                "Conv2d",
                List.of(input, weights),
                List.of(name + ".sum"),
                Map.of(
                        "kernel_size", Attribute.ofInts(kernel, kernel),
                        "strides", Attribute.ofInts(stride, stride),
                        "padding", Attribute.ofInts(padding, padding, padding, padding),
                        "pad_mode", Attribute.of("PADDING"),
                        "group", Attribute.of(1)));
        List<String> statistics = List.of(name + ".scale", name + ".shift", name + ".mean", name + ".variance");
        statistics.forEach(statistic -> builder.constant(statistic, ones(CHANNELS)));
        List<String> inputs = new ArrayList<>(List.of(name + ".sum"));
        inputs.addAll(statistics);
        builder.node("BatchNorm", inputs, List.of(name + ".normalized"), Map.of("epsilon", Attribute.of(1e-5)));
    }

    private static void relu(GraphBuilder builder, String name, String input) {
        builder.node("Relu", List.of(input), List.of(name + ".y"), Map.of());
    }

    private static Tensor ones(long... sizes) {
        Tensor tensor = Tensor.allocate(TensorType.of(DType.FLOAT32, sizes));
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 1);
        }
        return tensor;
    }
}
