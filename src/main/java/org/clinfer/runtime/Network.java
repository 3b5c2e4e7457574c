package org.clinfer.runtime;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.OutputTypes;
import org.clinfer.infer.Stages;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A network on one device of an engine, and the networks that its stages, the graphs of its nodes, and its variants with
 * defaults as inputs are. Thread-safe.
 */
final class Network implements AutoCloseable {

    private final Graph graph;
    private final EngineContext context;
    private final NetworkWeights weights;
    private final PlanBuilder plans;
    private final SharedPlans<ExecutionPlan> shared;
    private final List<Stages.Stage> stages;
    private final Map<Integer, Network> parts = new HashMap<>();
    private final Map<Set<String>, Network> supplied = new HashMap<>();
    private final IdentityHashMap<Graph, Network> bodies = new IdentityHashMap<>();

    /** A part of another one. */
    private Network(Graph graph, EngineContext context) {
        this(graph, context, HostConstants.ofPart(graph, context));
    }

    /** @param constants those that are shared by the devices */
    Network(Graph graph, EngineContext context, HostConstants constants) {
        this.graph = graph;
        this.context = context;
        this.weights = new NetworkWeights(graph.name(), constants, context);
        this.plans = new PlanBuilder(graph, context, constants);
        this.shared = new SharedPlans<>(context.budget().ready(), MemoryBudget::planned, context.tuned());
        this.stages = Stages.of(graph, context.operators());
    }

    /** The device that it runs on. */
    DeviceInUse device() {
        return context.inUse();
    }

    /** The runs on it that bring most at once; on a device two at least, for what the host does meanwhile. */
    int runsAtOnce() {
        return context.device()
                .map(DeviceRuntime::runsAtOnce)
                .orElse(context.parallel().threads());
    }

    boolean isStaged() {
        return stages.size() > 1 || stages.get(0).control().isPresent();
    }

    /**
     * The plans of a new session.
     *
     * @param hasOthers whether the session has another device to go to
     */
    Planning planning(BooleanSupplier hasOthers) {
        return new Planning(graph, plans, shared, context, hasOthers);
    }

    /**
     * The runs of a new session.
     *
     * @param planning makes the plans of runs that are planned as a whole
     */
    Runs runs(Planning planning, RunLock lock) {
        BooleanSupplier hasOthers = planning.hasOthers();
        Runs usual = isStaged()
                ? new StagedRuns(new Inner(hasOthers), stages, lock)
                : new PlannedRuns(planning, weights, context, lock);
        Set<String> defaults = graph.defaults().stream().map(Graph.Input::name).collect(Collectors.toUnmodifiableSet());
        Runs all = defaults.isEmpty()
                ? usual
                : new SuppliedRuns(defaults, usual, names -> supplied(names).runs(hasOthers), lock);
        return graph.specializations()
                .<Runs>map(others ->
                        new SpecializedRuns(graph, others, all, other -> new Network(other, context), hasOthers, lock))
                .orElse(all);
    }

    /** Runs within those of a session, which end with them. */
    Runs runs(BooleanSupplier hasOthers) {
        return runs(planning(hasOthers), new RunLock(() -> {}));
    }

    /** The networks in this one, for the runs of a session. */
    private final class Inner implements InnerNetworks {

        private final BooleanSupplier hasOthers;

        Inner(BooleanSupplier hasOthers) {
            this.hasOthers = hasOthers;
        }

        @Override
        public Graph graph() {
            return graph;
        }

        @Override
        public Runs stageRuns(int stage, Map<String, Tensor> given) {
            return part(stage, given).runs(hasOthers);
        }

        @Override
        public Runs bodyRuns(Graph body) {
            return body(body).runs(hasOthers);
        }

        @Override
        public TensorType bodyType(Graph body, int output, Map<String, TensorType> inputTypes) {
            return body(body).outputType(output, inputTypes);
        }
    }

    /** The network with these of its defaults as inputs. */
    private synchronized Network supplied(Set<String> names) {
        return supplied.computeIfAbsent(names, inputs -> new Network(graph.withInputs(inputs), context));
    }

    /** The network that one of several stages is, for what it is given. */
    private synchronized Network part(int stage, Map<String, Tensor> given) {
        return parts.computeIfAbsent(stage, number -> {
            Map<String, DType> types = new HashMap<>();
            given.forEach((name, tensor) -> types.put(name, tensor.dtype()));
            return new Network(stages.get(number).graph(graph, types), context);
        });
    }

    /** The network that a graph of one of the nodes is. */
    private synchronized Network body(Graph body) {
        return bodies.computeIfAbsent(body, part -> new Network(part, context));
    }

    /** The type of an output, whatever else data decide; where it is not known, it is told why. */
    private TensorType outputType(int output, Map<String, TensorType> inputTypes) {
        CheckedGraph checked = plans.check(Signature.types(graph, inputTypes), Map.of());
        String name = graph.outputs().get(output);
        Tensor constant = checked.constants().get(name);
        TensorType type = constant == null ? checked.types().get(name) : constant.type();
        if (type == null) {
            NodeFailures.requireSound(checked);
        }
        return Objects.requireNonNull(type, name);
    }

    /**
     * Goes on if the device takes every node, as far as that is known before a run.
     *
     * @throws org.clinfer.graph.FallbackException if it does not, and no node may run on the CPU
     */
    void requireOnDevice() {
        boolean isKnown =
                graph.inputs().stream().allMatch(input -> input.type().shape().isKnown())
                        && graph.nodes().stream().allMatch(node -> node.opaque().isEmpty());
        if (context.onlyOnDevice() && isKnown && !isStaged()) {
            plans.plan(Signature.known(graph, Map.of()), Map.of(), PlanLimits.NONE);
        }
    }

    /** A report on what runs where, with everything against it; needs no run and no weights on the device. */
    CheckReport check(Map<String, TensorType> inputTypes) {
        return LiveReport.of(plans, context, Signature.usual(graph, inputTypes));
    }

    /** The type of each output, by shape inference alone; empty where it cannot be known before a run. */
    Map<String, Optional<TensorType>> outputTypes() {
        return OutputTypes.of(
                graph,
                Signature.types(graph, Map.of()),
                context.operators(),
                new Folding(
                        context.hostOperators(),
                        context.parallel(),
                        context.budget().folded(),
                        0,
                        0));
    }

    /** Measures the kernel variants that could be used, and keeps which are fastest. */
    Tuner.Measurements tune(Map<String, TensorType> inputTypes) {
        return Tuner.tune(plans, context, Signature.known(graph, inputTypes));
    }

    VariantTrials trials(Map<String, Tensor> inputs) {
        return VariantTrials.of(context, plans, inputs);
    }

    /** Frees the weights of this network and of those in it; no runs go on. */
    @Override
    public synchronized void close() {
        weights.close();
        parts.values().forEach(Network::close);
        parts.clear();
        supplied.values().forEach(Network::close);
        supplied.clear();
        bodies.values().forEach(Network::close);
        bodies.clear();
    }
}
