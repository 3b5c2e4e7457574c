package org.clinfer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.opencl.ClException;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.run.Executor;
import org.clinfer.run.VariantException;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Runs a model, any number of times and from any thread; runs of one session follow one another. A plan is made at the
 * first run with new input shapes and kept for the next ones. Where data decide sizes, a run goes in stages, and each stage
 * is planned for the sizes that were found before.
 */
public final class Session implements AutoCloseable {

    private static final long CLOSE_SECONDS = 30;

    private final Model model;
    private final PlanBuilder plans;
    private final Engine.Tools tools;
    private final Set<String> shapeInputs;
    private final ReentrantLock lock = new ReentrantLock();
    private final PlanCache<ExecutionPlan> planned;
    private final ReadyPlans ready;
    private final Recovery recovery;
    private final AsyncRuns asynchronous = new AsyncRuns(this::run);

    /** The runs in stages, where data decide sizes. */
    private final @Nullable StagedRuns staged;

    /** For inputs with some of the model's defaults among them, by the names of these. */
    private final Map<Set<String>, Session> supplied = new HashMap<>();

    /** The one that ran last, if it was one of these. */
    private @Nullable Session latestSupplied;

    /** The device on which the plan in use, or in the making, runs. */
    private @Nullable DeviceRuntime device;

    private @Nullable ExecutionPlan latest;
    private volatile boolean closed;

    /** Whether programs may be worth keeping: they are, after their first launches and once the first answer is given. */
    private boolean hasUnstored;

    Session(Model model, PlanBuilder plans, Engine.Tools tools) {
        this.model = model;
        this.plans = plans;
        this.tools = tools;
        this.planned = new PlanCache<>(tools.budget().ready(), MemoryUse::planned);
        this.ready = new ReadyPlans(tools.budget());
        this.recovery = new Recovery(tools.inUse());
        this.shapeInputs = model.shapeInputs();
        this.staged = model.isStaged() ? new StagedRuns(model, model.stages()) : null;
    }

    /**
     * One run.
     *
     * @param inputs one tensor per input of the model, by name, of the input's type of elements and of its shape, in which
     *     equal named dimensions have equal sizes, and perhaps some of {@link Model#defaults}; not changed, and not needed
     *     afterwards
     * @return the outputs, which belong to the caller
     * @throws InputException if an input is missing, unknown, or of the wrong type
     * @throws org.clinfer.graph.GraphException if the model is unsound for these shapes, or needs more memory than there is
     * @throws org.clinfer.graph.UnsupportedException if neither the device nor the CPU can run a node
     * @throws org.clinfer.opencl.ClException if the device fails and the CPU cannot do without it; see
     *     {@link #recoveries}
     * @throws IllegalStateException if the session is closed
     */
    public Result run(Map<String, Tensor> inputs) {
        return run(inputs, () -> false);
    }

    /** One run, unless nobody wants its result any more. */
    Result run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        Optional<Session> other = supplied(inputs);
        if (other.isPresent()) {
            return other.get().run(inputs, stopped);
        }
        return staged == null
                ? new Result(on(inputs, executor -> executor.run(inputs, stopped)))
                : inStages(inputs, stages -> stages.run(inputs, stopped));
    }

    /**
     * One run in a thread of the session's own, after those that were asked for before. The future completes with what
     * {@link #run} gives or throws. Once it is cancelled, a run that has not begun never does, and one that has ends before
     * its next step; what the device has begun by then is waited for in that thread.
     *
     * @param inputs as for {@link #run}; open and unchanged until the future is done, and after a cancellation until the
     *     session's next run or its end
     * @throws IllegalStateException if the session is closed
     */
    public CompletableFuture<Result> runAsync(Map<String, Tensor> inputs) {
        requireOpen();
        return asynchronous.add(inputs);
    }

    /**
     * The same with a deadline, at which the future completes with a {@link java.util.concurrent.TimeoutException} and the
     * run is given up as if it were cancelled.
     *
     * @param deadline from now on, longer than zero
     */
    public CompletableFuture<Result> runAsync(Map<String, Tensor> inputs, Duration deadline) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("the deadline must be later than now, but is " + deadline);
        }
        return runAsync(inputs).orTimeout(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * One run whose nodes are timed one by one, in nanoseconds, on a device by its own clock; the outputs are thrown away.
     *
     * @param inputs as for {@link #run}, with the same exceptions
     */
    public RunProfile profile(Map<String, Tensor> inputs) {
        Optional<Session> other = supplied(inputs);
        if (other.isPresent()) {
            return other.get().profile(inputs);
        }
        return staged == null
                ? on(inputs, executor -> RunProfile.of(executor.timed(inputs), executor.timedSteps(inputs)))
                : inStages(inputs, stages -> stages.profile(inputs));
    }

    /** The session of the network that takes those of the model's defaults which are among the inputs. */
    private Optional<Session> supplied(Map<String, Tensor> inputs) {
        if (model.defaults().isEmpty()) {
            return Optional.empty();
        }
        Set<String> names = new HashSet<>();
        model.defaults().stream()
                .map(Graph.Input::name)
                .filter(inputs::containsKey)
                .forEach(names::add);
        lock.lock();
        try {
            requireOpen();
            latestSupplied = names.isEmpty()
                    ? null
                    : supplied.computeIfAbsent(names, key -> model.supplied(key).session());
            return Optional.ofNullable(latestSupplied);
        } finally {
            unlock();
        }
    }

    private <T> T inStages(Map<String, Tensor> inputs, Function<StagedRuns, T> use) {
        Signature.of(model.graph(), inputs, Set.of());
        lock.lock();
        try {
            requireOpen();
            return use.apply(Objects.requireNonNull(staged));
        } finally {
            unlock();
        }
    }

    private <T> T on(Map<String, Tensor> inputs, Function<Executor, T> use) {
        Signature signature = Signature.of(model.graph(), inputs, shapeInputs);
        lock.lock();
        try {
            while (true) {
                requireOpen();
                try {
                    Executor executor = executor(signature, inputs);
                    latest = executor.plan();
                    device = executor.device().orElse(null);
                    T result = use.apply(executor);
                    recovery.succeeded();
                    return result;
                } catch (ClException e) {
                    recover(e, signature, recovery.after(e, failed(), () -> ready.makeRoom(signature)));
                } catch (UnsupportedException e) {
                    throw recovery.withoutPlan()
                            .<RuntimeException>map(failure -> suppressing(failure, e))
                            .orElse(e);
                } catch (VariantException e) {
                    recover(e.failure(), signature, recovery.after(e, failed(), () -> ready.makeRoom(signature)));
                }
            }
        } finally {
            unlock();
        }
    }

    private Executor executor(Signature signature, Map<String, Tensor> inputs) {
        Optional<Executor> known = ready.find(signature);
        if (known.isPresent()) {
            if (hasUnstored) {
                hasUnstored = false;
                tools.device().ifPresent(DeviceRuntime::storePrograms);
            }
            return known.get();
        }
        Optional<DeviceWeights> weights = model.weights();
        try {
            device = weights.map(DeviceWeights::runtime).orElse(null);
            ExecutionPlan plan = testedPlan(signature, inputs, weights);
            Executor made = ready.add(
                    signature,
                    plan,
                    weights,
                    space -> new Executor(
                            plan,
                            new Executor.Resources(
                                    tools.hostOperators(), tools.parallel(), model.packed(), weights, space)));
            hasUnstored = true;
            return made;
        } finally {
            weights.ifPresent(DeviceWeights::end);
        }
    }

    /** A plan whose kernels have passed their test. */
    private ExecutionPlan testedPlan(Signature signature, Map<String, Tensor> inputs, Optional<DeviceWeights> weights) {
        Map<String, Tensor> values = new HashMap<>(inputs);
        values.keySet().retainAll(shapeInputs);
        while (true) {
            PlanLimits limits = limits();
            ExecutionPlan plan =
                    planned.plan(signature, limits, () -> plans.plan(signature.types(), copies(values), limits));
            if (weights.isEmpty() || !tools.selfTest().refutes(plan, weights.get())) {
                return plan;
            }
        }
    }

    private static ClException suppressing(ClException failure, Throwable other) {
        failure.addSuppressed(other);
        return failure;
    }

    private DeviceRuntime failed() {
        return Objects.requireNonNull(device);
    }

    /** Closes what cannot be used any more, or gives up. */
    private void recover(ClException failure, Signature signature, Recovery.Next next) {
        switch (next) {
            case GIVE_UP -> throw failure;
            case NEW_PLAN -> ready.close(signature);
            case NEW_PLANS -> ready.clear();
        }
    }

    /** Keeps plans made from now on from using a kernel variant. */
    void avoid(String variant, String reason) {
        recovery.avoid(variant, reason);
    }

    /**
     * The steps taken after failures of the device, oldest first; empty where there were none. Each is also logged as a
     * warning, and the reasons of a {@link #placement()} tell what does not run on the device because of it.
     */
    public List<String> recoveries() {
        lock.lock();
        try {
            List<String> steps = new ArrayList<>(staged == null ? recovery.steps() : staged.recoveries());
            supplied.values().forEach(session -> steps.addAll(session.recoveries()));
            return List.copyOf(steps);
        } finally {
            unlock();
        }
    }

    /** Values a plan is made for outlive the caller's tensors. */
    private static Map<String, Tensor> copies(Map<String, Tensor> values) {
        Map<String, Tensor> copies = new HashMap<>();
        values.forEach((name, tensor) -> copies.put(name, tensor.copy()));
        return copies;
    }

    /**
     * The placement for these input types, without running. The next run, if it is of these types, takes the plan.
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for those of the model
     * @throws InputException if a type does not fit the model, or a shape stays unknown
     * @throws IllegalStateException if the session is closed
     */
    public Placement placement(Map<String, TensorType> inputTypes) {
        requireOpen();
        return placement(planned(inputTypes));
    }

    /**
     * The placement of each node in the latest run.
     *
     * @throws IllegalStateException if there was none
     */
    public Placement placement() {
        lock.lock();
        try {
            if (latestSupplied != null) {
                return latestSupplied.placement();
            }
            return staged == null ? placement(latestPlan()) : staged.placement();
        } finally {
            unlock();
        }
    }

    /**
     * The memory that the network takes for these input types, known without running or allocating.
     *
     * @param inputTypes as for {@link #placement(Map)}, with the same exceptions
     */
    public MemoryUse memory(Map<String, TensorType> inputTypes) {
        requireOpen();
        return memory(planned(inputTypes));
    }

    /** True if there is a latest run to ask for. */
    boolean hasRun() {
        return staged == null ? latest != null : staged.hasRun();
    }

    /** The number of plans made; for each signature one, as long as they are kept and the device does not fail. */
    int plansMade() {
        return planned.made();
    }

    private ExecutionPlan planned(Map<String, TensorType> inputTypes) {
        Signature signature = new Signature(Signature.known(model.graph(), inputTypes), Map.of());
        PlanLimits limits = limits();
        return planned.plan(signature, limits, () -> plans.plan(signature.types(), Map.of(), limits));
    }

    /** The limits of plans made now. */
    private PlanLimits limits() {
        PlanLimits limits = recovery.limits();
        return tools.device()
                .map(runtime ->
                        runtime.fault().map(limits::onCpu).orElse(limits).avoiding(runtime.retired()))
                .orElse(limits);
    }

    /**
     * The memory of the latest run, of all its stages where data decide sizes.
     *
     * @throws IllegalStateException if there was none
     */
    public MemoryUse memory() {
        lock.lock();
        try {
            if (latestSupplied != null) {
                return latestSupplied.memory();
            }
            return staged == null ? memory(latestPlan()) : staged.memory();
        } finally {
            unlock();
        }
    }

    private MemoryUse memory(ExecutionPlan plan) {
        return MemoryUse.of(plan, tools.device());
    }

    private ExecutionPlan latestPlan() {
        if (latest == null) {
            throw new IllegalStateException(
                    "nothing was run yet; placement(inputTypes) and memory(inputTypes) plan" + " without a run");
        }
        return latest;
    }

    private Placement placement(ExecutionPlan plan) {
        return Placement.of(plan, tools.device().map(runtime -> runtime.facts().name()));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    /**
     * Waits at most 30 seconds for a run in progress, then frees the session's memory and kernels; a longer run frees
     * them when it ends. Asynchronous runs that have not begun fail. More calls do nothing.
     */
    @Override
    public void close() {
        closed = true;
        asynchronous.close();
        awaitIdle();
        releaseIfIdle();
    }

    private void awaitIdle() {
        if (lock.tryLock()) {
            lock.unlock();
            return;
        }
        try {
            if (lock.tryLock(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends a use of the session; frees what a close() in the meantime had to leave. */
    private void unlock() {
        lock.unlock();
        if (closed) {
            releaseIfIdle();
        }
    }

    /** Frees everything unless the session is in use; then the end of that use does. */
    private void releaseIfIdle() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            ready.clear();
            if (staged != null) {
                staged.close();
            }
            supplied.values().forEach(Session::close);
        } finally {
            lock.unlock();
        }
        model.gone(this);
    }
}
