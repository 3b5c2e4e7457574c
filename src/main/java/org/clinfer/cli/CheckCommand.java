package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.clinfer.CapabilityChecker;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.graph.Graph;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.report.ReportFormat;
import org.clinfer.report.ReportOptions;
import org.clinfer.tensor.Tensor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says of every node of a network where it can run, and why not elsewhere. */
@Command(name = "check", description = "Says of every node of a network where it can run and why, without running it.")
final class CheckCommand implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "MODEL", description = "Model files, or folders with a model.json.")
    private List<Path> models = List.of();

    @Option(
            names = "--input",
            paramLabel = "NAME=SHAPE[:TYPE]",
            description = "Type of an input, such as data=1x3x224x224 or ids=1x16:int64; may be repeated.")
    private List<String> inputs = List.of();

    @Option(
            names = "--format",
            paramLabel = "text|json|html|sarif|junit|markdown",
            description = "Form of the report (default: text).")
    private ReportFormat format = ReportFormat.TEXT;

    @Option(
            names = "--explain",
            description =
                    "Show everything in text and Markdown: all nodes, and of each broken rule the limit, its place and"
                            + " source, and what would pass.")
    private boolean explain;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the report to FILE instead of stdout.")
    private Optional<Path> output = Optional.empty();

    @Option(
            names = "--fail-on",
            split = ",",
            paramLabel = "falls-back|unsupported|unknown",
            description = "Exit with 1 if a node has this verdict; falls-back includes unsupported. May be repeated."
                    + " An invalid node always does.")
    private List<FailOn> failOn = List.of();

    @Mixin
    private EngineSelection engines = new EngineSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The file each report is of. */
    private final IdentityHashMap<CheckReport, String> checked = new IdentityHashMap<>();

    @Override
    public Integer call() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path model : models) {
            files.add(ModelPath.require(model));
        }
        List<CheckReport> reports = new ArrayList<>();
        List<DeviceProfile> given = engines.profiles().profiles();
        int worst = given.isEmpty() ? onThisMachine(files, reports) : againstProfiles(files, given, reports);
        if (!reports.isEmpty()) {
            write(reports);
        }
        return Math.max(worst, answer(reports));
    }

    private int onThisMachine(List<Path> files, List<CheckReport> reports) {
        int worst = ExitCode.OK;
        try (Engine engine = engines.open()) {
            for (Path file : files) {
                try (Model model = engine.load(file)) {
                    CheckReport report = model.check(InputTypes.of(inputs, model.inputs()));
                    reports.add(report);
                    checked.put(report, file.toString());
                } catch (RuntimeException wrong) {
                    worst = Math.max(worst, report(wrong));
                }
            }
        }
        return worst;
    }

    /** Needs no device: the profiles say what theirs can do. */
    private int againstProfiles(List<Path> files, List<DeviceProfile> given, List<CheckReport> reports) {
        int worst = ExitCode.OK;
        CapabilityChecker checker =
                CapabilityChecker.builtIn().withOperators(engines.operators().folders());
        for (Path file : files) {
            try {
                Graph graph = checker.read(file);
                List<CheckReport> found = checker.check(
                        graph,
                        InputTypes.of(inputs, graph.inputs()),
                        given,
                        engines.profiles().reading());
                reports.addAll(found);
                found.forEach(report -> checked.put(report, file.toString()));
                graph.constants().values().forEach(Tensor::close);
            } catch (RuntimeException wrong) {
                worst = Math.max(worst, report(wrong));
            }
        }
        return worst;
    }

    /** One model that cannot be read does not keep the others from being checked. */
    private int report(RuntimeException wrong) {
        if (models.size() == 1) {
            throw wrong;
        }
        Failure failure = Failure.of(wrong);
        spec.commandLine().getErr().println("clinfer: " + failure.line());
        return failure.exitCode();
    }

    /** The verdicts that make the answer a no. */
    private Set<Verdict> failing() {
        Set<Verdict> failing = EnumSet.of(Verdict.INVALID);
        failOn.forEach(each -> failing.addAll(each.verdicts()));
        return failing;
    }

    private int answer(List<CheckReport> reports) {
        Set<Verdict> failing = failing();
        boolean no = reports.stream()
                .flatMap(report -> report.nodes().stream())
                .anyMatch(node -> failing.contains(node.verdict()));
        return no ? ExitCode.NO : ExitCode.OK;
    }

    private void write(List<CheckReport> reports) throws IOException {
        ReportOptions options = new ReportOptions(
                explain, failing(), Version.ofJar().orElse(""), report -> checked.getOrDefault(report, ""));
        String text = format.write(reports, options);
        if (output.isEmpty()) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(text);
            return;
        }
        byte[] bytes = (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
        AtomicFile.write(output.get(), out -> out.write(bytes));
    }
}
