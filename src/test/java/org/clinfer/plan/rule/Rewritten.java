package org.clinfer.plan.rule;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Attribute;
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
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** A small network on a made-up device, and what rules make of it. */
final class Rewritten {

    static final OpCatalog CATALOG = OpCatalog.builtIn();
    private static final KernelCatalog KERNELS = KernelCatalog.of(CATALOG, KernelSources.packaged());

    private static DeviceFacts device(DeviceFacts.Kind kind) {
        return new DeviceFacts(
                "Toaster",
                "Acme",
                "1",
                "Acme CL",
                "1.2",
                kind,
                Set.of(),
                Map.of(
                        "max_mem_alloc_size", 1L << 30,
                        "max_work_group_size", 256L,
                        "local_mem_size", 32768L,
                        "max_compute_units", 4L));
    }

    private final GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", ""));
    private final Set<String> objectedTo = new HashSet<>();
    private Predicate<CheckedNode> forbidden = node -> false;
    private final DType dtype;
    private long limit = 1 << 20;
    private DeviceFacts.Kind kind = DeviceFacts.Kind.GPU;

    Rewritten(DType dtype) {
        this.dtype = dtype;
    }

    /** {@code x} of 1 x 3 x 5 x 7, and the convolution {@code a} of it with 4 channels of the same size. */
    static Rewritten convolution(DType dtype) {
        return new Rewritten(dtype)
                .input("x", 1, 3, 5, 7)
                .constant("w", 4, 3, 1, 1)
                .constant("b", 4)
                .node("Conv2d", "x,w,b", "a");
    }

    Rewritten input(String name, long... sizes) {
        builder.input(name, dtype, sizes);
        return this;
    }

    /** Elements 0.5, 1.0, 1.5 … */
    Rewritten constant(String name, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (int i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 0.5 * (i + 1));
        }
        return constant(name, tensor);
    }

    Rewritten constant(String name, Tensor tensor) {
        builder.constant(name, tensor);
        return this;
    }

    /** A node named after its output. */
    Rewritten node(String op, String inputs, String output) {
        return node(op, inputs, output, Map.of());
    }

    Rewritten node(String op, String inputs, String output, Map<String, Attribute> params) {
        builder.node(output, op, List.of(inputs.split(",", -1)), List.of(output), params);
        return this;
    }

    Rewritten output(String name) {
        builder.output(name);
        return this;
    }

    /** A profile forbids the node of this name on the device. */
    Rewritten onCpu(String node) {
        objectedTo.add(node);
        return this;
    }

    /** A profile forbids such nodes on the device. */
    Rewritten forbid(Predicate<CheckedNode> nodes) {
        forbidden = nodes;
        return this;
    }

    /** The device is a processor, for which there are other kernels. */
    Rewritten onProcessor() {
        kind = DeviceFacts.Kind.CPU;
        return this;
    }

    /** A constant of no axes. */
    Rewritten number(String name, double value) {
        Tensor tensor = Tensor.allocate(dtype);
        tensor.setDouble(0, value);
        return constant(name, tensor);
    }

    /** Bytes that constants may take. */
    Rewritten limit(long bytes) {
        limit = bytes;
        return this;
    }

    PlacedGraph by(FusionRule... rules) {
        Graph graph = builder.build();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckedGraph checked = Checker.check(new CheckRequest(graph, types), CATALOG, ConstantEvaluator.NONE);
        if (!checked.findings().isEmpty()) {
            throw new AssertionError(checked.findings());
        }
        Placer placer = new Placer(
                KERNELS,
                Optional.of(device(kind)),
                node -> Optional.of("only in its lowered form").filter(reason -> node.lowered() != null),
                node -> objectedTo.contains(node.node().name()) || forbidden.test(node)
                        ? List.of("forbidden")
                        : List.of(),
                Map.of(),
                false);
        Map<String, Tensor> constants = graph.constants();
        long held = constants.values().stream()
                .mapToLong(tensor -> tensor.type().bytes())
                .sum();
        FoldedConstants folded = new FoldedConstants(limit, () -> held);
        return new Fusion(CATALOG, placer, folded).apply(placer.place(checked), constants, List.of(rules));
    }

    /** Names of the nodes that are left. */
    static List<String> names(PlacedGraph graph) {
        return graph.nodes().stream().map(node -> node.form().name()).toList();
    }

    /** Operators of the nodes that are left. */
    static List<String> operators(PlacedGraph graph) {
        return graph.nodes().stream().map(node -> node.op()).toList();
    }

    /** Names of the nodes whose work this one does. */
    static List<String> parts(PlacedNode node) {
        return node.fused().stream().map(part -> part.written().name()).toList();
    }

    /** The convolution of a graph that has one. */
    static PlacedNode convolution(PlacedGraph graph) {
        return graph.nodes().stream()
                .filter(node -> node.op().startsWith("FusedConv"))
                .findFirst()
                .orElseThrow();
    }

    static String text(PlacedNode node, String param) {
        return node.binding().text(param);
    }
}
