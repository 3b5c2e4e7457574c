package org.clinfer.cli;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.cli.bench.Agreement;
import org.clinfer.cli.bench.BenchPage;
import org.clinfer.cli.bench.BenchRecord;
import org.clinfer.cli.bench.BenchText;
import org.clinfer.cli.bench.Benchmark;
import org.clinfer.cli.bench.ClientLoads;
import org.clinfer.cli.bench.OnnxRuntime;
import org.clinfer.cli.bench.PeerJar;
import org.clinfer.cli.bench.SavedBench;
import org.clinfer.cli.bench.Schedule;
import org.clinfer.cli.bench.StepTrace;
import org.clinfer.cli.bench.Throughput;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.tensor.Tensor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Measures how long networks take. */
@Command(
        name = "bench",
        description =
                "Measures how long networks take, on random inputs: median, p10 and p90 of many runs, and the time"
                        + " from the file to the first result.")
final class BenchCommand implements Callable<Integer> {

    private static final String ONNX = ".onnx";

    @Mixin
    private SizedModels models = new SizedModels();

    @Option(names = "--runs", paramLabel = "N", description = "Measured runs (default: about 3 s, at least 10).")
    private Optional<Integer> runs = Optional.empty();

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "Runs before these (default: 0.5 s, up to 3 s while runs become faster).")
    private Optional<Integer> warmUps = Optional.empty();

    /** The programs there are to compare with. */
    private enum PeerName {
        ONNXRUNTIME
    }

    @Option(
            names = "--peer",
            paramLabel = "onnxruntime",
            description =
                    "Also measure ONNX Runtime on the CPU, in turns, with --threads threads and the same inputs, and"
                            + " compare the outputs; .onnx files only.")
    private Optional<PeerName> peer = Optional.empty();

    @Option(
            names = "--peer-jar",
            paramLabel = "JAR",
            description = "Its Java library (default: the property " + PeerJar.PROPERTY
                    + ", else the newest in Maven's local repository).")
    private Optional<Path> peerJar = Optional.empty();

    @Option(
            names = "--by-operator",
            description =
                    "Also show how long the nodes of each operator take, one by one, on a device by its own clock.")
    private boolean byOperator;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            description = "Measure the runs in a second of N sessions at once instead, and where --device names several"
                    + " devices, those on the first of them alone beside it, in turns.")
    private Optional<Integer> sessions = Optional.empty();

    @Option(
            names = "--clients",
            split = ",",
            paramLabel = "N",
            description = "Measure the requests in a second of N clients at once instead, who share a pool of sessions,"
                    + " and with --peer its one session; several numbers one after the other.")
    private List<Integer> clients = List.of();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write a page: time by operator, the timeline of a run, memory and a roofline; several"
                    + " models side by side.")
    private Optional<Path> html = Optional.empty();

    @Option(
            names = "--beside",
            paramLabel = "FILE",
            description =
                    "Show in the page, beside each model, what another run measured of it, and what changed: FILE is"
                            + " that run's page, or its output with --json and --by-operator.")
    private Optional<Path> beside = Optional.empty();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Mixin
    private OutputFile output = new OutputFile();

    @Mixin
    private PrecisionSelection engines = new PrecisionSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        requireAtLeast("--runs", 1, runs);
        requireAtLeast("--warmup", 0, warmUps);
        List<Path> files = models.files();
        for (Integer count : clients) {
            requireAtLeast("--clients", 1, Optional.of(count));
        }
        if (peerJar.isPresent() && peer.isEmpty()) {
            throw new UsageException("--peer-jar needs --peer");
        }
        if (beside.isPresent() && html.isEmpty()) {
            throw new UsageException("--beside needs --html");
        }
        if (!clients.isEmpty() && (sessions.isPresent() || byOperator || html.isPresent())) {
            throw new UsageException("--clients cannot be combined with --sessions, --by-operator or --html");
        }
        if (sessions.isPresent()) {
            requireAtLeast("--sessions", 1, sessions);
            if (peer.isPresent() || byOperator || html.isPresent()) {
                throw new UsageException("--sessions cannot be combined with --peer, --by-operator or --html");
            }
            return throughput(files, sessions.get());
        }
        if (peer.isEmpty()) {
            return measureAlone(files);
        }
        for (Path file : files) {
            if (!file.toString().endsWith(ONNX)) {
                throw new UsageException(file + ": the peer reads " + ONNX + " files alone");
            }
        }
        try (OnnxRuntime other = OnnxRuntime.open(PeerJar.find(peerJar), engines.threads())) {
            return clients.isEmpty() ? measure(files, Optional.of(other)) : load(files, Optional.of(other));
        }
    }

    private int measureAlone(List<Path> files) throws IOException {
        return clients.isEmpty() ? measure(files, Optional.empty()) : load(files, Optional.empty());
    }

    /** Requests in a second of so many clients. */
    private int load(List<Path> files, Optional<OnnxRuntime> other) throws IOException {
        List<ClientLoads> measured = new ArrayList<>();
        int worst;
        try (Progress progress = Progress.of(spec);
                Engine engine = engines.open()) {
            worst = each(
                    progress,
                    files,
                    measured,
                    file -> ClientLoads.of(engine, file, clients, new Schedule(runs, warmUps), other, this::random));
            if (!measured.isEmpty()) {
                write(
                        json
                                ? ClientLoads.json(measured, engine.cpuPath())
                                        .lines()
                                        .toList()
                                : ClientLoads.table(measured));
            }
        }
        for (ClientLoads each : measured) {
            worst = Math.max(worst, disagreement(each.model(), each.agreement()));
        }
        return worst;
    }

    private int measure(List<Path> files, Optional<OnnxRuntime> other) throws IOException {
        List<JsonNode> saved = beside.isPresent() ? SavedBench.read(beside.get()) : List.of();
        boolean keepsSteps = html.isPresent() || (byOperator && json);
        Optional<StepTrace> steps = keepsSteps ? Optional.of(new StepTrace()) : Optional.empty();
        Benchmark benchmark = new Benchmark(
                new Schedule(runs, warmUps),
                engines.threads(),
                other,
                byOperator || engines.isTraced() || html.isPresent(),
                steps);
        List<BenchRecord> records = new ArrayList<>();
        int worst;
        try (Progress progress = Progress.of(spec);
                Engine engine = engines.open(steps)) {
            engines.tellHostPeak();
            Optional<DeviceSpeed> speed = engine.deviceSpeed();
            worst = each(progress, files, records, file -> benchmark.of(engine, file, this::random));
            if (!records.isEmpty()) {
                String path = engine.cpuPath();
                write(
                        json
                                ? BenchText.json(records, path, engines.precision(), speed)
                                        .lines()
                                        .toList()
                                : BenchText.table(
                                        records,
                                        engine.deviceNote(),
                                        path,
                                        engines.precision(),
                                        speed,
                                        output.width(spec)));
            }
            if (!records.isEmpty() && html.isPresent()) {
                StringWriter page = new StringWriter();
                BenchPage.write(records, saved, engine.deviceNote(), speed, page);
                byte[] bytes = page.toString().getBytes(StandardCharsets.UTF_8);
                AtomicFile.write(html.get(), out -> out.write(bytes));
            }
        }
        for (BenchRecord each : records) {
            worst = Math.max(worst, disagreement(each.model(), each.peer().map(BenchRecord.Peer::agreement)));
        }
        return worst;
    }

    /** Runs in a second on the first device and on all, or on what there is. */
    private int throughput(List<Path> files, int count) throws IOException {
        List<Throughput> measured = new ArrayList<>();
        int worst;
        try (Progress progress = Progress.of(spec);
                Engine all = engines.open();
                Engine first = engines.openFirst()) {
            List<Engine> compared = all.devices().size() > 1 ? List.of(first, all) : List.of(all);
            worst = each(
                    progress,
                    files,
                    measured,
                    file -> Throughput.of(compared, file, count, new Schedule(runs, warmUps), this::random));
            if (!measured.isEmpty()) {
                write(
                        json
                                ? Throughput.json(measured, all.cpuPath())
                                        .lines()
                                        .toList()
                                : Throughput.table(measured, output.width(spec)));
            }
        }
        return worst;
    }

    /**
     * Measures one model after another, and ends the progress.
     *
     * @param measured takes what was measured
     * @return the worst exit code of those that fail
     */
    private <T> int each(Progress progress, List<Path> files, List<T> measured, Function<Path, T> measurement) {
        int worst = ExitCode.OK;
        for (Path file : files) {
            progress.show(measured.size(), files.size(), file.toString());
            try {
                measured.add(measurement.apply(file));
            } catch (RuntimeException wrong) {
                progress.hide();
                worst = Math.max(worst, report(wrong));
            }
        }
        progress.close();
        return worst;
    }

    /** Says where two programs do not compute the same. */
    private int disagreement(String model, Optional<Agreement> agreement) {
        if (agreement.isEmpty() || agreement.get().isGiven()) {
            return ExitCode.OK;
        }
        spec.commandLine()
                .getErr()
                .println("clinfer: " + model + ": " + agreement.get().sentence());
        return ExitCode.NO;
    }

    private static void requireAtLeast(String option, int least, Optional<Integer> value) {
        if (value.isPresent() && value.get() < least) {
            throw new UsageException(option + " must be at least " + least + ", but is " + value.get());
        }
    }

    /** One model that fails does not keep the others from being measured. */
    private int report(RuntimeException wrong) {
        if (models.named().size() == 1) {
            throw wrong;
        }
        CommandFailure failure = CommandFailure.of(wrong);
        spec.commandLine().getErr().println("clinfer: " + failure.line());
        return failure.exitCode();
    }

    /** Always the same values for the same inputs. */
    private Map<String, Tensor> random(Model model) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        models.types(model)
                .forEach((name, type) ->
                        tensors.put(name, Filling.random(tensors.size()).tensor(type)));
        return tensors;
    }

    private void write(List<String> lines) throws IOException {
        output.write(spec, out -> {
            for (String line : lines) {
                out.write(line + System.lineSeparator());
            }
        });
    }
}
