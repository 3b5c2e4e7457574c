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
import java.util.function.Supplier;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClEvent;
import org.clinfer.opencl.ClQueue;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;
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
     */
    public record Resources(
            HostOperators operators,
            Parallel parallel,
            PackedWeights packed,
            Optional<DeviceWeights> weights,
            RunSpace space) {}

    private final ExecutionPlan plan;
    private final Resources resources;
    private final HostMemory host;
    private final RunOutputs outputs;
    private final Map<String, HostStep> hostSteps = new HashMap<>();
    private @Nullable PreparedSteps prepared;
    private @Nullable DeviceMemory device;
    private @Nullable ClQueue queue;
    private @Nullable StagedValues staged;
    private @Nullable Transfers transfers;
    private @Nullable DeviceWeights weights;
    private KeptValues kept = KeptValues.none();

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
        this.host = new HostMemory(plan, resources.space().host(plan));
        this.outputs = new RunOutputs(plan, host);
        boolean usesDevice = plan.steps().stream().anyMatch(Executor::isLaunch);
        if (usesDevice) {
            try {
                prepare(resources.weights().orElseThrow());
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
        }
    }

    private void prepare(DeviceWeights ofModel) {
        if (!ofModel.begin()) {
            throw new IllegalStateException("the weights on the device are closed");
        }
        weights = ofModel;
        DeviceRuntime runtime = ofModel.runtime();
        RunSpace space = resources.space();
        runtime.begin(PreparedSteps.kernels(plan));
        DeviceMemory memory = new DeviceMemory(runtime, plan, space.device(runtime, plan), ofModel);
        device = memory;
        queue = space.queue(runtime);
        staged = StagedValues.of(plan, runtime.facts());
        prepared = new PreparedSteps(runtime, plan, memory);
        memory.prepared();
    }

    private static boolean isLaunch(Step step) {
        return step instanceof Step.Launch || step instanceof Step.Chain;
    }

    public ExecutionPlan plan() {
        return plan;
    }

    /** The device it launches kernels on; empty where the CPU does everything. */
    public Optional<DeviceRuntime> device() {
        return Optional.ofNullable(weights).map(DeviceWeights::runtime);
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
        return run(inputs, stopped, this::execute);
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
        return run(inputs, stopped, this::executeAlone);
    }

    private Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped, Consumer<Step> execution) {
        return beside(() -> with(inputs, () -> {
            begin();
            for (Step step : plan.steps()) {
                if (stopped.getAsBoolean()) {
                    throw new CancellationException("the run is not wanted any more");
                }
                execution.accept(step);
            }
            return outputs();
        }));
    }

    /** A run beside others, of which each has its share of the processor. */
    private <T> T beside(Supplier<T> run) {
        if (weights == null) {
            resources.parallel().beginRun();
            try {
                return run.get();
            } finally {
                resources.parallel().endRun();
            }
        }
        DeviceRuntime runtime = weights.runtime();
        ClQueue usual = queue;
        OptionalInt unit = runtime.shares().begin();
        try {
            if (unit.isPresent()) {
                queue = resources.space().queue(runtime, unit.getAsInt());
            }
            return run.get();
        } finally {
            queue = usual;
            runtime.shares().end(unit);
        }
    }

    /**
     * One run with what it takes; its outputs are thrown away.
     *
     * @param inputs as for {@link #run}
     * @throws VariantException if the device does not take the kernels of a node
     */
    public RunTimes timed(Map<String, Tensor> inputs) {
        return onProfilingQueue(() -> with(inputs, this::timedRun));
    }

    /**
     * The time that each step takes by itself, in order; the outputs are thrown away.
     *
     * @param inputs as for {@link #run}
     */
    public List<StepTime> timedSteps(Map<String, Tensor> inputs) {
        return onProfilingQueue(() -> with(inputs, () -> {
            begin();
            List<StepTime> times = new ArrayList<>();
            plan.steps().forEach(step -> times.addAll(timed(step)));
            outputs().values().forEach(Tensor::close);
            return times;
        }));
    }

    private <T> T onProfilingQueue(Supplier<T> use) {
        ClQueue usual = queue;
        if (usual == null) {
            return use.get();
        }
        try (ClQueue profiling =
                resources.weights().orElseThrow().runtime().context().queue(true)) {
            queue = profiling;
            return use.get();
        } finally {
            queue = usual;
        }
    }

    private RunTimes timedRun() {
        List<ClEvent> kernels = new ArrayList<>();
        try {
            long start = System.nanoTime();
            begin();
            for (Step step : plan.steps()) {
                if (isLaunch(step)) {
                    prepared().enqueueTimed(step, queue(), kernels);
                } else {
                    execute(step);
                }
            }
            outputs().values().forEach(Tensor::close);
            long runNanos = System.nanoTime() - start;
            return new RunTimes(
                    runNanos, kernels.stream().mapToLong(ClEvent::durationNanos).sum());
        } finally {
            kernels.forEach(ClEvent::close);
        }
    }

    private <T> T with(Map<String, Tensor> inputs, Supplier<T> use) {
        host.begin(inputs);
        try {
            transfers = transfersOfRun();
            return use.get();
        } catch (RuntimeException | Error e) {
            settle(e);
            throw e;
        } finally {
            host.end();
            if (transfers != null) {
                transfers.close();
                transfers = null;
            }
        }
    }

    private @Nullable Transfers transfersOfRun() {
        if (weights == null || staged == null) {
            return null;
        }
        return new Transfers(staged, resources.space().pinned(weights.runtime(), staged.bytes()), resources.parallel());
    }

    private List<StepTime> timed(Step step) {
        if (isLaunch(step)) {
            return prepared().timed(step, queue());
        }
        long start = System.nanoTime();
        execute(step);
        if (queue != null) {
            queue.finish();
        }
        return List.of(new StepTime(step, System.nanoTime() - start));
    }

    /** After a failure: waits until the device touches no host memory of this run any more, where it still can be waited for. */
    private void settle(Throwable failure) {
        if (queue == null) {
            return;
        }
        try {
            queue.finish();
            memory().lent().end();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    private void execute(Step step) {
        if (isLaunch(step)) {
            prepared().enqueue(step, queue());
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
        if (isLaunch(step)) {
            prepared().runAlone(step, queue());
            return;
        }
        execute(step);
        if (queue != null) {
            queue.finish();
        }
    }

    private void upload(String value) {
        Tensor source = host.tensor(value, plan.type(value));
        if (source.elements() == 0) {
            return;
        }
        if (plan.lent().contains(value)) {
            memory().lent().lendInput(value, source.bytes());
        } else {
            send(value, source);
        }
    }

    /** Copies a value to the device; from where it is already, if it is. */
    private void send(String value, Tensor source) {
        ClBuffer target = memory().buffer(value);
        Tensor input = host.input(value);
        if (input != null) {
            Optional<ClBuffer> there = kept.find(input, runtime());
            if (there.isPresent()) {
                queue().copy(there.get(), 0, target, 0, source.type().bytes());
                return;
            }
        }
        // the arena may give what is no input's memory to another value before the queue is finished
        transfers().send(queue(), value, target, source.bytes(), input != null);
        if (input != null) {
            kept.sent(queue(), runtime(), value, input, target);
        }
    }

    private void download(String value) {
        Tensor target = host.tensor(value, plan.type(value));
        if (target.elements() > 0) {
            transfers().read(queue(), value, memory().buffer(value), target.bytes());
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
        outputs.begin(kept, device);
    }

    /** Ends the run, when all commands are done. */
    private Map<String, Tensor> outputs() {
        if (queue == null) {
            return outputs.onHost();
        }
        return outputs.of(memory(), runtime(), queue, transfers());
    }

    private DeviceRuntime runtime() {
        return opened(weights).runtime();
    }

    private static <T> T opened(@Nullable T part) {
        return Objects.requireNonNull(part, "the plan has a device step, but no device was opened");
    }

    private Transfers transfers() {
        return opened(transfers);
    }

    private ClQueue queue() {
        return opened(queue);
    }

    private PreparedSteps prepared() {
        return opened(prepared);
    }

    private DeviceMemory memory() {
        return opened(device);
    }

    @Override
    public void close() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
        queue = null;
        if (device != null) {
            device.close();
            device = null;
        }
        if (weights != null) {
            weights.end();
            weights = null;
        }
    }
}
