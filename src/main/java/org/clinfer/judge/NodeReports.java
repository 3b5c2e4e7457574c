package org.clinfer.judge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.CostModel;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Reports of a checked network, node by node and as a whole, whoever decides where the nodes run. */
public final class NodeReports {

    /** The function that places a node that is sound. */
    @FunctionalInterface
    public interface Placement {
        /**
         * {@return the decision on a node}
         *
         * @param node the node
         */
        Placed of(CheckedNode node);
    }

    /** The decision on one node. */
    public record Placed(
            Verdict verdict, String variant, List<Finding> findings, Optional<CheckReport.Converted> converted) {
        public Placed {
            findings = List.copyOf(findings);
        }

        /**
         * The decision on a node that stands as it is.
         *
         * @param verdict where it can run
         * @param variant the kernel variant on the device, or empty
         * @param findings everything that speaks against the device
         */
        public Placed(Verdict verdict, String variant, List<Finding> findings) {
            this(verdict, variant, findings, Optional.empty());
        }

        /** The decision on the node as a converter makes it. */
        Placed as(CheckReport.Converted converted) {
            return new Placed(verdict, variant, findings, Optional.of(converted));
        }

        /**
         * {@return one that cannot be decided}
         *
         * @param op the canonical operator
         * @param message the reason
         */
        public static Placed unknown(String op, String message) {
            return new Placed(Verdict.UNKNOWN, "", List.of(new Finding(new RuleId(op + "/shape"), message)));
        }
    }

    private final CheckedGraph checked;
    private final OpCatalog catalog;
    private final IdentityHashMap<Node, Facts> facts = new IdentityHashMap<>();
    private final Map<List<Object>, Totals> totals = new HashMap<>();
    private @Nullable Map<String, CheckReport.Whole> wholes;
    private final Set<Node> added;
    private final IdentityHashMap<Node, String> causes = new IdentityHashMap<>();
    private final Map<String, CheckedNode> remaining = new HashMap<>();
    private final Map<String, List<CheckedGraph.NodeFinding>> own = new HashMap<>();

    /** Prepares reports of one network; what is the same for all placements is worked out once. */
    NodeReports(CheckedGraph checked, OpCatalog catalog) {
        this.checked = checked;
        this.catalog = catalog;
        this.added = AddedNodes.of(checked);
        checked.nodes().forEach(node -> remaining.put(node.node().name(), node));
        checked.findings()
                .forEach(found -> own.computeIfAbsent(found.node().name(), name -> new ArrayList<>())
                        .add(found));
        findCauses();
    }

    /** Finds the node that each one of which nothing is known goes back to. */
    private void findCauses() {
        Map<String, String> ofValues = new HashMap<>();
        for (Node node : checked.walked()) {
            if (remaining.containsKey(node.name()) || isConstant(node)) {
                continue;
            }
            String cause = own.containsKey(node.name())
                    ? node.name()
                    : node.inputs().stream()
                            .filter(ofValues::containsKey)
                            .map(input -> requireNonNull(ofValues.get(input)))
                            .findFirst()
                            .orElse(node.name());
            causes.put(node, cause);
            node.outputs().forEach(output -> ofValues.put(output, cause));
        }
    }

    /**
     * {@return the report of a network}
     *
     * @param checked the network
     * @param catalog the operators
     * @param device its name
     * @param profile short name of the profile, or empty
     * @param memory the device's, in bytes
     * @param values the way in which the device has the network's values
     * @param basis what the decisions rest on; empty for a live device
     * @param placement the decision on each node
     */
    public static CheckReport of(
            CheckedGraph checked,
            OpCatalog catalog,
            String device,
            String profile,
            OptionalLong memory,
            ValuesOnDevice values,
            Optional<CheckReport.Basis> basis,
            Placement placement) {
        return new NodeReports(checked, catalog).report(device, profile, memory, values, basis, placement);
    }

    /**
     * {@return the report with the times of nodes that were planned on the device of a profile, by name}
     *
     * @param report the report by rules
     * @param checked the network
     * @param profile the device
     * @param model the formulas of its family
     * @param estimates by names of nodes
     */
    public static CheckReport timed(
            CheckReport report,
            CheckedGraph checked,
            DeviceProfile profile,
            CostModel model,
            Map<String, NetworkCost.Estimate> estimates) {
        return NetworkCosts.estimated(report, checked, NetworkEstimates.planned(model, profile, estimates));
    }

    /** The report of the network, as {@link #of} makes it. */
    CheckReport report(
            String device,
            String profile,
            OptionalLong memory,
            ValuesOnDevice values,
            Optional<CheckReport.Basis> basis,
            Placement placement) {
        List<CheckReport.NodeReport> nodes = new ArrayList<>();
        List<Object> places = new ArrayList<>(List.of(values));
        for (Node node : checked.walked()) {
            CheckReport.NodeReport report = report(node, placement);
            nodes.add(report);
            places.add(report.verdict());
            places.add(report.converted());
        }
        Totals all = totals.computeIfAbsent(places, none -> totals(nodes, values));
        return new CheckReport(
                checked.graph().name(),
                device,
                profile,
                checked.inputTypes(),
                sized(),
                nodes,
                with(all.summary, memory),
                wholes(),
                basis,
                all.cost,
                List.of());
    }

    /** The same for a device with so much memory. */
    private static CheckReport.Summary with(CheckReport.Summary summary, OptionalLong memory) {
        return new CheckReport.Summary(
                summary.nodesOnDevice(),
                summary.nodes(),
                summary.multiplyAddsOnDevice(),
                summary.multiplyAdds(),
                summary.partitions(),
                summary.crossingBytes(),
                summary.weightBytes(),
                summary.peakActivationBytes(),
                memory);
    }

    /** Totals of the places of nodes; the same for devices that run the same nodes. */
    private record Totals(CheckReport.Summary summary, NetworkCost cost) {}

    private Totals totals(List<CheckReport.NodeReport> nodes, ValuesOnDevice values) {
        CheckReport.Summary summary = new ReportTotals(checked, catalog, values, nodes).summary(OptionalLong.empty());
        return new Totals(summary, new NetworkCosts(checked, nodes, summary).work(values));
    }

    /**
     * {@return a report with other reports of its nodes, added up again; without estimates, which are about other
     * placements}
     *
     * @param report the report to revise
     * @param checked the network
     * @param catalog the operators
     * @param revision gives the other report of a node
     */
    public static CheckReport revised(
            CheckReport report,
            CheckedGraph checked,
            OpCatalog catalog,
            UnaryOperator<CheckReport.NodeReport> revision) {
        List<CheckReport.NodeReport> nodes =
                report.nodes().stream().map(revision).toList();
        ValuesOnDevice values = new ValuesOnDevice(report.basis().flatMap(CheckReport.Basis::countedAs), false);
        CheckReport.Summary summary = new ReportTotals(checked, catalog, values, nodes)
                .summary(report.summary().memoryBytes());
        return new CheckReport(
                report.model(),
                report.device(),
                report.profile(),
                report.inputs(),
                report.sized(),
                nodes,
                summary,
                report.wholes(),
                report.basis(),
                new NetworkCosts(checked, nodes, summary).work(values),
                report.findings());
    }

    private List<String> sized() {
        return checked.graph().inputs().stream()
                .filter(input -> !input.type().shape().isKnown()
                        && requireNonNull(checked.inputTypes().get(input.name()))
                                .shape()
                                .isKnown())
                .map(Graph.Input::name)
                .toList();
    }

    private Map<String, CheckReport.Whole> wholes() {
        Map<String, CheckReport.Whole> known = wholes;
        if (known == null) {
            Map<String, CheckReport.Whole> made = new HashMap<>();
            checked.wholes()
                    .forEach((part, whole) -> made.put(
                            part,
                            new CheckReport.Whole(
                                    whole.name(),
                                    whole.op(),
                                    whole.source(),
                                    values(whole.inputs()),
                                    values(whole.outputs()))));
            known = Map.copyOf(made);
            wholes = known;
        }
        return known;
    }

    /** The part of a node's report that is the same wherever it runs. */
    private record Facts(List<CheckReport.Value> inputs, List<CheckReport.Value> outputs, CheckReport.Work work) {}

    private Facts facts(Node node, @Nullable CheckedNode sound) {
        return facts.computeIfAbsent(
                node,
                each -> new Facts(
                        values(each.inputs()),
                        values(each.outputs()),
                        sound == null ? unsoundWork(each) : work(sound)));
    }

    /** The graphs of control flow count by themselves, and what is known beforehand costs nothing. */
    private CheckReport.Work unsoundWork(Node node) {
        return !node.bodies().isEmpty() || isConstant(node)
                ? CheckReport.Work.NONE
                : new CheckReport.Work(OptionalLong.empty(), 0);
    }

    private boolean isConstant(Node node) {
        return node.outputs().stream().allMatch(checked.constants()::containsKey);
    }

    private CheckReport.NodeReport report(Node node, Placement placement) {
        List<CheckedGraph.NodeFinding> broken = own.getOrDefault(node.name(), List.of());
        if (!broken.isEmpty()) {
            List<Finding> findings =
                    broken.stream().map(CheckedGraph.NodeFinding::finding).toList();
            return report(node, new Placed(broken.get(0).verdict(), "", findings), null);
        }
        CheckedNode sound = remaining.get(node.name());
        if (sound != null) {
            return report(node, placement.of(sound), sound);
        }
        return report(
                node,
                isConstant(node)
                        ? new Placed(Verdict.ON_DEVICE, CheckReport.NodeReport.CONSTANT, List.of())
                        : Placed.unknown(
                                node.op(),
                                "an input of it could not be determined, which comes of '" + causes.get(node) + "'"),
                null);
    }

    private CheckReport.NodeReport report(Node node, Placed placed, @Nullable CheckedNode sound) {
        Facts facts = facts(node, sound);
        return new CheckReport.NodeReport(
                node.name(),
                node.op(),
                node.source(),
                placed.verdict,
                placed.variant,
                placed.findings,
                facts.inputs,
                facts.outputs,
                facts.work,
                placed.converted,
                added.contains(node));
    }

    private List<CheckReport.Value> values(List<String> names) {
        return names.stream()
                .filter(name -> !name.isEmpty())
                .map(name -> new CheckReport.Value(name, type(name)))
                .toList();
    }

    private Optional<TensorType> type(String value) {
        Tensor constant = checked.constants().get(value);
        return constant != null
                ? Optional.of(constant.type())
                : Optional.ofNullable(checked.types().get(value));
    }

    private CheckReport.Work work(CheckedNode node) {
        long bytes = 0;
        for (String input : node.node().inputs()) {
            Tensor constant = checked.constants().get(input);
            bytes += constant == null ? 0 : constant.type().bytes();
        }
        return new CheckReport.Work(node.multiplyAdds(), bytes);
    }
}
