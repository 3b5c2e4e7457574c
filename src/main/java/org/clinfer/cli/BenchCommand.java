package org.clinfer.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.check.CheckReport;
import org.clinfer.cli.bench.BenchRecord;
import org.clinfer.cli.bench.BenchText;
import org.clinfer.cli.bench.Contender;
import org.clinfer.cli.bench.Measurement;
import org.clinfer.cli.bench.Schedule;
import org.clinfer.cli.bench.SessionContender;
import org.clinfer.cli.bench.Timings;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures how long networks take. */
@Command(
        name = "bench",
        description =
                "Measures how long networks take, on random inputs: median, p10 and p90 of many runs, and the time"
                        + " from the file to the first result.")
final class BenchCommand implements Callable<Integer> {

    private static final double NANOS_PER_MILLI = 1e6;

    @Parameters(arity = "1..*", paramLabel = "MODEL", description = "Model files, or folders with a model.json.")
    private List<Path> models = List.of();

    @Option(
            names = "--input",
            paramLabel = "NAME=SHAPE[:TYPE]",
            description = "Size of an input that the model leaves open, such as data=1x3x224x224; may be repeated.")
    private List<String> inputs = List.of();

    @Option(names = "--runs", paramLabel = "N", description = "Measured runs (default: about 3 s, at least 10).")
    private Optional<Integer> runs = Optional.empty();

    @Option(names = "--warmup", paramLabel = "N", description = "Runs before these (default: about 0.5 s, at least 2).")
    private Optional<Integer> warmUps = Optional.empty();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to FILE instead of stdout.")
    private Optional<Path> output = Optional.empty();

    @Mixin
    private EngineSelection engines = new EngineSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        requireAtLeast("--runs", 1, runs);
        requireAtLeast("--warmup", 0, warmUps);
        List<Path> files = new ArrayList<>();
        for (Path model : models) {
            files.add(ModelPath.require(model));
        }
        List<BenchRecord> records = new ArrayList<>();
        Progress progress = Progress.on(spec.commandLine().getErr(), true);
        int worst = ExitCode.OK;
        try (Engine engine = engines.open()) {
            for (Path file : files) {
                progress.show(records.size(), files.size(), file.toString());
                try {
                    records.add(measure(engine, file));
                } catch (RuntimeException wrong) {
                    progress.done();
                    worst = Math.max(worst, report(wrong));
                }
            }
            progress.done();
            if (!records.isEmpty()) {
                write(json ? List.of(BenchText.json(records)) : BenchText.table(records, engine.deviceNote()));
            }
        }
        return worst;
    }

    private static void requireAtLeast(String option, int least, Optional<Integer> value) {
        if (value.isPresent() && value.get() < least) {
            throw new UsageException(option + " must be at least " + least + ", but is " + value.get());
        }
    }

    /** One model that fails does not keep the others from being measured. */
    private int report(RuntimeException wrong) {
        if (models.size() == 1) {
            throw wrong;
        }
        Failure failure = Failure.of(wrong);
        spec.commandLine().getErr().println("clinfer: " + failure.line());
        return failure.exitCode();
    }

    private BenchRecord measure(Engine engine, Path file) {
        long start = System.nanoTime();
        try (Model model = engine.load(file)) {
            long loaded = System.nanoTime();
            Map<String, Tensor> tensors = random(model);
            long filled = System.nanoTime();
            try (Contender own = new SessionContender(model, tensors)) {
                own.run();
                double first = (loaded - start + System.nanoTime() - filled) / NANOS_PER_MILLI;
                Timings timings = new Measurement(new Schedule(runs, warmUps))
                        .of(List.of(own))
                        .get(0);
                CheckReport checked = model.check(types(tensors));
                return new BenchRecord(
                        file.toString(),
                        checked.device(),
                        engines.threads(),
                        checked.summary().multiplyAdds(),
                        new BenchRecord.Side(first, timings),
                        Optional.empty());
            }
        }
    }

    private static Map<String, TensorType> types(Map<String, Tensor> tensors) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> types.put(name, tensor.type()));
        return types;
    }

    /** Always the same values for the same inputs. */
    private Map<String, Tensor> random(Model model) {
        Map<String, TensorType> given = InputTypes.of(inputs, model.inputs());
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (Graph.Input input : model.inputs()) {
            TensorType type = given.getOrDefault(input.name(), input.type());
            if (!type.shape().isKnown()) {
                throw new UsageException("input '" + input.name() + "' is " + type + ": give its size with --input "
                        + input.name() + "=SHAPE");
            }
            tensors.put(input.name(), Filling.random(tensors.size()).tensor(type));
        }
        return tensors;
    }

    private void write(List<String> lines) throws IOException {
        if (output.isEmpty()) {
            lines.forEach(spec.commandLine().getOut()::println);
            return;
        }
        byte[] bytes =
                (String.join(System.lineSeparator(), lines) + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
        AtomicFile.write(output.get(), out -> out.write(bytes));
    }
}
