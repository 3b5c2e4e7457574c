package org.clinfer.networks;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.judge.ProfileJudge;
import org.clinfer.predict.PredictedLaunch;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.run.HostOperators;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.runtime.PlannedReports;

/** Predicted launches of the networks that are measured, on the GPUs of profiles; weights are zeros. */
final class GpuPredictions implements AutoCloseable {

    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    private final NetworkChecker checker = NetworkChecker.builtIn();
    private final PlannedReports reports = new PlannedReports(
            checker.operators(), new HostOperators(checker.operators(), CpuOperators.builtIn()), List.of());
    private final Graph graph;
    private final CheckedGraph checked;

    /** @param folder for the network's files */
    GpuPredictions(BenchmarkNetwork network, Path folder) {
        graph = Importers.of(checker.operators())
                .read(network.write(folder, network.form().withZeros()).file(), UnsupportedLayers.OPAQUE);
        checked = checker.checked(graph, Map.of());
    }

    /** The profiles of GPUs, by name. */
    static Stream<DeviceProfile> gpus() {
        return PROFILES.profiles().stream().filter(profile -> profile.rules().isRunByKernels());
    }

    /** The launches of a run on the GPU of a profile. */
    List<PredictedLaunch> on(DeviceProfile profile) {
        List<PredictedLaunch> launches =
                reports.launches(checked, new ProfileJudge(profile, PROFILES.vocabulary(), Reading.DOCUMENT));
        if (launches.isEmpty()) {
            throw new IllegalStateException(Objects.toString(graph.source()) + " is not planned for " + profile);
        }
        return launches;
    }

    @Override
    public void close() {
        graph.closeConstants();
    }
}
