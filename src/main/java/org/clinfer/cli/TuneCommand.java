package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Tuning;
import org.clinfer.cache.OwnFolder;
import org.clinfer.options.CacheFolder;
import org.clinfer.report.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds out which kernel variants are the fastest on a device. */
@Command(
        name = "tune",
        description =
                "Measures the ways in which the device can run each node of a network, and uses the fastest from then on"
                        + " for all networks; without it the order is that of the descriptions.")
final class TuneCommand implements Callable<Integer> {

    private static final int NODE_WIDTH = 40;

    @Mixin
    private SizedModels models = new SizedModels();

    @Option(names = "--all", description = "Show all nodes that were measured, not only those that change.")
    private boolean all;

    @Mixin
    private PrecisionSelection engines = new PrecisionSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        EngineOptions options = engines.options().withByCost(false);
        if (engines.isCpuAlone()) {
            throw new UsageException("tune measures the kernels of an OpenCL device, and --device cpu has none");
        }
        List<Path> files = models.files();
        try (Engine engine = Engine.open(options)) {
            for (int i = 0; i < files.size(); i++) {
                Path path = models.named().get(i);
                try (Model model = engine.load(files.get(i))) {
                    show(path, tuned(path, model), engine.deviceNote());
                }
            }
        }
        return ExitCode.OK;
    }

    private Tuning tuned(Path path, Model model) {
        try (Progress progress = Progress.of(spec)) {
            progress.show(path.toString());
            return model.tune(models.types(model));
        }
    }

    private void show(Path path, Tuning tuning, String device) {
        PrintWriter out = spec.commandLine().getOut();
        List<Tuning.Node> shown =
                tuning.nodes().stream().filter(node -> all || node.isChanged()).toList();
        if (!shown.isEmpty()) {
            TextTable table = new TextTable().row("NODE", "NODES", "USUAL", "US", "CHOSEN", "US");
            shown.forEach(node -> table.row(
                    TextTable.shortened(node.node(), NODE_WIDTH),
                    Integer.toString(node.count()),
                    node.usual(),
                    micros(node, node.usual()),
                    node.isChanged() ? node.chosen() : "the same",
                    micros(node, node.chosen())));
            Screen.of(spec).print(table);
        }
        long changed = tuning.nodes().stream().filter(Tuning.Node::isChanged).count();
        out.println(path + ": " + changed + " of " + tuning.nodes().size()
                + " different nodes run faster in another way on " + device + "; " + kept(tuning));
    }

    private static String micros(Tuning.Node node, String variant) {
        return String.format(Locale.ROOT, "%.1f", node.micros().getOrDefault(variant, 0.0));
    }

    private static String kept(Tuning tuning) {
        CacheFolder folder = OwnFolder.of(CacheFolder.current());
        return tuning.kept()
                ? "kept in " + folder.path().orElseThrow()
                : "not kept ("
                        + folder.path().map(path -> path + " cannot be written").orElse(folder.reason()) + ")";
    }
}
