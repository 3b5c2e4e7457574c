package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.clinfer.ConformanceEngine;
import org.clinfer.cpu.call.DataException;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;

/**
 * The operators' cases in networks as exporters write them: every node gives what it gives alone, or the network is
 * refused with the reason, wherever it runs. {@code -Dnetworks=N} takes N times as many, {@code -Dnetworks.seed=N}
 * others, {@code -Doperators=A,B} those of some operators.
 */
class CasesInNetworksTest {

    private static final int ON_THE_CPU = 600;
    private static final int ON_A_DEVICE = 20;
    private static final int TIMES = Integer.getInteger("networks", 1);
    private static final int SEED = Integer.getInteger("networks.seed", 1);

    /** Larger cases say the same. */
    private static final long LARGEST = 20_000;

    /** Networks of all operators in turn. */
    private static List<CaseNetwork> networks(int number, int seed) {
        Random random = new Random(seed);
        String chosen = System.getProperty("operators", "");
        Set<String> only = Set.of(chosen.split(",", -1));
        List<String> operators = OperatorConformance.CASES.keySet().stream()
                .filter(op -> chosen.isEmpty() || only.contains(op))
                .filter(op -> OperatorConformance.CATALOG.find(op).isPresent()
                        && OperatorConformance.REFERENCES.containsKey(op))
                .toList();
        List<CaseNetwork> networks = new ArrayList<>();
        for (int i = 0; networks.size() < number; i++) {
            String op = operators.get(i % operators.size());
            List<OperatorCase> cases = Objects.requireNonNull(OperatorConformance.CASES.get(op)).stream()
                    .filter(any -> any.inputElements() <= LARGEST)
                    .toList();
            List<CaseRun> runs =
                    CaseRun.of(
                                    pick(random, cases),
                                    OperatorConformance.CATALOG.find(op).orElseThrow())
                            .stream()
                            .filter(run -> run.type().isGeneral())
                            .toList();
            List<CaseNetwork> changes = runs.isEmpty() ? List.of() : CaseNetwork.of(pick(random, runs));
            if (!changes.isEmpty()) {
                List<CaseNetwork.Kind> kinds = changes.stream()
                        .map(network -> network.changed().kind())
                        .distinct()
                        .toList();
                CaseNetwork.Kind kind = pick(random, kinds);
                networks.add(pick(
                        random,
                        changes.stream()
                                .filter(network -> network.changed().kind() == kind)
                                .toList()));
            }
        }
        return networks;
    }

    private static <T> T pick(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** What running a network came to: outputs, or why it was refused. */
    private record Outcome(Map<String, Tensor> outputs, Optional<RuntimeException> refusal) {

        static Outcome of(ConformanceEngine engine, CaseNetwork network) {
            List<Outcome> outcomes = new ArrayList<>();
            try {
                CaseNetwork.Built built = network.built();
                engine.run(
                        built.graph(),
                        built.inputs(),
                        (outputs, placement) -> outcomes.add(new Outcome(copies(outputs), Optional.empty())));
                return outcomes.get(0);
            } catch (GraphException | InputException | DataException refusal) {
                return new Outcome(Map.of(), Optional.of(refusal));
            }
        }
    }

    private static Map<String, Tensor> copies(Map<String, Tensor> outputs) {
        Map<String, Tensor> copies = new LinkedHashMap<>();
        outputs.forEach((name, tensor) -> copies.put(name, tensor.copy()));
        return copies;
    }

    /** What is wrong with what an engine gives, or empty. */
    private static Optional<String> fault(CaseNetwork network, ConformanceEngine engine, ConformanceEngine alone) {
        Outcome outcome = Outcome.of(engine, network);
        Outcome expected = Outcome.of(alone, network);
        if (outcome.refusal().isPresent() || expected.refusal().isPresent()) {
            boolean isBoth = outcome.refusal().isPresent() == expected.refusal().isPresent();
            return isBoth && !network.isAsInTheCase()
                    ? Optional.empty()
                    : Optional.of("refused: " + outcome.refusal() + ", alone: " + expected.refusal());
        }
        Map<String, Tensor> truth = network.expected();
        for (Map.Entry<String, Tensor> output : outcome.outputs().entrySet()) {
            Tensor byCase = truth.get(output.getKey());
            Tensor byNode = Objects.requireNonNull(expected.outputs().get(output.getKey()));
            Optional<String> difference = byCase != null
                    ? Agreement.difference(network.run().operatorCase().op(), output.getValue(), byCase)
                    : TensorComparison.difference(byNode, output.getValue(), Tolerance.DEFAULT)
                            .map(Object::toString);
            if (difference.isPresent()) {
                return Optional.of(output.getKey() + ": " + difference.get());
            }
        }
        return Optional.empty();
    }

    private static void run(int number, int seed, ConformanceEngine engine) {
        Coverage coverage = new Coverage();
        try (ConformanceEngine alone = ConformanceEngine.nodesAlone()) {
            for (CaseNetwork network : networks(number * TIMES, seed)) {
                coverage.ran();
                try {
                    fault(network, engine, alone).ifPresent(fault -> coverage.failed(network + ": " + fault));
                } catch (RuntimeException | AssertionError e) {
                    coverage.failed(network + ": " + e + " at "
                            + List.of(e.getStackTrace()).subList(0, 3));
                }
            }
        }
        coverage.verify("networks");
    }

    @Test
    void onTheCpu() {
        try (ConformanceEngine cpu = ConformanceEngine.cpu()) {
            run(ON_THE_CPU, SEED, cpu);
        }
    }

    @Test
    @RequiresOpenCl
    void onADevice() {
        try (ConformanceEngine device = ConformanceEngine.forNetworks(DeviceFacts.Kind.CPU, ClBinding.LWJGL)) {
            run(ON_A_DEVICE, SEED + 1, device);
        }
    }

    @Test
    @RequiresOpenCl
    void onADeviceThatIsAGpu() {
        try (ConformanceEngine device = ConformanceEngine.forNetworks(DeviceFacts.Kind.GPU, ClBinding.LWJGL)) {
            run(ON_A_DEVICE, SEED + 2, device);
        }
    }
}
