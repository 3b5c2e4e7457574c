package org.clinfer.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.tracesinks.Tracing;

/** A network that an engine holds: once on the host, and on each of its devices with weights and plans. Thread-safe. */
public final class Networks implements AutoCloseable {

    private final Graph graph;
    private final DeviceLoad load;
    private final Tracing tracing;
    private final HostConstants constants;
    private final List<Network> onDevices;

    /**
     * Nothing on the devices yet.
     *
     * @param contexts those of each device, in the order in which devices are taken that have as much to do; at least one
     * @param load the runs of all networks of the engine
     */
    public Networks(Graph graph, List<EngineContext> contexts, DeviceLoad load) {
        this.graph = graph;
        this.load = load;
        this.tracing = contexts.get(0).tracing();
        this.constants = HostConstants.of(graph, contexts.get(0));
        this.onDevices =
                contexts.stream().map(own -> new Network(graph, own, constants)).toList();
    }

    public Graph graph() {
        return graph;
    }

    /** True if data decide sizes or what runs, so that a run is planned while it goes on, stage by stage. */
    public boolean isStaged() {
        return first().isStaged();
    }

    /**
     * The types of all inputs, with those given in their place.
     *
     * @throws org.clinfer.errors.InputException if a type does not fit, or leaves a dimension open
     */
    public Map<String, TensorType> inputTypes(Map<String, TensorType> given) {
        return Signature.known(graph, given);
    }

    /** The runs of a new session. */
    public SessionRuns runs(RunLock lock) {
        return new SessionRuns(onDevices, load, lock, new RunTracing(graph.name(), tracing));
    }

    /** The runs that bring most at once: two on each device, or one for each thread of the CPU where there is none. */
    public int runsAtOnce() {
        return onDevices.stream().mapToInt(Network::runsAtOnce).sum();
    }

    /**
     * Goes on if the first device takes every node, as far as that is known before a run.
     *
     * @throws org.clinfer.graph.FallbackException if it does not, and no node may run on the CPU
     */
    public void requireOnDevice() {
        first().requireOnDevice();
    }

    private Network first() {
        return onDevices.get(0);
    }

    /** The forms that the CPU makes of the weights, for all sessions. */
    public PackedWeights packed() {
        return constants.packed();
    }

    /** A report on what runs where on the first device, with everything against it; needs no run and no weights there. */
    public CheckReport check(Map<String, TensorType> inputTypes) {
        return first().check(inputTypes);
    }

    /** The type of each output, by shape inference alone; empty where it cannot be known before a run. */
    public Map<String, Optional<TensorType>> outputTypes() {
        return first().outputTypes();
    }

    /** Measures the kernel variants that could be used on the first device, and keeps which are fastest. */
    public Tuner.Measurements tune(Map<String, TensorType> inputTypes) {
        return first().tune(inputTypes);
    }

    /** Trials of the kernel variants on the first device. */
    public VariantTrials trials(Map<String, Tensor> inputs) {
        return first().trials(inputs);
    }

    /** Frees the weights; no runs go on. */
    @Override
    public void close() {
        onDevices.forEach(Network::close);
    }
}
