package org.clinfer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.describe.OpCatalog;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.tensor.TensorType;

/** The capability report of a network for a device that is known by its profile alone. */
public final class ProfileCheck {

    private final OpCatalog catalog;
    private final PassingSearch search;
    private final ProfileJudge judge;
    private final Function<CheckedNode, Optional<String>> cpu;
    private final Map<Object, List<Finding.PassingValue>> searched = new HashMap<>();

    /** @param cpu why the CPU cannot run a node, or empty if it can */
    public ProfileCheck(OpCatalog catalog, ProfileJudge judge, Function<CheckedNode, Optional<String>> cpu) {
        this.catalog = catalog;
        this.search = new PassingSearch(catalog, judge);
        this.judge = judge;
        this.cpu = cpu;
    }

    /** What the profile says of every node. */
    public CheckReport report(CheckedGraph checked) {
        DeviceProfile profile = judge.profile();
        return NodeReports.of(
                checked, catalog, profile.title(), profile.name(), profile.memory(), node -> placed(checked, node));
    }

    private NodeReports.Placed placed(CheckedGraph checked, CheckedNode node) {
        List<Finding> findings = judge.judge(node);
        if (findings.isEmpty()) {
            return new NodeReports.Placed(Verdict.ON_DEVICE, "", List.of());
        }
        boolean decided = findings.stream()
                .anyMatch(finding ->
                        finding.broken().map(Finding.BrokenRule::isDecided).orElse(true));
        if (!decided) {
            return new NodeReports.Placed(Verdict.UNKNOWN, "", findings);
        }
        List<Finding> all = new ArrayList<>();
        List<Finding.PassingValue> passing = passing(node, checked);
        findings.forEach(finding -> all.add(finding.with(passing)));
        Optional<String> refusal = refusal(node);
        refusal.ifPresent(reason -> all.add(new Finding("cpu/" + node.node().op(), reason)));
        return new NodeReports.Placed(refusal.isPresent() ? Verdict.UNSUPPORTED : Verdict.FALLS_BACK, "", all);
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
