package org.clinfer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Node;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The capability report of a network for a device that is known by its profile alone. */
public final class ProfileCheck {

    private final PassingSearch search;
    private final ProfileJudge judge;
    private final Function<CheckedNode, Optional<String>> cpu;
    private final Map<Object, List<Finding.PassingValue>> searched = new HashMap<>();

    /** @param cpu why the CPU cannot run a node, or empty if it can */
    public ProfileCheck(OpCatalog catalog, ProfileJudge judge, Function<CheckedNode, Optional<String>> cpu) {
        this.search = new PassingSearch(catalog, judge);
        this.judge = judge;
        this.cpu = cpu;
    }

    /** What the profile says of every node. */
    public CheckReport report(CheckedGraph checked) {
        Map<String, CheckedNode> remaining = new HashMap<>();
        checked.nodes().forEach(node -> remaining.put(node.node().name(), node));
        Map<String, List<CheckedGraph.NodeFinding>> own = new HashMap<>();
        checked.findings()
                .forEach(found -> own.computeIfAbsent(found.node().name(), name -> new ArrayList<>())
                        .add(found));
        List<CheckReport.NodeReport> reports = new ArrayList<>();
        for (Node node : checked.walked()) {
            List<CheckedGraph.NodeFinding> broken = own.getOrDefault(node.name(), List.of());
            reports.add(
                    broken.isEmpty()
                            ? report(checked, node, remaining.get(node.name()))
                            : NodeReports.broken(node, checked, broken));
        }
        DeviceProfile profile = judge.profile();
        return NodeReports.whole(checked, profile.title(), profile.name(), reports);
    }

    private CheckReport.NodeReport report(CheckedGraph checked, Node node, @Nullable CheckedNode remaining) {
        if (remaining == null) {
            return NodeReports.folded(node, checked);
        }
        List<Finding> findings = judge.judge(remaining);
        if (findings.isEmpty()) {
            return NodeReports.of(node, checked, Verdict.ON_DEVICE, "", List.of());
        }
        boolean decided = findings.stream()
                .anyMatch(finding ->
                        finding.broken().map(Finding.BrokenRule::isDecided).orElse(true));
        if (!decided) {
            return NodeReports.of(node, checked, Verdict.UNKNOWN, "", findings);
        }
        List<Finding> all = new ArrayList<>();
        List<Finding.PassingValue> passing = passing(remaining, checked);
        findings.forEach(finding -> all.add(finding.with(passing)));
        Optional<String> refusal = refusal(remaining);
        refusal.ifPresent(reason -> all.add(new Finding("cpu/" + node.op(), reason)));
        return NodeReports.of(node, checked, refusal.isPresent() ? Verdict.UNSUPPORTED : Verdict.FALLS_BACK, "", all);
    }

    /** Searched once for all nodes that are the same to an operator. */
    private List<Finding.PassingValue> passing(CheckedNode node, CheckedGraph checked) {
        Object configuration = List.of(
                node.node().op(),
                node.node().params(),
                node.inputTypes().toString(),
                node.outputTypes().toString());
        return searched.computeIfAbsent(configuration, key -> search.of(node, checked.constants()));
    }

    private Optional<String> refusal(CheckedNode node) {
        Optional<String> refusal = Optional.empty();
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            boolean known = form.outputTypes().stream().map(TensorType::shape).allMatch(shape -> shape.isKnown());
            refusal = known ? cpu.apply(form) : Optional.empty();
            if (refusal.isEmpty()) {
                return refusal;
            }
        }
        return refusal;
    }
}
