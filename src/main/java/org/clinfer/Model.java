package org.clinfer;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckedGraph;
import org.clinfer.check.ShapeInputs;
import org.clinfer.check.Stages;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A loaded network with its weights; they are uploaded to the device once, for all its sessions. Thread-safe. */
public final class Model implements AutoCloseable {

    private final Graph graph;
    private final Engine.Tools tools;
    private final PackedWeights packed;
    private final PlanBuilder plans;
    private final OpenParts<Session> sessions;
    private final List<Stages.Stage> stages;
    private final Map<Integer, Model> parts = new HashMap<>();
    private final Map<Set<String>, Model> supplied = new HashMap<>();
    private final IdentityHashMap<Graph, Model> bodies = new IdentityHashMap<>();
    private @Nullable DeviceWeights weights;

    /** @param released told when the model has released everything of its own */
    Model(Graph graph, Engine.Tools tools, Consumer<Model> released) {
        this.graph = graph;
        this.tools = tools;
        this.packed = new PackedWeights(
                tools.budget().packed(graph.constants().values()),
                MemoryBudget.bytes(graph.constants().values()));
        this.plans = new PlanBuilder(graph, tools);
        this.stages = Stages.of(graph, tools.operators());
        this.sessions = new OpenParts<>("model", Session::close, () -> {
            closeWeights();
            closeParts();
            released.accept(this);
        });
    }

    /** The network's own name, which need not be that of its file. */
    public String name() {
        return graph.name();
    }

    /** The inputs of a run; dimensions may be named, and then any size will do as long as equal names are equal. */
    public List<Graph.Input> inputs() {
        return graph.inputs();
    }

    /** Values that the network has itself and that a run may be given instead, of the same type. */
    public List<Graph.Input> defaults() {
        return graph.defaults();
    }

    /** The network with these of its {@link #defaults} as inputs. */
    synchronized Model supplied(Set<String> names) {
        return supplied.computeIfAbsent(names, inputs -> new Model(graph.withInputs(inputs), tools, released -> {}));
    }

    /** Names of what a run gives, in order. */
    public List<String> outputs() {
        return graph.outputs();
    }

    /** The network as it was loaded; its constants are closed with the model if the engine read them from a file. */
    public Graph graph() {
        return graph;
    }

    /**
     * A new session; it is closed with the model at the latest.
     *
     * @throws IllegalStateException if the model is closed
     */
    public Session session() {
        return sessions.add(new Session(this, plans, tools));
    }

    /**
     * The weights on the device as it is now, in a use that the caller ends. Those on a context that failed go when the
     * last plan that uses them is closed.
     */
    synchronized Optional<DeviceWeights> weights() {
        while (true) {
            Optional<DeviceRuntime> device = tools.device();
            if (device.isEmpty()) {
                return Optional.empty();
            }
            if (weights != null && weights.runtime() != device.get()) {
                closeWeights();
            }
            if (weights == null) {
                weights = DeviceWeights.on(device.get()).orElse(null);
            }
            if (weights != null && weights.begin()) {
                return Optional.of(weights);
            }
        }
    }

    private synchronized void closeWeights() {
        if (weights != null) {
            weights.close();
            weights = null;
        }
    }

    /** The stages of a run: more than one where data decide sizes. */
    List<Stages.Stage> stages() {
        return stages;
    }

    /** True if data decide sizes or what runs, so that a run is planned while it goes on, stage by stage. */
    public boolean isStaged() {
        return stages.size() > 1 || stages.get(0).control().isPresent();
    }

    /** The model that a graph of one of the nodes is. */
    synchronized Model body(Graph body) {
        return bodies.computeIfAbsent(body, part -> new Model(part, tools, released -> {}));
    }

    /**
     * The type of an output; dimensions may be unknown.
     *
     * @param inputTypes types of some inputs instead of the model's own
     */
    TensorType outputType(int output, Map<String, TensorType> inputTypes) {
        CheckedGraph checked = plans.check(Signature.types(graph, inputTypes), Map.of());
        NodeFailures.requireSound(checked);
        String name = graph.outputs().get(output);
        Tensor constant = checked.constants().get(name);
        return constant == null ? Objects.requireNonNull(checked.types().get(name)) : constant.type();
    }

    /** The model that one of several stages is, for what it is given. */
    synchronized Model part(int stage, Map<String, Tensor> given) {
        return parts.computeIfAbsent(stage, number -> {
            Map<String, DType> types = new HashMap<>();
            given.forEach((name, tensor) -> types.put(name, tensor.dtype()));
            return new Model(stages.get(number).graph(graph, types), tools, part -> {});
        });
    }

    private synchronized void closeParts() {
        parts.values().forEach(Model::close);
        parts.clear();
        supplied.values().forEach(Model::close);
        supplied.clear();
        bodies.values().forEach(Model::close);
        bodies.clear();
    }

    /** The forms that the CPU makes of the weights, for all sessions. */
    PackedWeights packed() {
        return packed;
    }

    /** A session has released everything of its own. */
    void gone(Session session) {
        sessions.gone(session);
    }

    /** Names of the inputs whose values decide shapes; a plan is made for their values. */
    Set<String> shapeInputs() {
        return ShapeInputs.of(graph, tools.operators());
    }

    /**
     * A report on what runs where, with everything against it; needs no run and no weights on the device.
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for those of the model
     * @throws InputException if a type does not fit the model
     * @throws IllegalStateException if the model is closed
     */
    public CheckReport check(Map<String, TensorType> inputTypes) {
        sessions.requireOpen();
        return LiveReport.of(plans, tools, Signature.types(graph, inputTypes));
    }

    /**
     * Measures, for every use of an operator that the device can run in several ways, which way is the fastest, and
     * prefers it from now on: in plans made after this by any engine on the same device with the same cache folder. Takes
     * seconds to minutes; keep the device free of other work.
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for those of the model
     * @throws InputException if a type does not fit the model, or leaves a dimension open
     * @throws DeviceUnavailableException if the engine has no OpenCL device, or another session gives it up meanwhile
     * @throws org.clinfer.opencl.ClException if the device fails; nothing is preferred then
     * @throws IllegalStateException if the model is closed
     */
    public Tuning tune(Map<String, TensorType> inputTypes) {
        sessions.requireOpen();
        return Tuner.tune(plans, tools, Signature.known(graph, inputTypes));
    }

    /**
     * Closes all sessions of this model, then frees its weights; more calls do nothing. A run that goes on beyond its
     * session's deadline keeps the weights until it ends.
     */
    @Override
    public void close() {
        sessions.close();
    }
}
