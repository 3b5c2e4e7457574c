package org.clinfer.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.describe.OpCatalog;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.OutputTypes;
import org.clinfer.judge.FailingSubgraphs;
import org.clinfer.judge.ProfileCheck;
import org.clinfer.judge.ProfileJudge;
import org.clinfer.judge.ProfileOptions;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.FamilyQuantization;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.profile.Vocabulary;
import org.clinfer.run.HostOperators;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Says of networks whether they fit devices that are not there, by the devices' profiles; needs no OpenCL. What {@code
 * CapabilityChecker} is for programs, with the checked graphs and the catalogue of operators that Clinfer's own packages need.
 */
public final class NetworkChecker {

    private final OpCatalog operators;
    private final ProfileOptions options;
    private final HostOperators cpu;
    private final List<Path> folders;

    private NetworkChecker(OpCatalog operators, ProfileOptions options, List<Path> folders) {
        this.operators = operators;
        this.options = options;
        this.folders = folders;
        this.cpu = new HostOperators(operators, CpuOperators.builtIn());
    }

    /** {@return a checker for the operators that come with Clinfer} */
    public static NetworkChecker builtIn() {
        return new NetworkChecker(OpCatalog.builtIn(), ProfileOptions.DEFAULTS, List.of());
    }

    /**
     * {@return a checker for those of further folders as well}
     *
     * @param further each with descriptions of operators
     */
    public NetworkChecker withOperators(List<Path> further) {
        OpCatalog all = operators;
        for (Path folder : further) {
            all = all.with(folder);
        }
        List<Path> every = new ArrayList<>(folders);
        every.addAll(further);
        return new NetworkChecker(all, options, List.copyOf(every));
    }

    /**
     * {@return a checker for networks that are converted or quantized before they are put on a device: rules see
     * tensors of float32 as the family's own quantization makes them, where it is known, else all as this type} Bytes
     * are still counted as the network has them.
     *
     * @param dtype the type that float32 becomes
     */
    public NetworkChecker withFloat32As(DType dtype) {
        return new NetworkChecker(operators, options.withFloat32As(dtype), folders);
    }

    /**
     * {@return a checker for networks as their files have them: without what the converter of a family does before
     * the device is asked}
     */
    public NetworkChecker asWritten() {
        return new NetworkChecker(operators, options.withAsWritten(), folders);
    }

    /**
     * {@return a checker for reports without the nearest values of a node that would pass, whose search takes longer
     * than the verdicts}
     */
    public NetworkChecker withoutPassing() {
        return new NetworkChecker(operators, options.withoutPassing(), folders);
    }

    /**
     * Holds a network against a profile. Where a dimension, an element or a limit is not known the verdict is not known
     * either, unless it does not depend on that.
     *
     * @param graph the network
     * @param inputTypes types of some inputs instead of the model's own; empty for the {@linkplain Graph.Input#usualType usual ones}
     * @param profile the device
     * @param reading how its restrictions are read
     * @return the verdict on each node, and on the network
     * @throws InputException if a type does not fit the model, or the network cannot be quantized or converted as asked
     */
    public CheckReport check(Graph graph, Map<String, TensorType> inputTypes, DeviceProfile profile, Reading reading) {
        return check(graph, inputTypes, List.of(profile), reading).get(0);
    }

    /**
     * {@return the same for several profiles; the network is walked once}
     *
     * @param graph the network
     * @param inputTypes types of some inputs; of others the graph's own count
     * @param profiles the devices
     * @param reading how their restrictions are read
     */
    public List<CheckReport> check(
            Graph graph, Map<String, TensorType> inputTypes, List<DeviceProfile> profiles, Reading reading) {
        return reports(checked(graph, inputTypes), profiles, reading);
    }

    /**
     * {@return the report on a network that was {@link #checked} already, without the nearest values that would pass, which
     * take most of the time}
     *
     * @param checked the network
     * @param profile the device
     * @param reading how its restrictions are read
     */
    public CheckReport verdicts(CheckedGraph checked, DeviceProfile profile, Reading reading) {
        return withoutPassing().reports(checked, List.of(profile), reading).get(0);
    }

    /** The reports of rules, and those of GPUs for which networks are planned, in the order of the profiles. */
    private List<CheckReport> reports(CheckedGraph checked, List<DeviceProfile> profiles, Reading reading) {
        options.float32As().ifPresent(asked -> requireType(profiles, asked));
        Vocabulary vocabulary = ProfileCatalog.builtIn().vocabulary();
        Map<Boolean, List<ProfileJudge>> judges = profiles.stream()
                .map(profile -> new ProfileJudge(profile, vocabulary, reading))
                .collect(Collectors.partitioningBy(
                        judge -> judge.profile().rules().isRunByKernels()));
        List<ProfileJudge> byRules = judges.getOrDefault(false, List.of());
        Iterator<CheckReport> ruled = byRules.isEmpty()
                ? Collections.emptyIterator()
                : new ProfileCheck(operators, vocabulary, options, byRules, cpu::refusal)
                        .reports(checked)
                        .iterator();
        Iterator<CheckReport> planned =
                planned(checked, judges.getOrDefault(true, List.of())).iterator();
        return profiles.stream()
                .map(profile -> profile.rules().isRunByKernels() ? planned.next() : ruled.next())
                .toList();
    }

    private List<CheckReport> planned(CheckedGraph checked, List<ProfileJudge> judges) {
        if (judges.isEmpty()) {
            return List.of();
        }
        PlannedReports reports = new PlannedReports(operators, cpu, folders);
        return judges.stream()
                .map(judge -> reports.of(checked, judge, basis(judge)))
                .toList();
    }

    private CheckReport.Basis basis(ProfileJudge judge) {
        return judge.basis(options.asWritten(), Optional.empty(), Optional.empty(), List.of(), Map.of());
    }

    private static void requireType(List<DeviceProfile> profiles, DType asked) {
        String refusing = profiles.stream()
                .filter(profile -> !profile.rules().takes(asked))
                .map(profile -> refusal(profile, asked))
                .collect(Collectors.joining("; "));
        if (!refusing.isEmpty()) {
            throw new InputException(refusing);
        }
    }

    private static String refusal(DeviceProfile profile, DType asked) {
        FamilyQuantization by = profile.rules().quantization().orElseThrow();
        String types = by.types().stream().map(DType::label).collect(Collectors.joining(", "));
        return "networks for " + profile.title() + " are not quantized or converted to "
                + (types.isEmpty() ? "a data type" : asked + ", only to " + types) + " (" + by.source() + ")";
    }

    /**
     * {@return the parts of a network that do not run on the device, each a network of its own whose nodes hand
     * values to each other} Their constants are those of the graph.
     *
     * @param report what was found
     * @param graph what it was found of
     */
    public List<Graph> failing(CheckReport report, Graph graph) {
        return FailingSubgraphs.of(report, checked(graph, report.inputs()));
    }

    /**
     * {@return the network with everything that follows from its input types: the type of each value, and what is
     * known beforehand}
     *
     * @param graph the network
     * @param inputTypes types of some inputs instead of the model's own; empty for the {@linkplain Graph.Input#usualType usual ones}
     * @throws InputException if a type does not fit the model
     */
    public CheckedGraph checked(Graph graph, Map<String, TensorType> inputTypes) {
        Map<String, TensorType> types = Signature.usual(graph, inputTypes);
        CheckRequest request = new CheckRequest(graph, types);
        try (Parallel parallel = Parallel.of(1)) {
            long own = Tensor.bytes(graph.constants().values());
            return Checker.check(
                    request,
                    operators,
                    new Folding(cpu, parallel, MemoryBudget.current().folded(), own, 0));
        }
    }

    /**
     * {@return the type of each output of a network, in its order, by shape inference alone; empty where it cannot be
     * known before a run} Sizes that the inputs leave open keep their names.
     *
     * @param graph the network
     */
    public Map<String, Optional<TensorType>> outputTypes(Graph graph) {
        try (Parallel parallel = Parallel.of(1)) {
            return OutputTypes.of(
                    graph,
                    Signature.types(graph, Map.of()),
                    operators,
                    new Folding(cpu, parallel, MemoryBudget.current().folded(), 0, 0));
        }
    }

    /** {@return the operators there are} */
    public OpCatalog operators() {
        return operators;
    }
}
