package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.report.ReportFormat;
import org.clinfer.report.ReportOptions;
import org.clinfer.report.VerdictChanges;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says of every node of a network where it can run, and why not elsewhere. */
@Command(name = "check", description = "Says of every node of a network where it can run and why, without running it.")
final class CheckCommand implements Callable<Integer> {

    private static final int MAX_OUTPUTS = 1024;

    @Parameters(arity = "0..*", paramLabel = "MODEL", description = "Model files, or folders with one.")
    private List<Path> models = List.of();

    @Option(
            names = "--op",
            paramLabel = "OPERATOR",
            description = "Check one operator of 'clinfer ops' instead of a model; --input names its tensors.")
    private Optional<String> op = Optional.empty();

    @Option(
            names = "--param",
            paramLabel = "NAME=VALUE",
            description = "A parameter of --op, such as strides=2,2; may be repeated.")
    private List<String> params = List.of();

    @Option(
            names = "--input",
            paramLabel = "NAME=SHAPE[:TYPE]",
            description = "Type of an input, such as data=1x3x224x224 or ids=nx16:int64, where n stays open; may be"
                    + " repeated (default: an open batch is 1).")
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

    @Mixin
    private OutputFile output = new OutputFile();

    @Option(
            names = "--fail-on",
            split = ",",
            paramLabel = "falls-back|unsupported|unknown",
            description = "Exit with 1 if a node has this verdict; falls-back includes unsupported. May be repeated."
                    + " An unsupported or invalid node always does.")
    private List<FailOn> failOn = List.of();

    @Option(
            names = "--outputs",
            paramLabel = "N",
            description = "How many outputs --op has where that is open, as for Split (default: 1).")
    private Optional<Integer> outputs = Optional.empty();

    @Option(
            names = "--float32-as",
            paramLabel = "TYPE",
            description =
                    "Let the rules of profiles see the network as it is after quantization or conversion to TYPE, such as"
                            + " int8 or float16.")
    private Optional<DType> float32As = Optional.empty();

    @Option(
            names = "--against",
            paramLabel = "NAME|FILE",
            description =
                    "Also say, behind the report in text, which nodes have another verdict with this profile: another"
                            + " device, or an older version of the same.")
    private Optional<String> against = Optional.empty();

    @Option(
            names = "--as-written",
            description =
                    "Judge the network as its file has it, without what the converter of a profile's family does to it"
                            + " before the device is asked, such as folding batch normalizations.")
    private boolean asWritten;

    @Option(
            names = "--probe",
            description = "Also run every distinct use of an operator on the OpenCL device and compare it with the CPU;"
                    + " where the device disagrees with the rules, the report says so.")
    private boolean probe;

    @Option(
            names = "--extract",
            paramLabel = "DIR",
            description =
                    "Write the parts that are not on the device as models of their own: ONNX, or JSON where ONNX cannot"
                            + " say them.")
    private Optional<Path> failingFolder = Optional.empty();

    @Option(
            names = "--fix",
            paramLabel = "OUT.onnx",
            description =
                    "Look for the smallest changes of the network with which the device runs more of it and the results stay"
                            + " the same, write it as ONNX, and report on that.")
    private Optional<Path> fixed = Optional.empty();

    @Mixin
    private EngineSelection engines = new EngineSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Changes from the profile of {@code --against}, and what {@code --fix} changed. */
    private final List<String> changes = new ArrayList<>();

    /** The file each report is of. */
    private final IdentityHashMap<CheckReport, String> checked = new IdentityHashMap<>();

    @Override
    public Integer call() throws IOException {
        List<Subject> subjects = subjects();
        List<CheckReport> reports = new ArrayList<>();
        List<DeviceProfile> given = float32As
                .map(engines.profiles()::profiles)
                .orElseGet(() -> engines.profiles().profiles());
        int worst;
        try (Progress progress = Progress.of(spec);
                Probing probing = probe ? Probing.on(engines) : Probing.OFF) {
            progress.show(op.orElseGet(() -> models.get(0).toString()));
            if (fixed.isPresent()) {
                worst = fix(fixed.get(), reports);
            } else if (given.isEmpty()) {
                worst = onThisMachine(subjects, reports, probing, progress);
            } else {
                worst = againstProfiles(subjects, given, reports, probing, progress);
            }
        }
        if (!reports.isEmpty()) {
            write(reports);
        }
        return Math.max(worst, answer(reports));
    }

    /** The subject of a check. */
    private sealed interface Subject {}

    private record ModelFile(Path file) implements Subject {}

    /** Of one operator; the types of the inputs are its own. */
    private record Single(Graph graph) implements Subject {}

    private List<Subject> subjects() throws IOException {
        if (op.isPresent() != models.isEmpty()) {
            throw new UsageException("give the models to check, or one operator with --op");
        }
        int count = outputs.orElse(1);
        if (count < 1 || count > MAX_OUTPUTS) {
            throw new UsageException("--outputs must be 1 to " + MAX_OUTPUTS + ", but is " + count);
        }
        if (float32As.isPresent() && engines.profiles().profiles().isEmpty()) {
            throw new UsageException("--float32-as is for device profiles: give one with --profile");
        }
        if (against.isPresent() && engines.profiles().profiles().isEmpty()) {
            throw new UsageException("--against is for device profiles: give one with --profile");
        }
        if (against.isPresent() && format != ReportFormat.TEXT) {
            throw new UsageException("--against is for reports in text: leave out --format");
        }
        if (fixed.isPresent()) {
            requireOneToFix();
        }
        if (asWritten && engines.profiles().profiles().isEmpty()) {
            throw new UsageException("--as-written is for device profiles: give one with --profile");
        }
        if (engines.refusesUnsupported()) {
            throw new UsageException(
                    "--on-unsupported fail is for runs; here --fail-on falls-back says no to such nodes");
        }
        if (op.isEmpty() && !params.isEmpty()) {
            throw new UsageException("--param is a parameter of --op");
        }
        if (op.isEmpty() && outputs.isPresent()) {
            throw new UsageException("--outputs is for --op");
        }
        List<Subject> subjects = new ArrayList<>();
        for (Path model : models) {
            subjects.add(new ModelFile(ModelPath.require(model)));
        }
        op.ifPresent(name -> subjects.add(
                new Single(OperatorArguments.graph(engines.operators().catalog(), name, inputs, params, count))));
        return subjects;
    }

    private static String file(Subject subject) {
        return subject instanceof ModelFile model ? model.file.toString() : "";
    }

    private String shown(Subject subject) {
        return op.orElseGet(() -> file(subject));
    }

    private Map<String, TensorType> types(Subject subject, List<Graph.Input> of) {
        return subject instanceof Single ? Map.of() : InputTypes.of(inputs, of);
    }

    private int onThisMachine(List<Subject> subjects, List<CheckReport> reports, Probing probing, Progress progress)
            throws IOException {
        int worst = ExitCode.OK;
        try (Engine engine = engines.open()) {
            NetworkChecker checker = checker();
            for (Subject subject : subjects) {
                progress.show(subjects.indexOf(subject), subjects.size(), shown(subject));
                try {
                    Graph graph = graph(subject, checker);
                    try (Model model = engine.load(graph)) {
                        CheckReport found = model.check(types(subject, graph.inputs()));
                        add(subject, graph, probing.of(found, graph), reports);
                    }
                    graph.closeConstants();
                } catch (RuntimeException wrong) {
                    progress.hide();
                    worst = Math.max(worst, report(wrong));
                }
            }
        }
        return worst;
    }

    /** Needs no device: the profiles say what theirs can do. */
    private int againstProfiles(
            List<Subject> subjects,
            List<DeviceProfile> given,
            List<CheckReport> reports,
            Probing probing,
            Progress progress)
            throws IOException {
        int worst = ExitCode.OK;
        NetworkChecker checker = checker();
        Optional<DeviceProfile> older = against.map(engines.profiles()::find);
        for (Subject subject : subjects) {
            progress.show(subjects.indexOf(subject), subjects.size(), shown(subject));
            try {
                Graph graph = graph(subject, checker);
                List<CheckReport> found = checker.check(
                        graph,
                        types(subject, graph.inputs()),
                        given,
                        engines.profiles().reading());
                for (CheckReport report : found) {
                    add(subject, graph, probing.of(report, graph), reports);
                }
                if (older.isPresent()) {
                    CheckReport before = checker.withoutPassing()
                            .check(
                                    graph,
                                    types(subject, graph.inputs()),
                                    older.get(),
                                    engines.profiles().reading());
                    found.forEach(now -> changes.addAll(VerdictChanges.lines(before, now)));
                }
                graph.closeConstants();
            } catch (RuntimeException wrong) {
                progress.hide();
                worst = Math.max(worst, report(wrong));
            }
        }
        return worst;
    }

    private void requireOneToFix() {
        if (models.size() != 1 || engines.profiles().profiles().size() != 1) {
            throw new UsageException("--fix is for one model and one profile: give these, and nothing else to check");
        }
        if (probe || against.isPresent() || failingFolder.isPresent()) {
            throw new UsageException(
                    "--fix does not go with --probe, --against or --extract: check the written file again");
        }
    }

    /** Changes the one model for the one profile; the report is on what was written. */
    private int fix(Path output, List<CheckReport> reports) throws IOException {
        Path file = ModelPath.require(models.get(0));
        NetworkChecker checker = checker();
        FixedModel fixer = new FixedModel(output, checker, engines);
        fixer.requireName();
        Graph graph = read(file, checker);
        try {
            FixedModel.Answer answer = fixer.of(graph, InputTypes.of(inputs, graph.inputs()));
            CheckReport shown = answer.report().ofWholes();
            reports.add(shown);
            checked.put(shown, (answer.isWritten() ? output : file).toString());
            if (format == ReportFormat.TEXT) {
                changes.addAll(answer.lines());
            } else {
                answer.lines().forEach(spec.commandLine().getErr()::println);
            }
        } finally {
            graph.closeConstants();
        }
        return ExitCode.OK;
    }

    private static Graph graph(Subject subject, NetworkChecker checker) {
        return subject instanceof Single single ? single.graph : read(((ModelFile) subject).file, checker);
    }

    /** Reads a model as it can be judged: opaque nodes stand for what Clinfer does not have. */
    static Graph read(Path file, NetworkChecker checker) {
        return Importers.of(checker.operators()).read(file, UnsupportedLayers.OPAQUE);
    }

    private NetworkChecker checker() {
        NetworkChecker checker =
                NetworkChecker.builtIn().withOperators(engines.operators().folders());
        NetworkChecker converting = asWritten ? checker.asWritten() : checker;
        NetworkChecker given = float32As.map(converting::withFloat32As).orElse(converting);
        boolean isShort = !explain && (format == ReportFormat.TEXT || format == ReportFormat.MARKDOWN);
        return isShort ? given.withoutPassing() : given;
    }

    private void add(Subject subject, Graph graph, CheckReport report, List<CheckReport> reports) throws IOException {
        CheckReport shown = report.ofWholes();
        reports.add(shown);
        checked.put(shown, file(subject));
        if (failingFolder.isPresent()) {
            OpCatalog catalog = engines.operators().catalog();
            PrintWriter err = spec.commandLine().getErr();
            new ExtractedParts(failingFolder.get(), catalog, err)
                    .write(checker().failing(report, graph), report);
        }
    }

    /** One model that cannot be read does not keep the others from being checked. */
    private int report(RuntimeException wrong) {
        if (models.size() <= 1) {
            throw wrong;
        }
        CommandFailure failure = CommandFailure.of(wrong);
        spec.commandLine().getErr().println("clinfer: " + failure.line());
        return failure.exitCode();
    }

    /** The verdicts that make the answer a no. */
    private Set<Verdict> failing() {
        Set<Verdict> failing = EnumSet.of(Verdict.INVALID, Verdict.UNSUPPORTED);
        failOn.forEach(each -> failing.addAll(each.verdicts()));
        return failing;
    }

    private int answer(List<CheckReport> reports) {
        Set<Verdict> failing = failing();
        boolean no = reports.stream()
                .flatMap(report -> report.nodes().stream())
                .anyMatch(node -> !node.isAdded() && failing.contains(node.verdict()));
        return no ? ExitCode.NO : ExitCode.OK;
    }

    private void write(List<CheckReport> reports) throws IOException {
        ReportOptions options = new ReportOptions(
                explain,
                failing(),
                Version.ofJar().orElse(""),
                report -> checked.getOrDefault(report, ""),
                Instant.now());
        output.write(spec, out -> writeTo(out, reports, options.withWidth(output.width(spec))));
    }

    private void writeTo(Writer out, List<CheckReport> reports, ReportOptions options) throws IOException {
        format.write(reports, options, out);
        if (!changes.isEmpty()) {
            out.write(System.lineSeparator() + System.lineSeparator() + String.join(System.lineSeparator(), changes));
        }
        out.write(System.lineSeparator());
    }
}
