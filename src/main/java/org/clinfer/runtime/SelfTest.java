package org.clinfer.runtime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.clinfer.cache.TestedKernels;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.Chaining;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Planner;
import org.clinfer.plan.Step;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.run.Executor;
import org.clinfer.run.HostOperators;
import org.clinfer.run.RunSpace;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.tracesinks.Tracing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds kernels against the CPU before their results are believed. Each kernel that a plan is the first to launch on a
 * device with its driver runs once, with the options and in the way (in a chain or alone) in which the plan launches it, on
 * the smallest node of the plan that does, with made-up inputs. A variant whose results differ is retired; chains in which
 * kernels fail that are right alone are not used; where most kernels fail, neither is the device.
 *
 * <p>A test takes a second or so: kernels for which that is not enough are believed until the next plan with them. Not
 * tested are nodes that take more alone, and those that the CPU does not compute, or not for such inputs. Thread-safe.
 */
public final class SelfTest {

    private static final Logger LOG = LoggerFactory.getLogger(SelfTest.class);

    /** A second or so of the CPU path in vectors, and in plain Java that is not compiled well yet. */
    private static final long MOST_WITH_VECTORS = 1L << 31;

    private static final long MOST_IN_PLAIN_JAVA = 1L << 28;

    private static final long MOST_BYTES = 256L << 20;

    /** Fewer failures do not speak against the device as a whole. */
    private static final int FEWEST_AGAINST_DEVICE = 3;

    private static final String CHAINED = " in a chain";

    private final HostOperators operators;
    private final Parallel parallel;
    private final KernelCatalog kernels;
    private final Optional<TestedKernels> tested;
    private final Set<String> untestable = new HashSet<>();
    private final Map<String, String> fileVersions = new ConcurrentHashMap<>();

    /** @param tested what is known of the device's kernels; empty to believe all of them */
    public SelfTest(HostOperators operators, Parallel parallel, KernelCatalog kernels, Optional<TestedKernels> tested) {
        this.operators = operators;
        this.parallel = parallel;
        this.kernels = kernels;
        this.tested = tested;
    }

    /**
     * A node of the plan that launches something.
     *
     * @param isChained whether its kernels run as parts of a chain
     * @param names of its kernels, as they are remembered
     */
    private record Use(PlacedNode node, boolean isChained, Set<String> names) {

        String variant() {
            return node.variant().orElseThrow().optype();
        }

        long multiplyAdds() {
            return node.node().multiplyAdds().orElse(Long.MAX_VALUE);
        }

        long bytes() {
            return Stream.concat(node.inputTypes().stream(), node.outputTypes().stream())
                    .filter(type -> type != null)
                    .mapToLong(TensorType::bytes)
                    .sum();
        }
    }

    /**
     * Tests what a plan launches and was not tested yet.
     *
     * @param weights where the plan is to run
     * @return whether something was retired that the plan uses, so that another one has to be made
     * @throws org.clinfer.run.VariantException if the device does not take the kernels of a node
     * @throws org.clinfer.opencl.ClException if the device fails otherwise
     */
    boolean refutes(ExecutionPlan plan, DeviceWeights weights) {
        return tested.isPresent() && refutes(plan, weights, tested.get());
    }

    private synchronized boolean refutes(ExecutionPlan plan, DeviceWeights weights, TestedKernels known) {
        DeviceRuntime device = weights.runtime();
        List<Use> uses = uses(plan, device);
        if (retireFailed(uses, known.results(), device)) {
            return true;
        }
        if (device.chainFault().isPresent() && uses.stream().anyMatch(Use::isChained)) {
            uses = uses(plan, device);
        }
        List<Use> chosen = chosen(uses, known.results().passed());
        if (chosen.isEmpty()) {
            return false;
        }
        try (Trial trial = new Trial(chosen, plan, weights)) {
            known.add(trial.results());
        }
        return refutes(plan, weights, known);
    }

    private List<Use> uses(ExecutionPlan plan, DeviceRuntime device) {
        boolean canChain = device.chainFault().isEmpty();
        List<Use> uses = new ArrayList<>();
        for (Step step : plan.steps()) {
            if (step instanceof Step.Launch launch) {
                uses.add(use(launch, false));
            } else if (step instanceof Step.Chain chain) {
                chain.nodes().forEach(launch -> uses.add(use(launch, canChain)));
            }
        }
        uses.removeIf(use -> use.names().isEmpty());
        return uses;
    }

    private Use use(Step.Launch launch, boolean isChained) {
        PlacedNode node = launch.node();
        KernelPlan plan = node.launches().orElseThrow();
        Set<String> names = new TreeSet<>();
        launch.kernels().forEach(kernel -> names.add(name(kernel) + (isChained ? CHAINED : "")));
        if (!names.isEmpty()) {
            plan.staticRun().forEach(kernel -> names.add(name(kernel)));
            plan.postRun().forEach(kernel -> names.add(name(kernel)));
        }
        return new Use(node, isChained, names);
    }

    /** File, entry point, options and chosen functions of a kernel, with a checksum of its text. */
    private String name(KernelLaunch launch) {
        ChainSource.Function function =
                ChainSource.functions(kernels.sources(), List.of(launch)).get(0);
        String words = function.launched().isEmpty() ? "" : " " + function.launched();
        String options =
                launch.options().isBlank() ? "" : " " + launch.options().strip();
        return launch.file() + " " + fileVersions.computeIfAbsent(launch.file(), this::version) + " " + launch.entry()
                + options + words;
    }

    private String version(String file) {
        CRC32C checksum = new CRC32C();
        checksum.update(kernels.sources().text(file).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(checksum.getValue());
    }

    /** Retires what is known to fail; true if a use is concerned by that. */
    private static boolean retireFailed(List<Use> uses, TestedKernels.Results results, DeviceRuntime device) {
        boolean isRetired = false;
        for (Use use : uses) {
            for (String name : use.names()) {
                String failure = results.failed().get(name);
                if (failure != null && use.isChained() && name.endsWith(CHAINED)) {
                    device.avoidChains(failure);
                } else if (failure != null) {
                    device.retire(use.variant(), "it failed its test: " + failure);
                    isRetired = true;
                }
            }
        }
        long failures = results.failed().keySet().stream()
                .filter(name -> !name.endsWith(CHAINED))
                .count();
        if (isRetired
                && failures >= FEWEST_AGAINST_DEVICE
                && failures > results.passed().size()) {
            device.distrust(failures + " of " + (failures + results.passed().size())
                    + " kernels failed their test on " + device.facts().name() + ", driver "
                    + device.facts().driver());
        }
        return isRetired;
    }

    /** As few and small uses as have all kernels that are to be tested. */
    private List<Use> chosen(List<Use> uses, Set<String> passed) {
        Set<String> left = new HashSet<>();
        uses.forEach(use -> left.addAll(use.names()));
        left.removeAll(passed);
        left.removeAll(untestable);
        List<Use> chosen = new ArrayList<>();
        if (left.isEmpty()) {
            return chosen;
        }
        List<Use> smallestFirst = new ArrayList<>(uses);
        smallestFirst.sort(Comparator.comparingLong(Use::multiplyAdds).thenComparingLong(Use::bytes));
        long budget = operators.path().hasVectors() ? MOST_WITH_VECTORS : MOST_IN_PLAIN_JAVA;
        for (Use use : smallestFirst) {
            boolean isSmall = use.multiplyAdds() <= budget && use.bytes() <= MOST_BYTES;
            if (isSmall && left.removeAll(use.names())) {
                chosen.add(use);
                budget -= use.multiplyAdds();
            }
        }
        untestable.addAll(left);
        return chosen;
    }

    /** One test of some uses. */
    private final class Trial implements AutoCloseable {

        private final PlacedGraph network;
        private final DeviceWeights weights;

        /** The inputs of each node by the names of the values, on the CPU and on the device. */
        private final IdentityHashMap<PlacedNode, Map<String, Tensor>> inputs = new IdentityHashMap<>();

        private final List<Use> uses = new ArrayList<>();

        /** The outputs of each use on the CPU. */
        private final List<List<Tensor>> expected = new ArrayList<>();

        private final Map<String, String> failed = new TreeMap<>();
        private final Set<String> passed = new TreeSet<>();

        Trial(List<Use> chosen, ExecutionPlan plan, DeviceWeights weights) {
            this.network = plan.graph();
            this.weights = weights;
            Placer onHost = new Placer(kernels, Optional.empty(), operators, Map.of());
            for (Use use : chosen) {
                Optional<List<Tensor>> outputs = onHost(use, onHost);
                if (outputs.isPresent()) {
                    uses.add(use);
                    expected.add(outputs.get());
                } else {
                    untestable.addAll(use.names());
                }
            }
            List<KernelLaunch> chained = plan.steps().stream()
                    .filter(Step.Chain.class::isInstance)
                    .flatMap(step -> ((Step.Chain) step).nodes().stream())
                    .flatMap(launch -> launch.kernels().stream())
                    .toList();
            if (!chained.isEmpty()) {
                // so that the test builds no program that the plan does not need
                weights.announceChains(chained);
            }
        }

        private NodesAlone alone(List<Use> some) {
            return NodesAlone.of(
                    some.stream().map(Use::node).toList(),
                    network,
                    (node, value, type) -> inputs.computeIfAbsent(node, made -> new HashMap<>())
                            .computeIfAbsent(value, made -> MadeUp.input(node, value, type)));
        }

        private Optional<List<Tensor>> onHost(Use use, Placer placer) {
            NodesAlone alone = alone(List.of(use));
            Optional<PlacedNode> node =
                    placer.place(alone.graph().nodes().get(0).node(), PlacedNode.Target.CPU);
            if (node.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(run(alone.with(List.of(node.get())), Chaining.NONE, Optional.empty())
                        .get(0));
            } catch (RuntimeException undefined) {
                LOG.debug("{} is not computed for made-up inputs", use.node().form(), undefined);
                return Optional.empty();
            }
        }

        private List<List<Tensor>> run(NodesAlone nodes, Chaining chaining, Optional<DeviceWeights> where) {
            MemoryLimits host = MemoryLimits.host();
            MemoryLimits device = MemoryLimits.of(weights.runtime().facts());
            ExecutionPlan plan = Planner.plan(nodes.graph(), host, device, chaining);
            try (RunSpace space = new RunSpace();
                    Executor executor = new Executor(
                            plan,
                            new Executor.Resources(
                                    operators, parallel, PackedWeights.none(), where, space, Tracing.OFF))) {
                space.poison();
                Map<String, Tensor> outputs = executor.run(Map.of(), () -> false);
                return nodes.outputs().stream()
                        .map(names -> names.stream().map(outputs::get).toList())
                        .toList();
            }
        }

        TestedKernels.Results results() {
            List<Integer> alone = new ArrayList<>();
            List<Integer> chained = new ArrayList<>();
            for (int i = 0; i < uses.size(); i++) {
                (uses.get(i).isChained() ? chained : alone).add(i);
            }
            if (!chained.isEmpty()) {
                alone.addAll(failedInChain(chained));
            }
            Map<Use, String> wrong = new HashMap<>();
            onDevice(alone, Chaining.NONE).forEach((use, difference) -> {
                if (difference.isEmpty()) {
                    passed.addAll(withoutChain(use));
                } else {
                    wrong.put(use, difference);
                    LOG.warn(
                            "{} is not used on {}, driver {}: {}",
                            use.variant(),
                            weights.runtime().facts().name(),
                            weights.runtime().facts().driver(),
                            difference);
                }
            });
            wrong.forEach((use, difference) -> blame(withoutChain(use), difference));
            passed.removeAll(failed.keySet());
            return new TestedKernels.Results(passed, failed);
        }

        /** The kernels of a use that failed: those that are right elsewhere are not to blame, if there are others. */
        private void blame(Set<String> names, String difference) {
            Set<String> suspects = new TreeSet<>(names);
            suspects.removeAll(passed);
            (suspects.isEmpty() ? names : suspects).forEach(name -> failed.put(name, difference));
        }

        /** Runs uses in one chain; those that fail, of which chains or kernels may be the cause. */
        private List<Integer> failedInChain(List<Integer> chained) {
            List<Integer> suspects = new ArrayList<>();
            List<Integer> run = new ArrayList<>(chained);
            // one launch alone is no chain
            run.addAll(chained.subList(0, 1));
            Map<Use, String> differences = onDevice(run, Chaining.of(launch -> true));
            for (int i : chained) {
                Use use = uses.get(i);
                String difference = differences.getOrDefault(use, "");
                if (difference.isEmpty()) {
                    passed.addAll(use.names());
                } else {
                    use.names().stream()
                            .filter(name -> name.endsWith(CHAINED))
                            .forEach(name -> failed.put(name, difference));
                    suspects.add(i);
                }
            }
            return suspects;
        }

        /** Its kernels launched alone. */
        private static Set<String> withoutChain(Use use) {
            Set<String> names = new TreeSet<>();
            use.names()
                    .forEach(name -> names.add(
                            name.endsWith(CHAINED) ? name.substring(0, name.length() - CHAINED.length()) : name));
            return names;
        }

        /** Runs uses on the device; by how much each differs from the CPU, empty where it does not. */
        private Map<Use, String> onDevice(List<Integer> numbers, Chaining chaining) {
            Map<Use, String> differences = new HashMap<>();
            if (numbers.isEmpty()) {
                return differences;
            }
            List<List<Tensor>> given;
            try (DeviceWeights own = DeviceWeights.beside(weights)
                    .orElseThrow(() -> new IllegalStateException("the device is closed"))) {
                given = run(alone(numbers.stream().map(uses::get).toList()), chaining, Optional.of(own));
            }
            for (int i = 0; i < numbers.size(); i++) {
                Use use = uses.get(numbers.get(i));
                String difference = MadeUp.difference(expected.get(numbers.get(i)), given.get(i));
                differences.merge(use, difference, (one, other) -> one.isEmpty() ? other : one);
                given.get(i).forEach(Tensor::close);
            }
            return differences;
        }

        @Override
        public void close() {
            inputs.values().forEach(made -> made.values().forEach(Tensor::close));
            expected.forEach(outputs -> outputs.forEach(Tensor::close));
        }
    }
}
