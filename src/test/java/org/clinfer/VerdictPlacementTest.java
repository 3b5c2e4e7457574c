package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/**
 * The checker's verdict for a profile is where a node runs when the profile is laid over a device. {@code -Dseed=} and
 * {@code -Dconfigurations=} try others and more.
 */
@RequiresOpenCl
class VerdictPlacementTest {

    private static final List<Reading> READINGS = List.of(Reading.values());

    private static final int CONFIGURATIONS = Integer.getInteger("configurations", 10_000);

    private static final long LARGEST = 1L << 30;

    private static EngineOptions options() {
        return EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    }

    private static Placement.Target target(Engine engine, Graph graph) {
        try (Model model = engine.load(graph);
                Session session = model.session()) {
            return session.placement(Map.of()).nodes().get(0).target();
        }
    }

    /** A plan for more would not be made. */
    private static boolean isSmall(Graph graph, CheckReport report) {
        long bytes =
                graph.inputs().stream().mapToLong(input -> input.type().bytes()).sum();
        for (CheckReport.Value output : report.nodes().get(0).outputs()) {
            bytes += output.type().map(TensorType::bytes).orElse(0L);
        }
        return bytes < LARGEST;
    }

    @Test
    void theVerdictIsWhereItRuns() {
        long seed = Long.getLong("seed", 20261121);
        // a GPU has no rules: its profile says what the GPU itself would answer, and this device answers for itself
        List<DeviceProfile> profiles = ProfileCatalog.builtIn().profiles().stream()
                .filter(profile -> !profile.rules().isRunByKernels())
                .toList();
        CapabilityChecker checker = CapabilityChecker.builtIn();
        Map<Verdict, Integer> seen = new EnumMap<>(Verdict.class);
        Random random = new Random(seed);
        RandomOperators operators = new RandomOperators(random);
        int each = CONFIGURATIONS / profiles.size() + 1;
        try (Engine plain = Engine.open(options())) {
            for (DeviceProfile profile : profiles) {
                Reading reading = READINGS.get(random.nextInt(READINGS.size()));
                try (Engine overlaid = Engine.open(options().withProfile(profile, reading))) {
                    for (int i = 0; i < each; i++) {
                        Graph graph = operators.next();
                        CheckReport report = checker.check(graph, Map.of(), profile, reading);
                        Verdict verdict = report.nodes().get(0).verdict();
                        seen.merge(verdict, 1, Integer::sum);
                        if (verdict != Verdict.INVALID && verdict != Verdict.UNSUPPORTED && isSmall(graph, report)) {
                            boolean mayRun = verdict == Verdict.ON_DEVICE;
                            Placement.Target expected = mayRun ? target(plain, graph) : Placement.Target.CPU;
                            assertThat(target(overlaid, graph))
                                    .as("seed %d, %s, %s: %s %s", seed, profile, reading, graph.inputs(), graph.nodes())
                                    .isEqualTo(expected);
                        }
                    }
                }
            }
        }
        for (Verdict verdict : List.of(Verdict.ON_DEVICE, Verdict.FALLS_BACK, Verdict.UNKNOWN)) {
            assertThat(seen.getOrDefault(verdict, 0))
                    .as("%s in %s", verdict, seen)
                    .isGreaterThan(CONFIGURATIONS / 50);
        }
    }
}
