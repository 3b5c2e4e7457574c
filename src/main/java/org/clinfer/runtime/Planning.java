package org.clinfer.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.check.ShapeInputs;
import org.clinfer.graph.Graph;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The plans of a session: made for each signature, and again where the device does not take them. */
public final class Planning {

    private final Graph graph;
    private final PlanBuilder plans;
    private final Tools tools;
    private final Set<String> shapeInputs;
    private final PlanCache<ExecutionPlan> planned;
    private final Recovery recovery;

    Planning(Graph graph, PlanBuilder plans, Tools tools) {
        this.graph = graph;
        this.plans = plans;
        this.tools = tools;
        this.shapeInputs = ShapeInputs.of(graph, tools.operators());
        this.planned = new PlanCache<>(tools.budget().ready(), MemoryBudget::planned);
        this.recovery = new Recovery(tools.inUse());
    }

    /** The signature of a run; a plan is made for the values that decide shapes. */
    Signature signature(Map<String, Tensor> inputs) {
        return Signature.of(graph, inputs, shapeInputs);
    }

    /**
     * The plan for these input types.
     *
     * @param inputTypes types of some inputs instead of the network's own
     */
    public RunPart plan(Map<String, TensorType> inputTypes) {
        Signature signature = new Signature(Signature.known(graph, inputTypes), Map.of());
        PlanLimits limits = limits();
        return part(planned.plan(signature, limits, () -> plans.plan(signature.types(), Map.of(), limits)));
    }

    /** A plan as a part of what runs, on the device as it is now. */
    RunPart part(ExecutionPlan plan) {
        return new RunPart.Planned(plan, tools.device().map(DeviceRuntime::facts));
    }

    /** A plan whose kernels have passed their test. */
    ExecutionPlan testedPlan(Signature signature, Map<String, Tensor> inputs, Optional<DeviceWeights> weights) {
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

    /** Values a plan is made for outlive the caller's tensors. */
    private static Map<String, Tensor> copies(Map<String, Tensor> values) {
        Map<String, Tensor> copies = new HashMap<>();
        values.forEach((name, tensor) -> copies.put(name, tensor.copy()));
        return copies;
    }

    /** The limits of plans made now. */
    private PlanLimits limits() {
        PlanLimits limits = recovery.limits();
        return tools.device()
                .map(runtime ->
                        runtime.fault().map(limits::onCpu).orElse(limits).avoiding(runtime.retired()))
                .orElse(limits);
    }

    /** Decides how to go on after failures of the device. */
    Recovery recovery() {
        return recovery;
    }

    /** Keeps plans made from now on from using a kernel variant. */
    public void avoid(String variant, String reason) {
        recovery.avoid(variant, reason);
    }

    /** The number of plans made; for each signature one, as long as they are kept and the device does not fail. */
    public int plansMade() {
        return planned.made();
    }

    /** The steps that were taken after failures of the device. */
    List<String> recoveries() {
        return recovery.steps();
    }
}
