package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.check.CheckReport;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.fix.Fixer;
import org.clinfer.fix.NetworkFix;
import org.clinfer.fix.ResultDifference;
import org.clinfer.graph.Graph;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.export.OnnxExporter;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.TensorType;

/** The network of {@code check --fix}: changed so that a device runs more of it, written, read again and checked again. */
final class FixedModel {

    private static final String SUFFIX = ".onnx";

    private final Path output;
    private final NetworkChecker checker;
    private final EngineSelection engines;

    FixedModel(Path output, NetworkChecker checker, EngineSelection engines) {
        this.output = output;
        this.checker = checker;
        this.engines = engines;
    }

    /**
     * The report on what was written, or on the network as it was where nothing was.
     *
     * @param lines what was changed, for people
     * @param isWritten whether there is a file; not where nothing was changed, or the results differ
     */
    record Answer(CheckReport report, List<String> lines, boolean isWritten) {}

    /** Refuses what is no name for a network, before any work is done. */
    void requireName() {
        if (!String.valueOf(output.getFileName()).toLowerCase(Locale.ROOT).endsWith(SUFFIX)) {
            throw new UsageException("the file of --fix must end in " + SUFFIX + ", but is " + output);
        }
    }

    /** @param types types of some inputs instead of the model's own */
    Answer of(Graph graph, Map<String, TensorType> types) throws IOException {
        DeviceProfile profile = engines.profiles().profiles().get(0);
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.Cpu())
                .withThreads(engines.threads())
                .withOperators(engines.operators().folders());
        try (Engine cpu = Engine.open(options);
                NetworkFix fix = new Fixer(checker, cpu)
                        .fix(graph, types, profile, engines.profiles().reading())) {
            Optional<String> fault = fix.difference().flatMap(ResultDifference::fault);
            if (fix.applied().isEmpty() || fault.isPresent()) {
                String reason = fault.map(each -> "the results of the whole network differ: " + each)
                        .orElseGet(() -> unchanged(fix.before()));
                return new Answer(fix.before(), FixText.unwritten(fix, reason), false);
            }
            OnnxExporter.Content content;
            try {
                content = new OnnxExporter(checker.operators()).content(fix.network());
            } catch (UnsupportedException inOnnx) {
                String reason = String.valueOf(inOnnx.getMessage());
                return new Answer(fix.before(), FixText.unwritten(fix, reason), false);
            }
            AtomicFile.write(output, content::writeTo);
            CheckReport after = checkedAgain(profile);
            return new Answer(after, FixText.of(fix, after, output), true);
        }
    }

    private static String unchanged(CheckReport before) {
        CheckReport.Summary summary = before.summary();
        return summary.nodesOnDevice() == summary.nodes()
                ? "the device runs all of the network as it is"
                : "no change was found that the device runs";
    }

    private CheckReport checkedAgain(DeviceProfile profile) {
        Graph written = CheckCommand.read(output, checker);
        try {
            return checker.check(written, Map.of(), profile, engines.profiles().reading());
        } finally {
            written.closeConstants();
        }
    }
}
