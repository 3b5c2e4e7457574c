package org.clinfer.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.ClQueue;
import org.clinfer.opencl.CommandTimes;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;
import org.clinfer.trace.TraceEvent;
import org.clinfer.tracesinks.Tracing;
import org.jspecify.annotations.Nullable;

/** Carries out one plan, any number of times, one run at a time; not thread-safe. */
public final class Executor implements AutoCloseable {

    /**
     * The resources that an executor works with.
     *
     * @param operators what the CPU runs
     * @param parallel threads for them
     * @param packed what they make of the model's constants
     * @param weights the model's weights on the device, or empty for a plan that needs none
     * @param space what it shares with others, to be closed after it
     * @param tracing told of the steps of runs
     */
    public record Resources(
            HostOperators operators,
            Parallel parallel,
            PackedWeights packed,
            Optional<DeviceWeights> weights,
            RunSpace space,
            Tracing tracing) {}

    private final ExecutionPlan plan;
    private final Resources resources;
    private final HostMemory host;
    private final RunOutputs outputs;
    private final GivenIndices givenIndices;
    private final Map<String, HostStep> hostSteps = new HashMap<>();
    private @Nullable DeviceSide device;
    private KeptValues kept = KeptValues.none();
    private @Nullable StepEvents events;

    /**
     * Takes the plan's memory, uploads its constants and builds its kernels.
     *
     * @throws VariantException if the device does not take the kernels of a node
     * @throws org.clinfer.opencl.ClException if the device fails otherwise
     * @throws IllegalStateException if the weights are closed
     */
    public Executor(ExecutionPlan plan, Resources resources) {
        this.plan = plan;
        this.resources = resources;
        this.host = new HostMemory(
                plan, resources.space().host(plan), resources.space().arrays(plan));
        this.outputs = new RunOutputs(plan, host, resources.space().outputs());
        this.givenIndices = GivenIndices.of(plan);
        if (plan.steps().stream().anyMatch(Executor::isLaunch)) {
            device = DeviceSide.open(plan, resources);
        }
    }

    private static boolean isLaunch(Step step) {
        return step instanceof Step.Launch || step instanceof Step.Chain;
    }

    public ExecutionPlan plan() {
        return plan;
    }

    /** The device it launches kernels on; empty where the CPU does everything. */
    public Optional<DeviceRuntime> device() {
        return Optional.ofNullable(device).map(DeviceSide::runtime);
    }

    /**
     * One run.
     *
     * @param inputs one tensor per graph input, of the planned types
     * @param stopped asked before every step: whether nobody wants the result any more
     * @return the graph's outputs in order, in memory of their own
     * @throws GraphException if an operator is not defined for the elements it gets
     * @throws CancellationException if it is not wanted any more; what was started before is done by then
     */
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return run(plan.steps(), inputs, stopped, this::execute);
    }

    /** Carries out runs in which values stay on the device, or outputs are not wanted. */
    public <T> T keeping(KeptValues values, Supplier<T> runs) {
        kept = values;
        try {
            return runs.get();
        } finally {
            kept = KeptValues.none();
        }
    }

    /**
     * The same node by node, each of which is waited for, so that it is known of which the device failed.
     *
     * @throws VariantException if it fails while the kernels of a node run
     */
    public Map<String, Tensor> runOneByOne(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return run(plan.stepsOneByOne(), inputs, stopped, this::executeAlone);
    }

    private Map<String, Tensor> run(
            List<Step> steps, Map<String, Tensor> inputs, BooleanSupplier stopped, Consumer<Step> execution) {
        Optional<Tracing.OpenRun> traced = resources.tracing().withSteps();
        if (traced.isEmpty()) {
            return beside(true, () -> run(steps, inputs, stopped, execution, StepLog.NONE));
        }
        return beside(
                false,
                () -> recorded(steps, record -> {
                    Map<String, Tensor> outputs = run(steps, inputs, stopped, execution, record);
                    tell(traced.get(), steps, record);
                    return outputs;
                }));
    }

    private Map<String, Tensor> run(
            List<Step> steps,
            Map<String, Tensor> inputs,
            BooleanSupplier stopped,
            Consumer<Step> execution,
            StepLog log) {
        return with(inputs, () -> {
            begin();
            for (int i = 0; i < steps.size(); i++) {
                if (stopped.getAsBoolean()) {
                    throw new CancellationException("the run is not wanted any more");
                }
                log.begin(i);
                outputs.begin(steps.get(i));
                execution.accept(steps.get(i));
                outputs.end(steps.get(i));
                log.end(i);
            }
            log.begin(steps.size());
            Map<String, Tensor> outputs = outputs();
            log.end(steps.size());
            return outputs;
        });
    }

    /**
     * A run beside others, of which each has its share of the processor.
     *
     * @param onUnit whether it takes the queue of a unit; one whose commands are timed has a queue of its own
     */
    private <T> T beside(boolean onUnit, Supplier<T> run) {
        DeviceSide side = device;
        if (side == null) {
            resources.parallel().beginRun();
            try {
                return run.get();
            } finally {
                resources.parallel().endRun();
            }
        }
        UnitShares shares = side.runtime().shares();
        ClQueue usual = side.queue();
        OptionalInt unit = shares.begin();
        try {
            if (onUnit && unit.isPresent()) {
                side.use(side.unitQueue(unit.getAsInt()));
            }
            return run.get();
        } finally {
            side.use(usual);
            shares.end(unit);
        }
    }

    /**
     * One run with what it takes; its outputs are thrown away.
     *
     * @param inputs as for {@link #run}
     * @throws VariantException if the device does not take the kernels of a node
     */
    public RunTimes timed(Map<String, Tensor> inputs) {
        return recorded(plan.steps(), record -> {
            long start = System.nanoTime();
            run(plan.steps(), inputs, () -> false, this::execute, record)
                    .values()
                    .forEach(Tensor::close);
            long runNanos = System.nanoTime() - start;
            resources.tracing().withSteps().ifPresent(traced -> tell(traced, plan.steps(), record));
            long kernelNanos = record.commands().stream()
                    .flatMap(List::stream)
                    .mapToLong(command -> command.isKernel() ? command.deviceNanos() : 0)
                    .sum();
            return new RunTimes(runNanos, kernelNanos);
        });
    }

    /**
     * The time that each step takes by itself, in order; the outputs are thrown away.
     *
     * @param inputs as for {@link #run}
     */
    public List<StepTime> timedSteps(Map<String, Tensor> inputs) {
        List<Step> steps = plan.stepsOneByOne();
        return recorded(steps, record -> {
            run(steps, inputs, () -> false, this::executeAlone, record).values().forEach(Tensor::close);
            resources.tracing().withSteps().ifPresent(traced -> tell(traced, steps, record));
            List<List<CommandTimes>> commands = record.commands();
            List<StepTime> times = new ArrayList<>();
            for (int i = 0; i < steps.size(); i++) {
                long nanos = isLaunch(steps.get(i))
                        ? commands.get(i).stream()
                                .mapToLong(CommandTimes::deviceNanos)
                                .sum()
                        : record.time(i).nanos();
                times.add(new StepTime(steps.get(i), nanos));
            }
            return times;
        });
    }

    private void tell(Tracing.OpenRun traced, List<Step> steps, StepRecord record) {
        if (events == null) {
            String name = device().map(runtime -> runtime.facts().name()).orElse("");
            events = new StepEvents(plan, name);
        }
        List<TraceEvent.Step> told = events.of(traced.number(), steps, record);
        traced.add(told);
        told.forEach(resources.tracing()::add);
    }

    /** Uses a queue that keeps its commands, if there is a device. */
    private <T> T recorded(List<Step> steps, Function<StepRecord, T> use) {
        DeviceSide side = device;
        if (side == null) {
            return use.apply(new StepRecord(steps.size(), null));
        }
        ClQueue usual = side.queue();
        try {
            ClQueue logged = side.loggedQueue();
            side.use(logged);
            try {
                return use.apply(new StepRecord(steps.size(), logged));
            } finally {
                logged.log().close();
            }
        } finally {
            side.use(usual);
        }
    }

    private <T> T with(Map<String, Tensor> inputs, Supplier<T> use) {
        givenIndices.test(inputs);
        host.begin(inputs);
        try {
            if (device != null) {
                device.beginRun();
            }
            return use.get();
        } catch (RuntimeException | Error e) {
            if (device != null) {
                device.settle(e);
            }
            throw e;
        } finally {
            host.end();
            if (device != null) {
                device.endRun();
            }
        }
    }

    private void execute(Step step) {
        if (device != null && !(step instanceof Step.Download)) {
            device.arrive();
        }
        if (isLaunch(step)) {
            side().enqueue(step);
        } else if (step instanceof Step.HostCall call) {
            if (!call.done()) {
                call(call.node());
            }
        } else if (step instanceof Step.Upload upload) {
            upload(upload.value());
        } else if (step instanceof Step.Download download) {
            download(download.value());
        }
    }

    private void executeAlone(Step step) {
        if (step instanceof Step.Launch launch) {
            side().runAlone(launch);
            return;
        }
        execute(step);
        if (device != null) {
            device.arrive();
            device.finish();
        }
    }

    private void upload(String value) {
        Tensor source = host.tensor(value, plan.type(value));
        if (source.elements() > 0) {
            side().upload(value, source, host.input(value), kept);
        }
    }

    private void download(String value) {
        Tensor target = host.tensor(value, plan.type(value));
        if (target.elements() > 0) {
            side().download(value, target);
        }
    }

    private void call(PlacedNode placed) {
        hostSteps
                .computeIfAbsent(
                        placed.form().name(),
                        name -> new HostStep(placed, resources.operators(), resources.packed(), host))
                .run(resources.parallel());
    }

    private void begin() {
        outputs.begin(kept, device == null ? null : device.memory());
    }

    /** Ends the run, when all commands are done. */
    private Map<String, Tensor> outputs() {
        DeviceSide side = device;
        return side == null ? outputs.onHost() : side.results(outputs);
    }

    private DeviceSide side() {
        return Objects.requireNonNull(device, "the plan has a device step, but no device was opened");
    }

    @Override
    public void close() {
        if (device != null) {
            device.close();
            device = null;
        }
    }
}
