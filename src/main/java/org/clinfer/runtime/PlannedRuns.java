package org.clinfer.runtime;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.opencl.ClException;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.run.Executor;
import org.clinfer.run.KeptValues;
import org.clinfer.run.VariantException;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Runs of a network that is planned as a whole. */
final class PlannedRuns implements Runs {

    private final Planning planning;
    private final NetworkWeights ownWeights;
    private final EngineContext context;
    private final RunLock lock;
    private final ReadyPlans ready;
    private final Recovery recovery;

    /** The device on which the plan in use, or in the making, runs. */
    private @Nullable DeviceRuntime device;

    private @Nullable ExecutionPlan latest;

    /**
     * The possibility that programs are worth keeping: they are, after their first launches and once the first answer
     * is given.
     */
    private boolean hasUnstored;

    PlannedRuns(Planning planning, NetworkWeights weights, EngineContext context, RunLock lock) {
        this.planning = planning;
        this.ownWeights = weights;
        this.context = context;
        this.lock = lock;
        this.ready = new ReadyPlans(
                context.budget(), context.memory().open(MemoryAccount.Kind.VALUES, "the values of a run"));
        this.recovery = planning.recovery();
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return on(inputs, executor -> run(executor, inputs, stopped));
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs, BooleanSupplier stopped, KeptValues kept) {
        return on(inputs, executor -> executor.keeping(kept, () -> run(executor, inputs, stopped)));
    }

    private Map<String, Tensor> run(Executor executor, Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return recovery.isCautious() ? executor.runOneByOne(inputs, stopped) : executor.run(inputs, stopped);
    }

    @Override
    public List<PartTimes> profile(Map<String, Tensor> inputs) {
        return on(inputs, executor -> List.of(new PartTimes(executor.timed(inputs), executor.timedSteps(inputs))));
    }

    private <T> T on(Map<String, Tensor> inputs, Function<Executor, T> use) {
        Signature signature = planning.signature(inputs);
        lock.begin();
        try {
            while (true) {
                lock.requireOpen();
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
            lock.end();
        }
    }

    private Executor executor(Signature signature, Map<String, Tensor> inputs) {
        Optional<Executor> known = ready.find(signature);
        if (known.isPresent()) {
            if (hasUnstored) {
                hasUnstored = false;
                context.device().ifPresent(DeviceRuntime::storePrograms);
            }
            return known.get();
        }
        Optional<DeviceWeights> weights = ownWeights.onDevice();
        try {
            device = weights.map(DeviceWeights::runtime).orElse(null);
            if (recovery.isCautious()) {
                weights.ifPresent(there -> there.runtime().requireAnswer()); // else no kernel is to blame
            }
            ExecutionPlan plan = planning.testedPlan(signature, inputs, weights);
            ownWeights.hold(plan, weights);
            Executor made = ready.add(
                    signature,
                    plan,
                    weights,
                    space -> new Executor(
                            plan,
                            new Executor.Resources(
                                    context.hostOperators(),
                                    context.parallel(),
                                    ownWeights.packed(),
                                    weights,
                                    space,
                                    context.tracing())));
            hasUnstored = true;
            return made;
        } finally {
            weights.ifPresent(DeviceWeights::end);
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
            case LEAVE -> {
                ready.clear();
                throw new DeviceLeftException(String.valueOf(failure.getMessage()), true);
            }
            case NEW_PLAN -> ready.close(signature);
            case NEW_PLANS -> ready.clear();
        }
    }

    @Override
    public List<RunPart> parts() {
        if (latest == null) {
            throw new IllegalStateException(
                    "nothing was run yet; placement(inputTypes) and memory(inputTypes) plan without a run");
        }
        return List.of(planning.part(latest));
    }

    @Override
    public boolean hasRun() {
        return latest != null;
    }

    @Override
    public List<String> recoveries() {
        return planning.recoveries();
    }

    @Override
    public void close() {
        ready.clear();
    }
}
