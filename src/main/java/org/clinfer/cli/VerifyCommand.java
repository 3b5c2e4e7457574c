package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.clinfer.Engine;
import org.clinfer.cli.io.JsonText;
import org.clinfer.cli.verify.CaseFinder;
import org.clinfer.cli.verify.CaseRunner;
import org.clinfer.cli.verify.OperatorTrials;
import org.clinfer.cli.verify.Outcome;
import org.clinfer.cli.verify.RecordedLayout;
import org.clinfer.cli.verify.TestCase;
import org.clinfer.cli.verify.UserKernels;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.Tolerance;
import org.clinfer.text.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs every recorded test case below some folders, or tries the operators of users, and says which pass. */
@Command(
        name = "verify",
        description =
                "Runs every test case below DIR: a folder with a model file and recorded tensors, as ONNX lays them"
                        + " out (test_data_set_*/input_k.pb, output_k.pb), beside the model, or in ref*/. Without DIR, every operator of"
                        + " --operators is tried by itself: each of its kernels against the CPU, in all its types."
                        + " A case that is unsupported is no failure, but one at least must pass.")
final class VerifyCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "DIR", description = "Folders to search.")
    private List<Path> folders = List.of();

    @Mixin
    private PrecisionSelection engines = new PrecisionSelection();

    @Option(
            names = "--rtol",
            paramLabel = "R",
            description = "Allowed difference relative to the output's largest value (default: 1e-4; 2e-3 for float16"
                    + " and 1.6e-2 for bfloat16 outputs). Integers must be equal.")
    private Optional<Double> relative = Optional.empty();

    @Option(names = "--atol", paramLabel = "A", description = "Allowed difference besides (default: 1e-6).")
    private Optional<Double> absolute = Optional.empty();

    @Option(
            names = "--npy-layout",
            paramLabel = "auto|asis|nchw",
            description = "nchw: the tensors of a network with channels last were recorded with channels first; auto"
                    + " (default): where the case passes so, and not as it is.")
    private RecordedLayout layout = RecordedLayout.AUTO;

    @Option(names = "--summary", description = "Before the last line, count the unsupported cases by what they miss.")
    private boolean summary;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final List<Map<String, String>> records = new ArrayList<>();
    private final Map<String, Integer> missing = new TreeMap<>();
    private int passed;
    private int failed;
    private int unsupported;

    @Override
    public Integer call() throws IOException {
        requireNonNegative("--rtol", relative);
        requireNonNegative("--atol", absolute);
        if (folders.isEmpty()) {
            return tryOperators();
        }
        List<TestCase> cases = new ArrayList<>();
        for (Path folder : folders) {
            cases.addAll(CaseFinder.find(folder));
        }
        if (cases.isEmpty()) {
            throw new UsageException("no test case (a model file with recorded tensors) below "
                    + folders.stream().map(Path::toString).collect(Collectors.joining(", ")));
        }
        try (Progress progress = Progress.of(spec);
                Engine engine = Engine.open(engines.options().withByCost(false))) {
            CaseRunner runner = new CaseRunner(
                    engine,
                    new Tolerance(relative, absolute),
                    layout,
                    new UserKernels(engines.operators().catalog()));
            for (TestCase test : cases) {
                progress.show(passed + failed + unsupported, cases.size(), test.name());
                Outcome outcome = run(runner, test);
                progress.hide();
                note(test.name(), outcome);
            }
            progress.close();
            finish(engine.deviceNote());
        }
        // cases that cannot run say nothing about the others, but where none passes nothing is verified
        return failed == 0 && passed > 0 ? ExitCode.OK : ExitCode.NO;
    }

    /** Tries the operators of {@code --operators} without models. */
    private int tryOperators() {
        if (engines.operators().folders().isEmpty()) {
            throw new UsageException("expected DIR with test cases, or --operators DIR with operators to try");
        }
        OpCatalog catalog = engines.operators().catalog();
        List<OpDescription> operators = OperatorTrials.operators(catalog);
        try (Progress progress = Progress.of(spec);
                Engine engine = Engine.open(engines.options().withByCost(false))) {
            OperatorTrials trials = new OperatorTrials(engine, catalog, new Tolerance(relative, absolute));
            for (int i = 0; i < operators.size(); i++) {
                progress.show(i, operators.size(), operators.get(i).optype());
                if (!Progress.isWatched()) { // a kernel that ends the process is the last one named
                    spec.commandLine()
                            .getErr()
                            .println("trying " + operators.get(i).optype());
                }
                trials.run(operators.get(i), (name, outcome) -> {
                    progress.hide();
                    note(name, outcome);
                });
            }
            progress.close();
            finish(engine.deviceNote());
        }
        return failed == 0 ? ExitCode.OK : ExitCode.NO;
    }

    private static void requireNonNegative(String option, Optional<Double> value) {
        if (value.isPresent() && !(value.get() >= 0)) {
            throw new UsageException(option + " must be at least 0, but is " + value.get());
        }
    }

    /** One case that breaks does not keep the others from running. */
    private Outcome run(CaseRunner runner, TestCase test) {
        try {
            return runner.run(test);
        } catch (IOException | RuntimeException broken) {
            if (Boolean.TRUE.equals(spec.root().findOption("--debug").getValue())) {
                CommandFailure.trace(broken).forEach(spec.commandLine().getErr()::println);
            }
            return new Outcome.Fail(CommandFailure.of(broken).line());
        }
    }

    private void note(String name, Outcome outcome) {
        String word = "PASS";
        String detail = "";
        List<String> log = List.of();
        if (outcome instanceof Outcome.Fail fail) {
            failed++;
            word = "FAIL";
            detail = fail.why();
            log = fail.log();
        } else if (outcome instanceof Outcome.Unsupported lacking) {
            unsupported++;
            missing.merge(lacking.feature(), 1, Integer::sum);
            word = "UNSUPPORTED";
            detail = lacking.feature();
        } else if (outcome instanceof Outcome.Pass pass) {
            passed++;
            detail = pass.how();
        }
        if (json) {
            records.add(Map.of("name", name, "result", word, "detail", detail));
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(word + " " + name + (detail.isEmpty() ? "" : ": " + detail));
        log.forEach(line -> out.println("    " + Printable.of(line)));
        out.flush();
    }

    private void finish(String deviceNote) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("device", deviceNote);
            document.put("cases", records);
            document.put("unsupported_by_feature", missing);
            document.put("passed", passed);
            document.put("failed", failed);
            document.put("unsupported", unsupported);
            JsonText.of(document).lines().forEach(out::println);
            return;
        }
        if (summary && !missing.isEmpty()) {
            out.println("unsupported by feature:");
            TextTable table = new TextTable();
            missing.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                    .forEach(entry -> table.row("  " + entry.getValue(), entry.getKey()));
            Screen.of(spec).print(table);
        }
        out.println(passed + " passed, " + failed + " failed, " + unsupported + " unsupported");
    }
}
