package org.clinfer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.runtime.AsyncRuns;
import org.clinfer.runtime.Networks;
import org.clinfer.runtime.RunLock;
import org.clinfer.runtime.SessionRuns;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Runs a model, any number of times and from any thread; runs of one session follow one another. A plan is made at the
 * first run with new input shapes and kept for the next ones, on each device of the engine that a run is on. Where data decide sizes, a run goes in stages, and each stage
 * is planned for the sizes that were found before.
 */
public final class Session implements AutoCloseable {

    private final SessionRuns runs;
    private final RunLock lock = new RunLock(this::release);
    private final AsyncRuns<Result> asynchronous = new AsyncRuns<>(this::run, Result::close);
    private final Consumer<Session> released;
    private final Set<IoBinding> bindings = ConcurrentHashMap.newKeySet();
    private final Graph graph;

    /** @param released told when the session has released everything of its own */
    Session(Networks network, Consumer<Session> released) {
        this.graph = network.graph();
        this.runs = network.runs(lock);
        this.released = released;
    }

    /**
     * One run.
     *
     * @param inputs one tensor per input of the model, by name, of the input's type of elements and of its shape, in which
     *     equal named dimensions have equal sizes, and perhaps some of {@link Model#defaults}; not changed, and not needed
     *     afterwards. A {@linkplain org.clinfer.graph.Specializations sequence} may be a tensor {@code x[0]}, {@code x[1]} … for each
     *     value instead, and an optional value may be left out.
     * @return the outputs, which belong to the caller
     * @throws InputException if an input is missing, unknown, or of the wrong type
     * @throws org.clinfer.graph.GraphException if the model is unsound for these shapes, or needs more memory than there is
     * @throws org.clinfer.errors.MemoryLimitException if it needs more memory than the engine may hold
     * @throws org.clinfer.graph.UnsupportedException if neither the device nor the CPU can run a node
     * @throws org.clinfer.errors.DeviceException if the device fails and the CPU cannot do without it; see
     *     {@link #recoveries}
     * @throws IllegalStateException if the session is closed
     */
    public Result run(Map<String, Tensor> inputs) {
        return run(inputs, () -> false);
    }

    /** One run, unless nobody wants its result any more. */
    Result run(Map<String, Tensor> inputs, BooleanSupplier stopped) {
        return new Result(runs.run(inputs, stopped));
    }

    /**
     * {@return inputs and outputs that stay from one run to the next, on the device where there is one: the state of
     * a decoder, say}
     *
     * @throws IllegalStateException if the session is closed
     */
    public IoBinding bind() {
        return betweenRuns(() -> {
            lock.requireOpen();
            IoBinding binding = new IoBinding(graph, runs, lock, bindings::remove);
            bindings.add(binding);
            return binding;
        });
    }

    /**
     * {@return one run in a thread of the session's own, after those that were asked for before} The future completes
     * with what {@link #run} gives or throws. Once it is cancelled, a run that has not begun never does, and one that
     * has ends before its next step; what the device has begun by then is waited for in that thread.
     *
     * @param inputs as for {@link #run}; open and unchanged until the future is done, and after a cancellation until the
     *     session's next run or its end
     * @throws IllegalStateException if the session is closed
     */
    public CompletableFuture<Result> runAsync(Map<String, Tensor> inputs) {
        lock.requireOpen();
        return asynchronous.add(inputs);
    }

    /**
     * {@return the same with a deadline, at which the future completes with a {@link
     * java.util.concurrent.TimeoutException} and the run is given up as if it were cancelled}
     *
     * @param inputs as for {@link #run}
     * @param deadline from now on, longer than zero
     * @throws IllegalArgumentException for a deadline that is not longer than zero
     */
    public CompletableFuture<Result> runAsync(Map<String, Tensor> inputs, Duration deadline) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("the deadline must be later than now, but is " + deadline);
        }
        return runAsync(inputs).orTimeout(TimeUnit.NANOSECONDS.convert(deadline), TimeUnit.NANOSECONDS);
    }

    /**
     * {@return one run whose nodes are timed one by one, in nanoseconds, on a device by its own clock; the outputs
     * are thrown away}
     *
     * @param inputs as for {@link #run}, with the same exceptions
     */
    public RunProfile profile(Map<String, Tensor> inputs) {
        return RunProfile.of(runs.profile(inputs));
    }

    /** Keeps plans made from now on from using a kernel variant. */
    void avoid(String variant, String reason) {
        runs.avoid(variant, reason);
    }

    /** The number of plans made; for each signature one on each device, as long as they are kept and no device fails. */
    int plansMade() {
        return runs.plansMade();
    }

    /**
     * {@return the steps taken after failures of the device, oldest first, of several devices one after the other;
     * empty where there were none} Each is also logged as a warning, and the reasons of a {@link #placement()} tell
     * what does not run on the device because of it.
     */
    public List<String> recoveries() {
        return betweenRuns(() -> List.copyOf(runs.recoveries()));
    }

    /**
     * {@return the placement for these input types, without running} The next run, if it is of these types, takes the
     * plan.
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for those of the model
     * @throws InputException if a type does not fit the model, or a shape stays unknown
     * @throws IllegalStateException if the session is closed
     */
    public Placement placement(Map<String, TensorType> inputTypes) {
        lock.requireOpen();
        return Placement.of(List.of(runs.plan(inputTypes)));
    }

    /**
     * {@return the placement of each node in the latest run}
     *
     * @throws IllegalStateException if there was none
     */
    public Placement placement() {
        return Placement.of(betweenRuns(runs::parts));
    }

    /**
     * {@return the memory that the network takes for these input types, known without running or allocating}
     *
     * @param inputTypes as for {@link #placement(Map)}, with the same exceptions
     */
    public MemoryUse memory(Map<String, TensorType> inputTypes) {
        lock.requireOpen();
        return MemoryUse.of(List.of(runs.plan(inputTypes)));
    }

    /**
     * {@return the memory of the latest run, of all its stages where data decide sizes}
     *
     * @throws IllegalStateException if there was none
     */
    public MemoryUse memory() {
        return MemoryUse.of(betweenRuns(runs::parts));
    }

    private <T> T betweenRuns(Supplier<T> question) {
        lock.begin();
        try {
            return question.get();
        } finally {
            lock.end();
        }
    }

    /**
     * Waits at most 30 seconds for a run in progress, then frees the session's memory and kernels; a longer run frees
     * them when it ends. Asynchronous runs that have not begun fail. More calls do nothing.
     */
    @Override
    public void close() {
        lock.forbid();
        asynchronous.close();
        lock.close();
    }

    private void release() {
        bindings.forEach(IoBinding::close);
        runs.close();
        released.accept(this);
    }
}
