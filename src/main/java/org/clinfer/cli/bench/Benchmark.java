package org.clinfer.cli.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.check.CheckReport;
import org.clinfer.device.CommandCounts;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.trace.TraceEvent;

/** Measures models, one after another, alone or against ONNX Runtime. */
public final class Benchmark {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final int PROFILED_RUNS = 5;

    private final Schedule schedule;
    private final int threads;
    private final Optional<OnnxRuntime> peer;
    private final boolean byOperator;
    private final Optional<StepTrace> trace;

    /**
     * @param threads those of the engine, and of the peer
     * @param byOperator whether to measure, afterwards, where Clinfer's time goes
     * @param trace a sink of the engine, if steps of runs are to be kept
     */
    public Benchmark(
            Schedule schedule, int threads, Optional<OnnxRuntime> peer, boolean byOperator, Optional<StepTrace> trace) {
        this.schedule = schedule;
        this.threads = threads;
        this.peer = peer;
        this.byOperator = byOperator;
        this.trace = trace;
    }

    /** A program after its first run. */
    private record Started<C extends Contender>(C contender, double firstResultMillis, Map<String, Tensor> outputs) {}

    /**
     * Measures one model.
     *
     * @param inputs makes a tensor for each input of a model
     */
    public BenchRecord of(Engine engine, Path file, Function<Model, Map<String, Tensor>> inputs) {
        long start = System.nanoTime();
        try (Model model = engine.load(file)) {
            double loading = millisSince(start);
            Map<String, Tensor> tensors = inputs.apply(model);
            start = System.nanoTime();
            try (SessionContender contender = new SessionContender(model, tensors)) {
                Map<String, Tensor> outputs = contender.outputs();
                Started<SessionContender> own = new Started<>(contender, loading + millisSince(start), outputs);
                CheckReport checked = model.check(types(tensors));
                return peer.isEmpty()
                        ? record(engine, file, checked, own, measured(contender).get(0), Optional.empty())
                        : against(peer.get(), engine, file, checked, own, tensors);
            }
        }
    }

    private BenchRecord against(
            OnnxRuntime other,
            Engine engine,
            Path file,
            CheckReport checked,
            Started<SessionContender> own,
            Map<String, Tensor> tensors) {
        long start = System.nanoTime();
        try (Contender contender = other.load(file, tensors)) {
            Map<String, Tensor> outputs = contender.outputs();
            Started<Contender> theirs = new Started<>(contender, millisSince(start), outputs);
            List<Timings> timings = measured(own.contender(), contender);
            BenchRecord.Peer measured = new BenchRecord.Peer(
                    OnnxRuntime.NAME,
                    other.version(),
                    new BenchRecord.Side(theirs.firstResultMillis(), timings.get(1)),
                    Agreement.of(other, file, tensors, outputs, own.outputs()));
            return record(engine, file, checked, own, timings.get(0), Optional.of(measured));
        }
    }

    private List<Timings> measured(Contender... all) {
        return new Measurement(schedule).of(List.of(all));
    }

    private static OperatorTimes operators(SessionContender contender) {
        return OperatorTimes.of(
                Stream.generate(contender::profile).limit(PROFILED_RUNS).toList());
    }

    /** The steps of a run as usual, and those of a profile, which begin with another one. */
    private static BenchRecord.Steps steps(StepTrace trace, SessionContender contender) {
        List<TraceEvent.Step> run = trace.of(contender::run);
        List<TraceEvent.Step> profile = trace.of(contender::profile);
        return new BenchRecord.Steps(run, profile.subList(Math.min(run.size(), profile.size()), profile.size()));
    }

    /** The commands of one run. */
    private static CommandCounts commands(Engine engine, SessionContender contender) {
        CommandCounts before = engine.commands();
        contender.run();
        return engine.commands().since(before);
    }

    private BenchRecord record(
            Engine engine,
            Path file,
            CheckReport checked,
            Started<SessionContender> own,
            Timings timings,
            Optional<BenchRecord.Peer> measured) {
        return new BenchRecord(
                file.toString(),
                checked.device(),
                threads,
                checked.summary().multiplyAdds(),
                new BenchRecord.Side(own.firstResultMillis(), timings),
                own.contender().memory(),
                commands(engine, own.contender()),
                measured,
                byOperator ? Optional.of(operators(own.contender())) : Optional.empty(),
                trace.map(sink -> steps(sink, own.contender())).orElse(BenchRecord.Steps.NONE));
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / NANOS_PER_MILLI;
    }

    private static Map<String, TensorType> types(Map<String, Tensor> tensors) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> types.put(name, tensor.type()));
        return types;
    }
}
