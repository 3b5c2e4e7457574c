package org.clinfer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.describe.OpCatalog;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The capability reports of a network for devices that are known by their profiles alone. Nodes that are the same use of
 * an operator are judged once.
 */
public final class ProfileCheck {

    private final OpCatalog catalog;
    private final RuleScope ruleScope;
    private final List<ProfileJudge> judges;
    private final Function<CheckedNode, Optional<String>> cpu;

    /** @param cpu why the CPU cannot run a node, or empty if it can */
    public ProfileCheck(
            OpCatalog catalog,
            RuleScope ruleScope,
            List<ProfileJudge> judges,
            Function<CheckedNode, Optional<String>> cpu) {
        this.catalog = catalog;
        this.ruleScope = ruleScope;
        this.judges = List.copyOf(judges);
        this.cpu = cpu;
    }

    /** The report of each profile on every node, in the order of the judges. */
    public List<CheckReport> reports(CheckedGraph checked) {
        Map<Object, CheckedNode> distinct = new LinkedHashMap<>();
        checked.nodes().forEach(node -> distinct.putIfAbsent(node.configuration(), node));
        Map<Object, List<NodeReports.Placed>> placed = new HashMap<>();
        distinct.entrySet().parallelStream()
                .map(entry -> Map.entry(entry.getKey(), placed(entry.getValue(), checked)))
                .toList()
                .forEach(entry -> placed.put(entry.getKey(), entry.getValue()));
        List<CheckReport> reports = new ArrayList<>();
        for (int i = 0; i < judges.size(); i++) {
            int place = i;
            DeviceProfile profile = judges.get(i).profile();
            reports.add(NodeReports.of(
                    checked,
                    catalog,
                    profile.title(),
                    profile.name(),
                    profile.memory(),
                    node -> Objects.requireNonNull(placed.get(node.configuration()))
                            .get(place)));
        }
        return reports;
    }

    private List<NodeReports.Placed> placed(CheckedNode node, CheckedGraph checked) {
        Vocabulary.Use use = ruleScope.of(node);
        @Nullable PassingSearch search = null;
        List<NodeReports.Placed> placed = new ArrayList<>();
        for (ProfileJudge judge : judges) {
            List<Finding> findings = judge.judge(use);
            boolean decided = findings.stream()
                    .anyMatch(finding ->
                            finding.broken().map(Finding.BrokenRule::isDecided).orElse(true));
            if (!decided) {
                Verdict verdict = findings.isEmpty() ? Verdict.ON_DEVICE : Verdict.UNKNOWN;
                placed.add(new NodeReports.Placed(verdict, "", findings));
                continue;
            }
            if (!judge.isListed(use) && use.isOfOneKind()) {
                placed.add(refused(node, findings, List.of()));
                continue;
            }
            if (search == null) {
                search = new PassingSearch(catalog, ruleScope, node, use, checked.constants());
            }
            List<Finding.PassingValue> passing = search.of(judge, judge.broken(use));
            placed.add(refused(node, findings, passing));
        }
        return placed;
    }

    private NodeReports.Placed refused(CheckedNode node, List<Finding> findings, List<Finding.PassingValue> passing) {
        List<Finding> all = new ArrayList<>();
        findings.forEach(finding -> all.add(finding.with(passing)));
        Optional<String> refusal = refusal(node);
        refusal.ifPresent(reason -> all.add(new Finding(RuleId.ofCpu(node.node().op()), reason)));
        return new NodeReports.Placed(refusal.isPresent() ? Verdict.UNSUPPORTED : Verdict.FALLS_BACK, "", all);
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
