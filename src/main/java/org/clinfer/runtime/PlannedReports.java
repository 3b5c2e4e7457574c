package org.clinfer.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.GpuFigures;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.judge.NodeReports;
import org.clinfer.judge.ProfileJudge;
import org.clinfer.judge.ValuesOnDevice;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelSources;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.Chaining;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Planner;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.plan.rule.Fusion;
import org.clinfer.predict.LaunchTime;
import org.clinfer.predict.NodePrediction;
import org.clinfer.predict.PredictedLaunch;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.GpuProfile;
import org.clinfer.run.HostOperators;
import org.clinfer.tensor.Tensor;

/**
 * Capability reports of networks for GPUs that Clinfer's own kernels run on and that are known by their profiles: networks
 * are planned as for a live device, and the kernels' times predicted.
 */
public final class PlannedReports {

    private static final double MILLIS = 1e3;

    private final OpCatalog operators;
    private final HostOperators cpu;
    private final KernelCatalog kernels;

    /** @param folders those of the operators beside the built-in ones */
    public PlannedReports(OpCatalog operators, HostOperators cpu, List<Path> folders) {
        this.operators = operators;
        this.cpu = cpu;
        KernelSources sources = KernelSources.packaged();
        for (Path folder : folders) {
            sources = sources.and(folder);
        }
        this.kernels = KernelCatalog.of(operators, sources);
    }

    /** The plan of a network for the GPU of a profile, with the nodes as they were placed one by one before. */
    private record Planned(DeviceFacts facts, Map<String, PlacedNode> placed, Optional<ExecutionPlan> plan) {}

    /**
     * The report of the judge's profile. Where a dimension is not known, or a node can run nowhere, nothing is planned, and
     * there are no times.
     *
     * @param basis what the report rests on
     */
    public CheckReport of(CheckedGraph checked, ProfileJudge judge, CheckReport.Basis basis) {
        DeviceProfile profile = judge.profile();
        Planned planned = planned(checked, judge);
        Map<String, NodePrediction> predictions =
                NodePrediction.byNode(launches(planned.plan, planned.facts.figures()));
        Map<String, String> variants = variants(planned.plan, predictions);
        CheckReport report = NodeReports.of(
                checked,
                operators,
                profile.title(),
                profile.name(),
                profile.memory(),
                ValuesOnDevice.inOwnTypes(profile),
                Optional.of(basis),
                node -> placed(node, planned, judge.judge(node), variants));
        if (planned.plan.isEmpty()) {
            return report;
        }
        return profile.rules()
                .cost()
                .filter(model -> model.isFor(profile))
                .map(model -> NodeReports.timed(report, checked, profile, model, estimates(report, predictions)))
                .orElse(report);
    }

    /**
     * The kernel launches of a run of a network on the GPU of a profile, with their predicted times.
     *
     * @return none where the network cannot be planned
     */
    public List<PredictedLaunch> launches(CheckedGraph checked, ProfileJudge judge) {
        Planned planned = planned(checked, judge);
        return launches(planned.plan, planned.facts.figures());
    }

    private static List<PredictedLaunch> launches(Optional<ExecutionPlan> plan, Optional<GpuFigures> figures) {
        return plan.flatMap(of -> figures.map(gpu -> PredictedLaunch.of(of, gpu)))
                .orElse(List.of());
    }

    private Planned planned(CheckedGraph checked, ProfileJudge judge) {
        DeviceFacts facts = GpuProfile.facts(judge.profile());
        Placer placer = new Placer(
                kernels,
                Optional.of(facts),
                cpu,
                node -> judge.judge(node).stream()
                        .map(finding -> finding.rule() + ": " + finding.message())
                        .toList(),
                Map.of(),
                false);
        CheckedGraph known = checked.only(LiveReport::isKnown);
        PlacedGraph placed = placer.place(known);
        boolean isWhole = checked.findings().isEmpty()
                && known.nodes().size() == checked.nodes().size()
                && placed.nodes().stream().noneMatch(node -> node.target() == PlacedNode.Target.NOWHERE);
        return new Planned(
                facts,
                placed.nodes().stream()
                        .collect(Collectors.toMap(node -> node.written().name(), node -> node)),
                isWhole ? plan(placed, placer, facts) : Optional.empty());
    }

    private Optional<ExecutionPlan> plan(PlacedGraph placed, Placer placer, DeviceFacts facts) {
        Map<String, Tensor> ofModel = new HashMap<>(placed.graph().folded());
        ofModel.putAll(placed.ofModel());
        long held = Tensor.bytes(ofModel.values());
        FoldedConstants folded = new FoldedConstants(MemoryBudget.current().folded(), () -> held);
        PlacedGraph fused = new Fusion(operators, placer, folded).apply(placed, ofModel);
        try {
            return Optional.of(Planner.plan(fused, MemoryLimits.host(), MemoryLimits.of(facts), Chaining.NONE));
        } catch (IllegalArgumentException tooLarge) {
            return Optional.empty();
        }
    }

    /** The variants of nodes in a plan, by name; those of nodes that others do along say which. */
    private static Map<String, String> variants(Optional<ExecutionPlan> plan, Map<String, NodePrediction> predictions) {
        Map<String, String> variants = new HashMap<>();
        List<PlacedNode> nodes = plan.map(of -> of.graph().nodes()).orElse(List.of());
        for (PlacedNode node : nodes) {
            String name = node.written().name();
            allFused(node).forEach(other -> variants.putIfAbsent(other.written().name(), "part of " + name));
            NodePrediction prediction = predictions.get(name);
            if (node.target() == PlacedNode.Target.DEVICE) {
                variants.put(name, prediction == null ? "view" : prediction.variant(node));
            }
        }
        return variants;
    }

    private static List<PlacedNode> allFused(PlacedNode node) {
        List<PlacedNode> all = new ArrayList<>(node.fused());
        node.fused().forEach(other -> all.addAll(allFused(other)));
        return all;
    }

    private static NodeReports.Placed placed(
            CheckedNode node, Planned planned, List<Finding> rules, Map<String, String> variants) {
        String name = node.node().name();
        NodeReports.Placed alone = PlacedReports.of(node, Optional.ofNullable(planned.placed.get(name)), rules);
        if (alone.verdict() != Verdict.ON_DEVICE || planned.plan.isEmpty()) {
            return alone;
        }
        List<Finding> none = List.of();
        return new NodeReports.Placed(alone.verdict(), variants.getOrDefault(name, "left out"), none);
    }

    /** The times of all nodes on the device; those that launch nothing take none. */
    private static Map<String, NetworkCost.Estimate> estimates(
            CheckReport report, Map<String, NodePrediction> predictions) {
        Map<String, NetworkCost.Estimate> estimates = new HashMap<>();
        report.nodes().forEach(node -> {
            NodePrediction prediction = predictions.get(node.node());
            estimates.put(node.node(), prediction == null ? NetworkCost.Estimate.NOTHING : estimate(prediction));
        });
        return estimates;
    }

    private static NetworkCost.Estimate estimate(NodePrediction prediction) {
        return new NetworkCost.Estimate(
                prediction.seconds() * MILLIS,
                prediction.bound().map(PlannedReports::bound).orElse(NetworkCost.Bound.COMPUTE),
                prediction.computeSeconds() * MILLIS,
                prediction.memorySeconds() * MILLIS,
                prediction.launchSeconds() * MILLIS);
    }

    private static NetworkCost.Bound bound(LaunchTime.Part part) {
        return switch (part) {
            case PRODUCTS -> NetworkCost.Bound.COMPUTE;
            case LOCAL_MEMORY -> NetworkCost.Bound.LOCAL_MEMORY;
            case MEMORY -> NetworkCost.Bound.MEMORY;
            case LATENCY -> NetworkCost.Bound.LATENCY;
            case LAUNCH -> NetworkCost.Bound.LAUNCHES;
        };
    }
}
