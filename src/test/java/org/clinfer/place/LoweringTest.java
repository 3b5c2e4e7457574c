package org.clinfer.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.TypeSupport;
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
import org.clinfer.kernel.KernelVariant;
import org.clinfer.place.PlacedNode.Target;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator that is composed of one other is that other under its own name. */
class LoweringTest {

    private static final String DOUBLED = """
            {"ops": [
              {"optype": "Doubled", "author": "A user", "arch": "none",
               "tensors_in": [{"arg_name": "v", "mtype": "LN_MEM_NONE", "dtype": ["floating"]}],
               "tensors_out": [{"arg_name": "w", "mtype": "LN_MEM_NONE", "dtype": "v.dtype", "dims": "DIMS"}]},
              {"optype": "Doubled_add", "author": "A user", "arch": "graph", "inherits": "Doubled", "variant": "add",
               "ops": [{"name": "sum", "optype": "Add",
                        "tensors_in": [{"arg_name": "a", "name": "v"}, {"arg_name": "b", "name": "v"}],
                        "tensors_out": [{"arg_name": "y", "name": "w"}]}]},
              {"optype": "Again", "author": "A user", "arch": "none",
               "tensors_in": [{"arg_name": "v", "mtype": "LN_MEM_NONE", "dtype": ["float32", "int8"]}],
               "tensors_out": [{"arg_name": "w", "mtype": "LN_MEM_NONE", "dtype": "v.dtype", "dims": "v.dims"}]},
              {"optype": "Again_doubled", "author": "A user", "arch": "graph", "inherits": "Again", "variant": "doubled",
               "ops": [{"name": "inner", "optype": "Doubled", "tensors_in": [{"arg_name": "v", "name": "v"}],
                        "tensors_out": [{"arg_name": "w", "name": "w"}]}]}
            ]}
            """;

    private static final String OWN_KERNEL = """
            {"ops": [
              {"optype": "Again_short", "author": "A user", "arch": "opencl", "inherits": "Again", "variant": "short",
               "checks": [{"check": "v.len < 10, \\"ten elements or more\\""}],
               "run": [{"kernel": "short.cl#shortened", "args": {"v": "v", "w": "w"}, "global": ["v.len"]}]}
            ]}
            """;

    @TempDir
    private Path folder;

    private final Map<String, Tensor> constants = new HashMap<>();

    private OpCatalog catalog(String... files) throws IOException {
        OpCatalog catalog = OpCatalog.builtIn();
        for (int i = 0; i < files.length; i++) {
            Path own = Files.createDirectory(folder.resolve("f" + i));
            Files.writeString(own.resolve("operators.json"), files[i].replace("DIMS", "v.dims"));
            Files.writeString(own.resolve("short.cl"), """
                    __kernel void shortened(__global const float *v, __global float *w) {
                        w[get_global_id(0)] = v[get_global_id(0)] * 2;
                    }
                    """);
            catalog = catalog.with(own);
        }
        return catalog;
    }

    private CheckedGraph check(OpCatalog catalog, String op, TensorType type, ConstantEvaluator evaluator) {
        GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", "")).output("out");
        if (constants.isEmpty()) {
            builder.input("in", type);
        } else {
            constants.forEach(builder::constant);
        }
        Graph graph = builder.node(op, List.of("in"), List.of("out"), Map.of()).build();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        return Checker.check(new CheckRequest(graph, types), catalog, evaluator);
    }

    private PlacedNode place(OpCatalog catalog, String op, long elements, CpuSupport cpu) {
        CheckedGraph checked = check(catalog, op, TensorType.of(DType.FLOAT32, elements), ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        DeviceFacts device = new DeviceFacts(
                "Toaster",
                "Acme",
                "1",
                "Acme CL",
                "1.2",
                DeviceFacts.Kind.CPU,
                Set.of(),
                Map.of("local_mem_size", 32768L, "max_work_group_size", 256L, "max_compute_units", 4L));
        KernelSources sources = KernelSources.packaged();
        for (int i = 0; Files.isDirectory(folder.resolve("f" + i)); i++) {
            sources = sources.and(folder.resolve("f" + i));
        }
        Optional<DeviceFacts> present = cpu == ON_THE_CPU ? Optional.empty() : Optional.of(device);
        return new Placer(KernelCatalog.of(catalog, sources), present, cpu, Map.of())
                .place(checked)
                .nodes()
                .get(0);
    }

    private static final CpuSupport TAKES_NOTHING = node -> Optional.of("no");

    /** The CPU has Add, and nothing else. */
    private static final CpuSupport ON_THE_CPU = node -> node.node().op().equals("Add")
            ? Optional.empty()
            : Optional.of("no " + node.node().op());

    @Test
    void staysOneNodeUnderItsOwnName() throws IOException {
        CheckedGraph checked =
                check(catalog(DOUBLED), "Again", TensorType.of(DType.FLOAT32, 5), ConstantEvaluator.NONE);
        assertThat(checked.walked()).extracting(node -> node.op()).containsExactly("Again");
        CheckedNode node = checked.nodes().get(0);
        assertThat(node.node().op()).isEqualTo("Again");
        CheckedNode doubled = Objects.requireNonNull(node.lowered());
        CheckedNode add = Objects.requireNonNull(doubled.lowered());
        assertThat(add.lowered()).isNull();
        assertThat(add.node().op()).isEqualTo("Add");
        assertThat(add.node().name()).isEqualTo(node.node().name());
        assertThat(add.node().inputs()).containsExactly("in", "in");
        assertThat(add.inputTypes()).hasSize(2);
    }

    @Test
    void runsWithTheKernelsOfWhatItIsLoweredTo() throws IOException {
        PlacedNode placed = place(catalog(DOUBLED), "Again", 64, TAKES_NOTHING);
        assertThat(placed.target()).isEqualTo(Target.DEVICE);
        assertThat(placed.written().op()).isEqualTo("Again");
        assertThat(placed.op()).isEqualTo("Add");
        assertThat(placed.variant().map(KernelVariant::name)).contains("runs");
    }

    @Test
    void kernelsOfItsOwnComeFirst() throws IOException {
        OpCatalog catalog = catalog(DOUBLED, OWN_KERNEL);
        PlacedNode own = place(catalog, "Again", 9, TAKES_NOTHING);
        assertThat(own.variant().map(KernelVariant::name)).contains("short");
        assertThat(own.op()).isEqualTo("Again");
        PlacedNode refused = place(catalog, "Again", 64, TAKES_NOTHING);
        assertThat(refused.variant().map(KernelVariant::name)).contains("runs");
        assertThat(refused.reasons()).containsExactly("short: ten elements or more (v.len < 10: v.len = 64)");
    }

    @Test
    void runsOnTheCpuAsWhatTheCpuHas() throws IOException {
        OpCatalog catalog = catalog(DOUBLED);
        PlacedNode placed = place(catalog, "Again", 64, ON_THE_CPU);
        assertThat(placed.target()).isEqualTo(Target.CPU);
        assertThat(placed.written().op()).isEqualTo("Again");
        assertThat(placed.op()).isEqualTo("Add");
    }

    @Test
    void isFoldedAsWhatCanBeEvaluated() throws IOException {
        constants.put("in", Tensor.allocate(TensorType.of(DType.FLOAT32, 3)));
        Tensor sum = Tensor.allocate(TensorType.of(DType.FLOAT32, 3));
        CheckedGraph checked = check(
                catalog(DOUBLED),
                "Again",
                TensorType.of(DType.FLOAT32, 3),
                (node, inputs) -> node.node().op().equals("Add") && inputs.size() == 2
                        ? Optional.of(List.of(sum))
                        : Optional.empty());
        assertThat(checked.nodes()).isEmpty();
        assertThat(checked.constants()).containsEntry("out", sum);
    }

    @Test
    void thePartMustGiveWhatTheWholeDescribes() throws IOException {
        CheckedGraph checked = check(
                catalog(DOUBLED.replace("DIMS", "[1] + v.dims")),
                "Doubled",
                TensorType.of(DType.FLOAT32, 5),
                ConstantEvaluator.NONE);
        assertThat(checked.nodes()).isEmpty();
        assertThat(checked.findings()).hasSize(1);
        assertThat(checked.findings().get(0).finding().message())
                .isEqualTo("its parts give 5:float32 for output 0, but its description says 1x5:float32");
    }

    @Test
    void itsTypesAreThoseThatBothTake() throws IOException {
        OpCatalog catalog = catalog(DOUBLED);
        TypeSupport support = TypeSupport.of(catalog, catalog.find("Again").orElseThrow(), Set.of("Add"));
        assertThat(support.cell(DType.FLOAT32).place()).isEqualTo(TypeSupport.Place.BOTH);
        assertThat(support.cell(DType.FLOAT16).place()).isEqualTo(TypeSupport.Place.NONE);
        TypeSupport kernelsAlone = TypeSupport.of(catalog, catalog.find("Again").orElseThrow(), Set.of());
        assertThat(kernelsAlone.cell(DType.FLOAT32).place()).isEqualTo(TypeSupport.Place.OPENCL);
    }

    @Test
    void builtInConvolutionsAreLowered() {
        OpCatalog catalog = OpCatalog.builtIn();
        for (String op : List.of("Conv2d", "Convolution", "DepthwiseConv2d")) {
            assertThat(catalog.lowered(catalog.find(op).orElseThrow()).optype()).isEqualTo("FusedConv");
        }
        for (String op : List.of("Conv2dTranspose", "ConvTranspose")) {
            assertThat(catalog.lowered(catalog.find(op).orElseThrow()).optype()).isEqualTo("FusedConvTranspose");
        }
    }
}
