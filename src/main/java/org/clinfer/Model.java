package org.clinfer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.clinfer.check.CheckReport;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Metadata;
import org.clinfer.runtime.Networks;
import org.clinfer.runtime.OpenParts;
import org.clinfer.runtime.VariantTrials;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;

/** A loaded network with its weights; they are uploaded to each device once, for all its sessions. Thread-safe. */
public final class Model implements AutoCloseable {

    private final Networks network;
    private final OpenParts<Session> sessions;
    private final OpenParts<SessionPool> pools = new OpenParts<>("model", SessionPool::close, () -> {});

    /** @param released told when the model has released everything of its own */
    Model(Networks network, Consumer<Model> released) {
        this.network = network;
        this.sessions = new OpenParts<>("model", Session::close, () -> {
            network.close();
            released.accept(this);
        });
    }

    /** {@return the network's own name, which need not be that of its file} */
    public String name() {
        return network.graph().name();
    }

    /**
     * {@return the inputs of a run; dimensions may be named, and then any size will do as long as equal names are
     * equal} A sequence is one tensor with its values along a first axis; {@link Session#run} takes other forms, too.
     */
    public List<Graph.Input> inputs() {
        return network.graph().inputs();
    }

    /** {@return values that the network has itself and that a run may be given instead, of the same type} */
    public List<Graph.Input> defaults() {
        return network.graph().defaults();
    }

    /** {@return the names of what a run gives, in order} */
    public List<String> outputs() {
        return network.graph().outputs();
    }

    /**
     * {@return the type of each output by its name, in the order of {@link #outputs}, found by shape inference alone
     * each time it is asked for; empty where it cannot be known before a run} Sizes that the {@link #inputs} leave
     * open keep their names.
     *
     * @throws IllegalStateException if the model is closed
     */
    public Map<String, Optional<TensorType>> outputTypes() {
        sessions.requireOpen();
        return network.outputTypes();
    }

    /** {@return the words of the file about the network: who made it, with what, and properties of their own} */
    public Metadata metadata() {
        return network.graph().metadata();
    }

    /**
     * {@return the network as it was loaded; its constants are closed with the model if the engine read them from a
     * file}
     */
    public Graph graph() {
        return network.graph();
    }

    /**
     * {@return a new session; it is closed with the model at the latest}
     *
     * @throws IllegalStateException if the model is closed
     */
    public Session session() {
        return sessions.add(new Session(network, sessions::gone));
    }

    /**
     * {@return a new pool, for many requests at once; it is closed with the model at the latest}
     *
     * @param options of the pool
     * @throws InputException if requests are to be joined and the model's first dimension is not open
     * @throws IllegalStateException if the model is closed
     */
    public SessionPool pool(PoolOptions options) {
        SessionPool pool = new SessionPool(this, this::session, options, pools::gone);
        try {
            return pools.add(pool);
        } catch (IllegalStateException closed) {
            pool.close();
            throw closed;
        }
    }

    /** The runs that the devices, or the threads of the CPU, bear at once. */
    int runsAtOnce() {
        return network.runsAtOnce();
    }

    /**
     * Makes everything ready that a first run needs, in a thread of its own: plans for these input types, builds and tests
     * kernels, brings weights to the device and into the forms in which they are used, and runs once with zeros. Runs in the
     * meantime are right. Sessions that are opened before or after find all of it ready, and only take memory for values.
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for those of the model. Where elements of an
     *     input decide shapes, zeros may not do: then a run that is thrown away serves better.
     * @return done when the model is ready; otherwise with what {@link Session#run} throws, or an {@link
     *     IllegalStateException} if the model is closed before. Once it is cancelled, a run that has not begun never does.
     * @throws InputException if a type does not fit the model, or leaves a dimension open
     * @throws IllegalStateException if the model is closed
     */
    public CompletableFuture<Void> warmUp(Map<String, TensorType> inputTypes) {
        Map<String, TensorType> types = network.inputTypes(inputTypes);
        Session session = session();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        Thread thread = new Thread(() -> warmUp(session, types, ready), "clinfer-warm-up");
        thread.setDaemon(true);
        thread.start();
        return ready;
    }

    private static void warmUp(Session session, Map<String, TensorType> types, CompletableFuture<Void> ready) {
        try (session) {
            Map<String, Tensor> zeros = new HashMap<>();
            types.forEach((name, type) -> zeros.put(name, Tensor.allocate(type)));
            if (!ready.isDone()) {
                session.run(zeros).close();
            }
            ready.complete(null);
        } catch (RuntimeException | Error e) {
            ready.completeExceptionally(e);
        }
    }

    /** {@return whether data decide sizes or what runs, so that a run is planned while it goes on, stage by stage} */
    public boolean isStaged() {
        return network.isStaged();
    }

    /** The forms that the CPU makes of the weights, for all sessions. */
    PackedWeights packed() {
        return network.packed();
    }

    /**
     * {@return a report on what runs where, with everything against it, on the engine's first device; needs no run
     * and no weights there}
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for the {@linkplain Graph.Input#usualType usual ones}
     * @throws InputException if a type does not fit the model
     * @throws IllegalStateException if the model is closed
     */
    public CheckReport check(Map<String, TensorType> inputTypes) {
        sessions.requireOpen();
        return network.check(inputTypes);
    }

    /**
     * Measures, for every use of an operator that the engine's first device can run in several ways, which way is the
     * fastest, and prefers it from now on: in plans made after this by any engine on the same device, or on another one of
     * its kind and driver, with the same cache folder. Takes seconds to minutes; keep the device free of other work.
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for those of the model
     * @return the times that were measured
     * @throws InputException if a type does not fit the model, or leaves a dimension open
     * @throws DeviceUnavailableException if the engine has no OpenCL device, or another session gives it up meanwhile
     * @throws org.clinfer.errors.DeviceException if the device fails; nothing is preferred then
     * @throws IllegalStateException if the model is closed
     */
    public Tuning tune(Map<String, TensorType> inputTypes) {
        sessions.requireOpen();
        return Tuning.of(network.tune(inputTypes));
    }

    /**
     * Runs a model of one node on the CPU, and with each kernel variant of its operator that takes it on the engine's first
     * device, in memory where nothing of an earlier run is left, and compares the outputs. For who writes kernels.
     *
     * @param inputs one tensor per input of the model, by name; not changed
     * @param tolerance by how much the outputs may differ
     * @return each variant in the order in which they are tried; none without a device, for an operator without kernels, and
     *     for one that is composed of others
     * @throws org.clinfer.graph.GraphException if the model is unsound for these inputs
     * @throws org.clinfer.errors.DeviceException if the device fails otherwise than by refusing a kernel
     * @throws IllegalStateException if the model is closed
     */
    public List<KernelTrial> tryKernels(Map<String, Tensor> inputs, Tolerance tolerance) {
        sessions.requireOpen();
        try (VariantTrials trials = network.trials(inputs)) {
            return KernelTrial.of(trials, tolerance);
        }
    }

    /**
     * Closes all pools and sessions of this model, then frees its weights; more calls do nothing. A run that goes on beyond its
     * session's deadline keeps the weights until it ends.
     */
    @Override
    public void close() {
        pools.close();
        sessions.close();
    }
}
