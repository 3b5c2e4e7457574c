package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.kernel.Accept;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.Chaining;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Planner;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.run.Executor;
import org.clinfer.run.RunSpace;
import org.clinfer.run.VariantException;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.tracesinks.Tracing;

/**
 * Runs a network on the CPU, and where it is one node with each kernel variant that takes it on the device, in memory where
 * nothing of an earlier run is left.
 */
public final class VariantTrials implements AutoCloseable {

    private final EngineContext context;
    private final PlanBuilder plans;
    private final CheckedGraph checked;
    private final Map<String, Tensor> inputs;
    private final List<Map<String, Tensor>> results = new ArrayList<>();

    /**
     * What a variant gave.
     *
     * @param variant its short name
     * @param optype its unique name
     * @param outputs empty where it did not run
     * @param stray what it wrote that is not one of its outputs; empty if nothing
     * @param reasons why it does not take the node; empty where it does
     * @param failure with which the device or its compiler refused it
     */
    public record Tried(
            String variant,
            String optype,
            Optional<Map<String, Tensor>> outputs,
            Optional<String> stray,
            List<String> reasons,
            Optional<VariantException> failure) {}

    private VariantTrials(EngineContext context, PlanBuilder plans, Map<String, Tensor> inputs) {
        this.context = context;
        this.plans = plans;
        this.inputs = Map.copyOf(inputs);
        Map<String, TensorType> types = new HashMap<>();
        inputs.forEach((name, tensor) -> types.put(name, tensor.type()));
        this.checked = plans.check(types, Map.of());
        NodeFailures.requireSound(checked);
    }

    /**
     * The trials of a network.
     *
     * @throws org.clinfer.graph.GraphException if the network is wrong for these inputs
     */
    static VariantTrials of(EngineContext context, PlanBuilder plans, Map<String, Tensor> inputs) {
        return new VariantTrials(context, plans, inputs);
    }

    /**
     * The outputs on the CPU, which stay there until this is closed; empty where it does not take a node.
     *
     * @throws RuntimeException what the CPU says to these inputs
     */
    public Optional<Map<String, Tensor>> onHost() {
        Placer placer = new Placer(context.kernels(), Optional.empty(), context.hostOperators(), Map.of());
        PlacedGraph placed = placer.place(checked);
        try {
            NodeFailures.requirePlaced(placed);
        } catch (UnsupportedException notThere) {
            return Optional.empty();
        }
        try (RunSpace space = new RunSpace()) {
            return Optional.of(run(plan(placed), space, Optional.empty()));
        }
    }

    /** What each variant of the one node gives; nothing for a network of more nodes, or without a device. */
    public List<Tried> onDevice() {
        Optional<DeviceRuntime> device = context.device();
        List<Tried> tried = new ArrayList<>();
        if (device.isPresent() && checked.nodes().size() == 1) {
            Placer placer = plans.placer(PlanLimits.NONE);
            PlacedNode node = placer.place(checked).nodes().get(0);
            Map<String, PlacedNode> candidates = new HashMap<>();
            if (node.target() == PlacedNode.Target.DEVICE) {
                placer.candidates(node)
                        .forEach(taken ->
                                candidates.put(taken.variant().orElseThrow().optype(), taken));
            }
            for (KernelVariant variant : context.kernels().variants(node.op())) {
                PlacedNode candidate = candidates.get(variant.optype());
                tried.add(candidate == null ? refused(variant, node, device.get()) : tried(candidate, device.get()));
            }
        }
        return tried;
    }

    private Tried refused(KernelVariant variant, PlacedNode node, DeviceRuntime device) {
        List<String> reasons = variant.accept(node.use(), device.facts()) instanceof Accept.No no
                ? no.reasons()
                : List.of(device.retired().getOrDefault(variant.optype(), "the device does not take its operator"));
        return new Tried(
                variant.name(), variant.optype(), Optional.empty(), Optional.empty(), reasons, Optional.empty());
    }

    private Tried tried(PlacedNode candidate, DeviceRuntime device) {
        KernelVariant variant = candidate.variant().orElseThrow();
        try (DeviceWeights weights = DeviceWeights.on(device)
                        .orElseThrow(() -> new DeviceUnavailableException("the device is not open any more"));
                RunSpace space = new RunSpace()) {
            ExecutionPlan plan = plan(new PlacedGraph(checked, List.of(candidate)));
            Map<String, Tensor> outputs = run(plan, space, Optional.of(weights));
            return new Tried(
                    variant.name(),
                    variant.optype(),
                    Optional.of(outputs),
                    space.strayWrite(plan, inputs),
                    List.of(),
                    Optional.empty());
        } catch (VariantException failure) {
            return new Tried(
                    variant.name(),
                    variant.optype(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.of(failure));
        }
    }

    private ExecutionPlan plan(PlacedGraph placed) {
        MemoryLimits host = MemoryLimits.host();
        MemoryLimits device = context.device()
                .map(there -> MemoryLimits.of(there.facts()).withMargins())
                .orElse(host);
        return Planner.plan(placed, host, device, Chaining.NONE);
    }

    private Map<String, Tensor> run(ExecutionPlan plan, RunSpace space, Optional<DeviceWeights> weights) {
        try (Executor executor = new Executor(
                plan,
                new Executor.Resources(
                        context.hostOperators(),
                        context.parallel(),
                        PackedWeights.none(),
                        weights,
                        space,
                        Tracing.OFF))) {
            space.poison();
            Map<String, Tensor> outputs = executor.run(inputs, () -> false);
            results.add(outputs);
            return outputs;
        }
    }

    /** Gives all outputs back. */
    @Override
    public void close() {
        results.forEach(outputs -> outputs.values().forEach(Tensor::close));
    }
}
