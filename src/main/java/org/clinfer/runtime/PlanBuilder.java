package org.clinfer.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.cache.TunedChoices;
import org.clinfer.check.Finding;
import org.clinfer.costs.MachineCosts;
import org.clinfer.describe.Bindings;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.place.Islands;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.Chaining;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Planner;
import org.clinfer.plan.layout.BlockedLayout;
import org.clinfer.plan.layout.ChannelsLastQuantized;
import org.clinfer.plan.precision.Float16Lowering;
import org.clinfer.plan.precision.Float32Widening;
import org.clinfer.plan.precision.Tf32Products;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.plan.rule.Fusion;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Takes one graph through check, place and plan. */
final class PlanBuilder {

    private final Graph graph;
    private final EngineContext context;
    private final long constantBytes;
    private final Map<String, Tensor> folded;
    private final FoldedConstants fused;
    private final Bindings bindings = new Bindings();
    private volatile @Nullable PlacerOf latest;

    /** A check of the graph, of which other checks take over what is the same for them. */
    private volatile @Nullable CheckedGraph latestCheck;

    PlanBuilder(Graph graph, EngineContext context, HostConstants constants) {
        this.graph = graph;
        this.context = context;
        this.constantBytes = constants.bytes();
        this.folded = constants.folded();
        this.fused = constants.fused();
    }

    /**
     * The plan for a signature.
     *
     * @param values the inputs whose values decide shapes
     * @param limits what it has to do without, beside the variants that the device cannot use; it does without more where
     *     the device has not the memory
     * @throws GraphException if the graph is unsound for these types
     * @throws UnsupportedException if neither device nor CPU can run a node
     * @throws InputException if a shape stays unknown
     * @throws DeviceLeftException if another device is there for what this one has not the memory for
     */
    ExecutionPlan plan(Map<String, TensorType> types, Map<String, Tensor> values, PlanLimits limits) {
        CheckedGraph checked = check(types, values);
        NodeFailures.requireSound(checked);
        ExecutionPlan plan = plan(checked, limits);
        Optional<String> excess = deviceExcess(plan);
        if (excess.isEmpty()) {
            return plan;
        }
        if (limits.hasOthers()) {
            throw new DeviceLeftException(excess.get(), false);
        }
        return thriftyPlan(checked, limits, excess.get());
    }

    /** The plan where the usual one has not the memory: without workspace, else with a part of the nodes on the CPU. */
    private ExecutionPlan thriftyPlan(CheckedGraph checked, PlanLimits limits, String excess) {
        if (!limits.thrifty()) {
            ExecutionPlan thrifty = plan(checked, limits.withThrift());
            if (deviceExcess(thrifty).isEmpty()) {
                return thrifty;
            }
        }
        return new FittingPart(checked.nodes(), hosted -> fitting(checked, limits.hosting(hosted)))
                .plan(excess)
                .orElseGet(() -> plan(checked, limits.onCpu(excess)));
    }

    private Optional<ExecutionPlan> fitting(CheckedGraph checked, PlanLimits limits) {
        try {
            return Optional.of(plan(checked, limits))
                    .filter(plan -> deviceExcess(plan).isEmpty());
        } catch (GraphException cannot) {
            return Optional.empty(); // the CPU does not take a node, or has not the memory
        }
    }

    private Optional<String> deviceExcess(ExecutionPlan plan) {
        return context.device().flatMap(device -> context.budget().deviceExcess(plan, device.facts()));
    }

    private ExecutionPlan plan(CheckedGraph checked, PlanLimits limits) {
        Placer placer = placer(limits);
        PlacedGraph first = placer.place(checked);
        NodeFailures.requirePlaced(first);
        expectOnCpu(first);
        Map<String, Tensor> ofModel = new HashMap<>(checked.folded());
        ofModel.putAll(graph.constants());
        PlacedGraph placed = byCost(widened(first, ofModel, placer), placer);
        ofModel.putAll(placed.ofModel());
        boolean usesDevice = placed.nodes().stream().anyMatch(node -> node.target() == PlacedNode.Target.DEVICE);
        PlacedGraph small =
                context.fusion() ? new Fusion(context.operators(), placer, fused).apply(placed, ofModel) : placed;
        Map<String, String> reasons = Map.of();
        if (context.float16()) {
            ofModel.putAll(small.ofModel());
            Float16Lowering.Lowered lowered =
                    new Float16Lowering(context.operators(), placer, fused).apply(small, ofModel);
            small = lowered.graph();
            reasons = lowered.reasons();
        }
        PlacedGraph usual = context.fusion() ? laidOut(small, ofModel, placer, usesDevice) : small;
        PlacedGraph chosen = context.tuned().all().isEmpty()
                ? usual
                : placer.preferring(
                        usual,
                        configuration -> context.tuned().choice(configuration).map(PlanBuilder::preference));
        if (context.onlyOnDevice()) {
            NodeFailures.requireOnDevice(chosen);
        }
        return planned(chosen.because(context.tf32() ? Tf32Products.notRounded(chosen) : reasons));
    }

    private void expectOnCpu(PlacedGraph placed) {
        List<CheckedNode> nodes = placed.nodes().stream()
                .filter(node -> node.target() == PlacedNode.Target.CPU)
                .map(PlacedNode::node)
                .toList();
        context.hostOperators().expect(nodes, context.parallel().threads());
    }

    private static Placer.Preference preference(TunedChoices.Choice choice) {
        return new Placer.Preference(
                choice.variant(),
                String.format(
                        Locale.ROOT,
                        "tuned: %.1f us were measured on this device, and %.1f us of %s, which is the usual one",
                        choice.micros(),
                        choice.usualMicros(),
                        choice.usual()));
    }

    /** On a processor in float32 what is in 16 bits, unless those were asked for or a profile stands for another device. */
    private PlacedGraph widened(PlacedGraph placed, Map<String, Tensor> ofModel, Placer placer) {
        boolean isElsewhere = context.device().isPresent() && !isProcessor();
        return isElsewhere || context.profile().isPresent() || context.float16() || !context.fusion()
                ? placed
                : new Float32Widening(context.operators(), placer, fused).apply(placed, ofModel);
    }

    /** Moves nodes that the CPU computes sooner to it; where the device was chosen, those alone that move values of the CPU's. */
    private PlacedGraph byCost(PlacedGraph placed, Placer placer) {
        if (context.device().isEmpty()) {
            return placed;
        }
        boolean isPlain = !context.hostOperators().path().hasVectors();
        DeviceFacts facts = context.device().get().facts();
        Islands islands = new Islands(placer, facts, MachineCosts.builtIn(), isPlain, context.chain());
        return context.byCost() ? islands.cheapest(placed) : islands.besideCpu(placed);
    }

    /** On processors in layouts in which nodes are fast. */
    private PlacedGraph laidOut(PlacedGraph small, Map<String, Tensor> ofModel, Placer placer, boolean usesDevice) {
        Optional<PlacedNode.Target> side = blockedSide(usesDevice);
        if (side.isEmpty()) {
            return small;
        }
        ofModel.putAll(small.ofModel());
        PlacedGraph blocked = new BlockedLayout(context.operators(), placer, fused, side.get()).apply(small, ofModel);
        return new ChannelsLastQuantized(context.operators(), placer).apply(blocked);
    }

    /** The place where channels in blocks are faster: on a processor as a device, or without a device in vectors. */
    private Optional<PlacedNode.Target> blockedSide(boolean usesDevice) {
        if (!usesDevice) {
            return context.hostOperators().path().hasVectors() ? Optional.of(PlacedNode.Target.CPU) : Optional.empty();
        }
        return isProcessor() ? Optional.of(PlacedNode.Target.DEVICE) : Optional.empty();
    }

    private ExecutionPlan planned(PlacedGraph placed) {
        MemoryLimits host = MemoryLimits.host(context.hostOperators().ofArrays());
        MemoryLimits onDevice =
                context.device().map(d -> MemoryLimits.of(d.facts())).orElse(host);
        ExecutionPlan plan;
        try {
            plan = Planner.plan(placed, host, onDevice, chaining());
        } catch (IllegalArgumentException tooLarge) {
            throw new GraphException(graph.source(), String.valueOf(tooLarge.getMessage()), tooLarge);
        }
        context.budget().requireHost(plan);
        return plan;
    }

    /** A processor goes on within a launch at once, but wakes its threads for each; other devices may not wait within. */
    private Chaining chaining() {
        return context.chain() && isProcessor()
                ? Chaining.of(launch ->
                        context.kernels().sources().chainRefusal(launch).isEmpty())
                : Chaining.NONE;
    }

    private boolean isProcessor() {
        return context.device()
                .filter(device -> device.facts().kind() == DeviceFacts.Kind.CPU)
                .isPresent();
    }

    /** The graph for these types; what is wrong with it stands in the result. */
    CheckedGraph check(Map<String, TensorType> types, Map<String, Tensor> values) {
        long made = Tensor.bytes(folded.values()) + fused.bytes();
        Folding folding = new Folding(
                context.hostOperators(), context.parallel(), context.budget().folded(), constantBytes, made);
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph, types, values, Map.copyOf(folded), Optional.ofNullable(latestCheck)),
                context.operators(),
                folding,
                bindings);
        checked.folded().forEach(folded::putIfAbsent);
        latestCheck = checked;
        return checked;
    }

    /** Places nodes under these limits, and those of the device and the profile. */
    Placer placer(PlanLimits limits) {
        Map<String, String> unusable = new HashMap<>(limits.avoided());
        context.device().ifPresent(device -> unusable.putAll(device.retired()));
        Optional<DeviceFacts> device = context.device().map(DeviceRuntime::facts);
        PlacerOf known = latest;
        if (known != null && known.isFor(limits, unusable, device)) {
            return known.placer;
        }
        Placer placer = new Placer(
                context.kernels(),
                device,
                context.hostOperators(),
                node -> objections(node, limits),
                unusable,
                limits.thrifty());
        latest = new PlacerOf(limits, unusable, device, placer);
        return placer;
    }

    /** The latest placer, whose choices hold for other sizes as well, with what it was made for. */
    private record PlacerOf(
            PlanLimits limits, Map<String, String> unusable, Optional<DeviceFacts> device, Placer placer) {

        boolean isFor(PlanLimits others, Map<String, String> withoutThese, Optional<DeviceFacts> facts) {
            return limits.equals(others) && unusable.equals(withoutThese) && device.equals(facts);
        }
    }

    private List<String> objections(CheckedNode node, PlanLimits limits) {
        return limits.against(node.node().name())
                .map(List::of)
                .orElseGet(() -> findings(node).stream()
                        .map(finding -> finding.rule() + ": " + finding.message())
                        .toList());
    }

    /** The findings of the profile's rules on a node; none without a profile. */
    List<Finding> findings(CheckedNode node) {
        return context.profile().map(profile -> profile.judge(node)).orElse(List.of());
    }
}
