package org.clinfer.judge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.Verdict;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.profile.CostModel;

/** Adds up the cost of a network whose nodes are placed. */
final class NetworkCosts {

    private static final double MILLIS = 1e3;

    private final CheckedGraph checked;
    private final CheckReport.Summary summary;
    private final List<CheckReport.NodeReport> nodes;
    private final List<CheckReport.NodeReport> running;
    private final OptionalLong multiplyAdds;

    /** @param all the reports of the nodes, in execution order */
    NetworkCosts(CheckedGraph checked, List<CheckReport.NodeReport> all, CheckReport.Summary summary) {
        this.checked = checked;
        this.summary = summary;
        this.multiplyAdds = summary.multiplyAdds();
        this.nodes = all.stream()
                .filter(node -> !node.isPart() && !node.isConstant())
                .toList();
        this.running = RunningNodes.of(all, checked);
    }

    /** Multiply-adds and bytes alone. */
    NetworkCost work(ValuesOnDevice values) {
        Map<String, NetworkCost.NodeCost> costs = new LinkedHashMap<>();
        for (CheckReport.NodeReport node : nodes) {
            NodeBytes bytes = NodeBytes.of(node, checked.constants()::containsKey, values);
            costs.put(node.node(), cost(node, bytes, Optional.empty(), OptionalDouble.empty()));
        }
        List<NetworkCost.Crossing> crossings = new ArrayList<>();
        for (LinkCrossings.Crossed crossed : LinkCrossings.of(checked, running, values.endsCross())) {
            crossings.add(new NetworkCost.Crossing(
                    crossed.value().name(),
                    crossed.isToDevice(),
                    values.bytes(crossed.value()),
                    OptionalDouble.empty()));
        }
        return new NetworkCost(costs, crossings, Optional.empty());
    }

    /** The report with the reason why there is no time in it. */
    static CheckReport notEstimated(CheckReport report, String reason) {
        NetworkCost cost = report.cost();
        return report.withCost(new NetworkCost(cost.nodes(), cost.crossings(), cost.total(), Optional.of(reason)));
    }

    /** The report with the time of its nodes on a device and its host. */
    static CheckReport estimated(CheckReport report, CheckedGraph checked, NetworkEstimates estimates) {
        return report.withCost(new NetworkCosts(checked, report.nodes(), report.summary()).estimated(estimates));
    }

    private NetworkCost estimated(NetworkEstimates estimates) {
        ValuesOnDevice values = estimates.values();
        Map<String, NetworkCost.NodeCost> costs = new LinkedHashMap<>();
        for (CheckReport.NodeReport node : nodes) {
            Optional<NodeEstimates.Known> known = estimates.of(node);
            NodeBytes bytes = known.map(NodeEstimates.Known::bytes)
                    .orElseGet(() -> NodeBytes.of(node, checked.constants()::containsKey, values));
            Optional<NetworkCost.Estimate> device =
                    node.isOnDevice() ? estimates.onDevice(node, known) : Optional.empty();
            OptionalDouble host =
                    node.verdict() == Verdict.FALLS_BACK ? estimates.onHost(node, bytes) : OptionalDouble.empty();
            costs.put(node.node(), cost(node, bytes, device, host));
        }
        List<NetworkCost.Crossing> crossings = new ArrayList<>();
        for (LinkCrossings.Crossed crossed : LinkCrossings.of(checked, running, values.endsCross())) {
            OptionalLong bytes = values.bytes(crossed.value());
            crossings.add(new NetworkCost.Crossing(
                    crossed.value().name(), crossed.isToDevice(), bytes, estimates.crossing(bytes)));
        }
        return new NetworkCost(costs, crossings, Optional.of(total(costs, crossings, estimates)));
    }

    private NetworkCost.NodeCost cost(
            CheckReport.NodeReport node, NodeBytes bytes, Optional<NetworkCost.Estimate> device, OptionalDouble host) {
        OptionalLong own = node.work().multiplyAdds();
        long all = multiplyAdds.orElse(0);
        return new NetworkCost.NodeCost(
                own,
                all > 0 && own.isPresent() ? OptionalDouble.of((double) own.getAsLong() / all) : OptionalDouble.empty(),
                bytes.read(),
                bytes.written(),
                bytes.weights(),
                device,
                host);
    }

    private NetworkCost.Total total(
            Map<String, NetworkCost.NodeCost> costs, List<NetworkCost.Crossing> crossings, NetworkEstimates estimates) {
        OptionalDouble device = OptionalDouble.of(0);
        OptionalDouble host = OptionalDouble.of(0);
        long open = 0;
        for (CheckReport.NodeReport node : nodes) {
            NetworkCost.NodeCost cost = costs.get(node.node());
            OptionalDouble none = node.isAdded() ? OptionalDouble.of(0) : OptionalDouble.empty();
            OptionalDouble own = none;
            if (cost != null && node.isOnDevice()) {
                own = cost.device()
                        .map(estimate -> OptionalDouble.of(estimate.millis()))
                        .orElse(none);
                device = sum(device, own);
            } else if (cost != null) {
                own = cost.hostMillis().isPresent() ? cost.hostMillis() : none;
                host = sum(host, own);
            }
            open += own.isPresent() ? 0 : 1;
        }
        OptionalDouble link = OptionalDouble.of(0);
        for (NetworkCost.Crossing crossing : crossings) {
            link = sum(link, crossing.millis());
        }
        OptionalDouble starts = summary.partitions() == 0
                ? OptionalDouble.of(0)
                : scaled(estimates.startSeconds(), MILLIS * summary.partitions());
        CostModel model = estimates.model();
        Optional<String> accuracy =
                costs.values().stream().anyMatch(cost -> cost.device().isPresent())
                        ? model.accuracy()
                        : Optional.empty();
        OptionalDouble all = sum(sum(device, host), sum(link, starts));
        return new NetworkCost.Total(device, host, link, starts, all, open, model.source(), accuracy);
    }

    private static OptionalDouble sum(OptionalDouble one, OptionalDouble other) {
        return one.isPresent() && other.isPresent()
                ? OptionalDouble.of(one.getAsDouble() + other.getAsDouble())
                : OptionalDouble.empty();
    }

    static OptionalDouble scaled(OptionalDouble number, double factor) {
        return number.isPresent() ? OptionalDouble.of(number.getAsDouble() * factor) : number;
    }
}
