package org.clinfer.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.clinfer.graph.Graph;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.infer.ShapeInputs;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.tracesinks.Span;

/** The plans of a session: made for each signature, and again where the device does not take them. */
final class Planning {

    /** So many signatures are remembered that another device has to take. */
    private static final int MOST_BEYOND = 1000;

    private final Graph graph;
    private final PlanBuilder plans;
    private final EngineContext context;
    private final Set<String> shapeInputs;
    private final SharedPlans<ExecutionPlan> shared;
    private final PlanCache<ExecutionPlan> planned;
    private final BooleanSupplier hasOthers;

    /** The nodes that other devices have to take, with the reason. */
    private final Map<Signature, String> beyond = new ConcurrentHashMap<>();

    private final Recovery recovery;

    /**
     * No plans yet.
     *
     * @param shared plans that other sessions of the network have made
     * @param hasOthers whether the session has another device to go to
     */
    Planning(
            Graph graph,
            PlanBuilder plans,
            SharedPlans<ExecutionPlan> shared,
            EngineContext context,
            BooleanSupplier hasOthers) {
        this.graph = graph;
        this.plans = plans;
        this.shared = shared;
        this.context = context;
        this.shapeInputs = ShapeInputs.of(graph, context.operators());
        this.planned = new PlanCache<>(context.budget().ready(), MemoryBudget::planned);
        this.hasOthers = hasOthers;
        this.recovery = new Recovery(context.inUse(), hasOthers, context.tracing());
    }

    /** The signature of a run; a plan is made for the values that decide shapes. */
    Signature signature(Map<String, Tensor> inputs) {
        return Signature.of(graph, inputs, shapeInputs);
    }

    /**
     * The plan for these input types.
     *
     * @param inputTypes types of some inputs instead of the network's own
     * @param isLast whether it is for this device, although it may have not the memory
     * @throws DeviceLeftException if it has not, and is not the last
     */
    RunPart plan(Map<String, TensorType> inputTypes, boolean isLast) {
        NodeFailures.requireMeaning(graph);
        Signature signature = new Signature(Signature.known(graph, inputTypes), Map.of());
        return part(plan(signature, Map.of(), limits().withOthers(!isLast)));
    }

    private ExecutionPlan plan(Signature signature, Map<String, Tensor> values, PlanLimits limits) {
        if (!limits.hasOthers()) {
            return planned.plan(signature, limits, () -> found(signature, values, limits));
        }
        limits.withoutDevice()
                .or(() -> Optional.ofNullable(beyond.get(signature)))
                .ifPresent(reason -> {
                    throw new DeviceLeftException(reason, false);
                });
        try {
            return planned.plan(signature, limits, () -> found(signature, values, limits));
        } catch (DeviceLeftException e) {
            throw leaving(signature, e);
        } catch (UnsupportedException e) {
            throw leaving(signature, new DeviceLeftException(String.valueOf(e.getMessage()), false));
        }
    }

    private ExecutionPlan found(Signature signature, Map<String, Tensor> values, PlanLimits limits) {
        return shared.plan(signature, limits, () -> made(signature, values, limits));
    }

    private ExecutionPlan made(Signature signature, Map<String, Tensor> values, PlanLimits limits) {
        Span span = Span.begin();
        ExecutionPlan plan = plans.plan(signature.types(), copies(values), limits);
        if (context.tracing().isOn()) {
            String device =
                    context.device().map(runtime -> runtime.facts().name()).orElse("");
            PlanEvents.of(graph, plan, signature, device, span.time()).forEach(context.tracing()::add);
        }
        return plan;
    }

    /** Remembers a signature that the device is not for. */
    private DeviceLeftException leaving(Signature signature, DeviceLeftException reason) {
        if (beyond.size() >= MOST_BEYOND) {
            beyond.clear();
        }
        beyond.put(signature, String.valueOf(reason.getMessage()));
        return reason;
    }

    /** A plan as a part of what runs, on the device as it is now. */
    RunPart part(ExecutionPlan plan) {
        return new RunPart.Planned(plan, context.device().map(DeviceRuntime::facts));
    }

    /**
     * A plan whose kernels have passed their test.
     *
     * @throws DeviceLeftException if another device has to take the run
     */
    ExecutionPlan testedPlan(Signature signature, Map<String, Tensor> inputs, Optional<DeviceWeights> weights) {
        Map<String, Tensor> values = new HashMap<>(inputs);
        values.keySet().retainAll(shapeInputs);
        while (true) {
            ExecutionPlan plan = plan(signature, values, limits());
            if (weights.isEmpty() || !context.selfTest().refutes(plan, weights.get())) {
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
        return context.device()
                .map(runtime ->
                        runtime.fault().map(limits::onCpu).orElse(limits).avoiding(runtime.retired()))
                .orElse(limits);
    }

    /** Decides how to go on after failures of the device. */
    Recovery recovery() {
        return recovery;
    }

    /** {@return the question whether the session has another device to go to} */
    BooleanSupplier hasOthers() {
        return hasOthers;
    }

    /** Keeps plans made from now on from using a kernel variant. */
    void avoid(String variant, String reason) {
        recovery.avoid(variant, reason);
    }

    /** The number of plans that the session has found or made; for each signature one, as long as they are kept and the device does not fail. */
    int plansMade() {
        return planned.made();
    }

    /** The steps that were taken after failures of the device. */
    List<String> recoveries() {
        return recovery.steps();
    }
}
