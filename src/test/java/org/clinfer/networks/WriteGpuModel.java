package org.clinfer.networks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.conformance.ProgramFiles;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSources;
import org.clinfer.predict.LaunchTime;
import org.clinfer.predict.LaunchWork;
import org.clinfer.predict.PredictedLaunch;
import org.clinfer.predict.RegisterTile;
import org.clinfer.profile.DeviceProfile;

/**
 * Writes what is predicted for the networks that are measured on the GPUs of profiles, for {@code src/dev/gpu-model.sh}:
 * their programs as {@link ProgramFiles}, and {@code launches.tsv} with a line for each launch: profile, title, network,
 * node, kernel file, kernel, options, work-groups, work-items of a group, tile (empty without one), products of a group,
 * bytes moved, and the seconds of products, local memory, memory, latency and launch.
 */
final class WriteGpuModel {

    private final Path folder;
    private final ProgramFiles programs = new ProgramFiles(KernelSources.packaged());
    private final List<String> lines = new ArrayList<>();

    private WriteGpuModel(Path folder) {
        this.folder = folder;
    }

    /** Takes the folder. */
    public static void main(String[] args) throws IOException {
        WriteGpuModel model = new WriteGpuModel(Path.of(args[0]));
        for (BenchmarkNetwork network : BenchmarkNetwork.values()) {
            model.add(network);
        }
        model.programs.write(model.folder);
        Files.write(model.folder.resolve("launches.tsv"), model.lines, StandardCharsets.UTF_8);
    }

    private void add(BenchmarkNetwork network) throws IOException {
        Path files = Files.createDirectories(folder.resolve("networks"));
        try (GpuPredictions predictions = new GpuPredictions(network, files)) {
            GpuPredictions.gpus().forEach(profile -> add(network, profile, predictions.on(profile)));
        }
    }

    private void add(BenchmarkNetwork network, DeviceProfile profile, List<PredictedLaunch> launches) {
        for (PredictedLaunch predicted : launches) {
            programs.add(profile.name(), predicted.launch());
            predicted
                    .node()
                    .launches()
                    .ifPresent(plan -> plan.staticRun().forEach(launch -> programs.add(profile.name(), launch)));
            lines.add(line(network, profile, predicted));
        }
    }

    private static String line(BenchmarkNetwork network, DeviceProfile profile, PredictedLaunch predicted) {
        KernelLaunch launch = predicted.launch();
        LaunchWork work = predicted.work();
        LaunchTime time = predicted.time();
        List<Object> cells = List.of(
                profile.name(),
                profile.title(),
                network.fileName(),
                predicted.node().written().name(),
                launch.file(),
                launch.entry(),
                launch.options(),
                work.groups(),
                work.groupItems(),
                work.tile().map(RegisterTile::toString).orElse(""),
                work.products(),
                work.movedBytes(),
                time.productSeconds(),
                time.localSeconds(),
                time.memorySeconds(),
                time.latencySeconds(),
                time.launchSeconds());
        return cells.stream().map(String::valueOf).collect(Collectors.joining("\t"));
    }
}
