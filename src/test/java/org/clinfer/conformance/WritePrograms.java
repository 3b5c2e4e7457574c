package org.clinfer.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.MatrixUnits;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.kernel.KernelSources;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.tensor.TensorType;

/**
 * Writes the programs that the operator cases build on made-up devices, for compilers without a device, as {@link
 * ProgramFiles} into the folder that it is given.
 */
final class WritePrograms {

    private static final KernelSources SOURCES = KernelSources.packaged();
    private static final KernelCatalog KERNELS = KernelCatalog.of(OperatorConformance.CATALOG, SOURCES);

    private final ProgramFiles programs = new ProgramFiles(SOURCES);

    private WritePrograms() {}

    /** Takes the folder. */
    public static void main(String[] args) throws IOException {
        WritePrograms written = new WritePrograms();
        OperatorConformance.CASES.keySet().stream()
                .filter(op -> OperatorConformance.CATALOG.find(op).isPresent())
                .forEach(written::add);
        written.programs.write(Path.of(args[0]));
    }

    /** Made-up devices by name: a large and a small one, one with matrix units, and a processor. */
    private static Map<String, DeviceFacts> devices() {
        return Map.of(
                "gpu", device(DeviceFacts.Kind.GPU, Set.of("cl_khr_fp16", "cl_khr_fp64", "cl_khr_subgroups"), 64),
                "ptx",
                        device(DeviceFacts.Kind.GPU, Set.of("cl_khr_fp16"), 64)
                                .withMatrixUnits(MatrixUnits.PTX)
                                .withTf32(true),
                "small", device(DeviceFacts.Kind.GPU, Set.of(), 8),
                "cpu", device(DeviceFacts.Kind.CPU, Set.of("cl_khr_fp64"), 8));
    }

    private static DeviceFacts device(DeviceFacts.Kind kind, Set<String> extensions, long units) {
        boolean isSmall = extensions.isEmpty();
        Map<String, Long> limits = Map.of(
                "max_mem_alloc_size",
                1L << 30,
                "max_work_group_size",
                isSmall ? 256L : 1024L,
                "local_mem_size",
                isSmall ? 32768L : 65536L,
                "max_compute_units",
                units);
        return new DeviceFacts("made up", "", "1", "none", "1.2", kind, extensions, limits);
    }

    private void add(String op) {
        for (CaseRun run : OperatorConformance.newRuns(op)) {
            Map<String, TensorType> types = new HashMap<>();
            run.inputs().forEach((name, tensor) -> types.put(name, tensor.type()));
            Graph graph = run.graph();
            List<CheckedNode> nodes = Checker.check(
                            new CheckRequest(graph, types), OperatorConformance.CATALOG, ConstantEvaluator.NONE)
                    .nodes();
            devices()
                    .forEach((name, facts) -> Stream.of(false, true).forEach(exact -> {
                        Placer placer = new Placer(
                                KERNELS, Optional.of(facts.withExact(exact)), node -> Optional.empty(), Map.of());
                        nodes.forEach(node -> add(name, placer, node));
                    }));
        }
    }

    /** The launches of a node in each form and with each kernel variant that takes it. */
    private void add(String device, Placer placer, CheckedNode written) {
        for (CheckedNode form = written; form != null; form = form.lowered()) {
            for (PlacedNode placed : placer.onDevice(form, new ArrayList<>()).stream()
                    .flatMap(first -> placer.candidates(first).stream())
                    .toList()) {
                KernelPlan plan = placed.launches().orElseThrow();
                Stream.of(plan.staticRun(), plan.run(), plan.postRun())
                        .flatMap(List::stream)
                        .forEach(launch -> programs.add(device, launch));
            }
        }
    }
}
