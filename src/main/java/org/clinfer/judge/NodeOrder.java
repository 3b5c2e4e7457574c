package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.ProfileRule;
import org.clinfer.profile.Vocabulary;

/** The rules of a device on nodes that follow others, in the flow of data, which it does not run. */
final class NodeOrder {

    private final ProfileJudge judge;
    private final CheckedGraph checked;
    private final Conversion conversion;
    private final QuantizedUses quantized;
    private final Set<String> constants;
    private final RuleScope scope;
    private final Map<String, CheckedNode> sound = new HashMap<>();
    private final Set<String> broken = new HashSet<>();
    private final Map<String, List<Finding>> refused = new HashMap<>();

    /** For a value that follows one, a node that is not on the device; by the names of values. */
    private final Map<String, Fallback> values = new HashMap<>();

    /**
     * A node that the device does not run.
     *
     * @param isKnown false where that cannot be decided
     */
    private record Fallback(String node, boolean isKnown) {}

    /** @param constants the values that are known before the network runs */
    NodeOrder(
            ProfileJudge judge,
            CheckedGraph checked,
            Conversion conversion,
            QuantizedUses quantized,
            Set<String> constants,
            RuleScope scope) {
        this.judge = judge;
        this.checked = checked;
        this.conversion = conversion;
        this.quantized = quantized;
        this.constants = constants;
        this.scope = scope;
        checked.nodes().forEach(node -> sound.put(node.node().name(), node));
        checked.findings().stream()
                .filter(found -> found.verdict() != Verdict.UNKNOWN)
                .forEach(found -> broken.add(found.node().name()));
    }

    /**
     * The findings on nodes that are refused because of others before them, by their names.
     *
     * @param placed the decision on each node without these rules
     */
    Map<String, List<Finding>> refused(Function<CheckedNode, NodeReports.Placed> placed) {
        List<ProfileRule> rules = judge.orders();
        if (rules.isEmpty()) {
            return Map.of();
        }
        for (Node node : checked.walked()) {
            if (!constants.containsAll(node.outputs())) {
                Optional<Fallback> behind = behind(node);
                CheckedNode known = sound.get(node.name());
                Optional<Fallback> fallback = known == null
                        ? Optional.of(new Fallback(node.name(), broken.contains(node.name())))
                        : own(known, rules, behind, placed);
                worse(behind, fallback).ifPresent(at -> node.outputs().forEach(output -> values.put(output, at)));
            }
        }
        return refused;
    }

    /** The first node that the device does not run among those that a node follows; one that is known rather than not. */
    private Optional<Fallback> behind(Node node) {
        return node.inputs().stream()
                .map(values::get)
                .filter(Objects::nonNull)
                .map(Optional::of)
                .reduce(Optional.empty(), NodeOrder::worse);
    }

    private static Optional<Fallback> worse(Optional<Fallback> one, Optional<Fallback> other) {
        return one.isEmpty()
                        || (other.isPresent()
                                && !one.get().isKnown()
                                && other.get().isKnown())
                ? other
                : one;
    }

    /** The node itself, where it is not on the device by the other rules; notes what these rules say of it. */
    private Optional<Fallback> own(
            CheckedNode node,
            List<ProfileRule> rules,
            Optional<Fallback> behind,
            Function<CheckedNode, NodeReports.Placed> placed) {
        if (conversion.part(node).isPresent() || !quantized.owners(node).isEmpty()) {
            return Optional.empty(); // goes with others, whose values say where they are
        }
        Verdict verdict = placed.apply(node).verdict();
        if (verdict != Verdict.ON_DEVICE) {
            return quantizesInput(node)
                    ? Optional.empty()
                    : Optional.of(new Fallback(node.node().name(), verdict != Verdict.UNKNOWN));
        }
        List<Finding> findings = findings(node, rules, behind);
        if (!findings.isEmpty()) {
            refused.put(node.node().name(), findings);
        }
        return Optional.empty();
    }

    /** Tells whether a node makes quantized numbers of an input of the network, as the host does for any device. */
    private boolean quantizesInput(CheckedNode node) {
        return node.node().op().equals("QuantizeLinear")
                && checked.inputTypes().containsKey(node.node().inputs().get(0));
    }

    private List<Finding> findings(CheckedNode node, List<ProfileRule> rules, Optional<Fallback> behind) {
        Vocabulary.Use use = scope.seeing(node, quantized.of(node)).of(node);
        ExpressionValue follows = behind.isPresent() && !behind.get().isKnown()
                ? ExpressionValue.unknown()
                : ExpressionValue.of(behind.isPresent());
        Vocabulary.Use placed = new Vocabulary.Use(
                use.kinds(), use.isOfOneKind(), use.words(), use.scope().with(ProfileRule.FOLLOWS_FALLBACK, follows));
        List<Finding> findings = new ArrayList<>();
        for (ProfileRule rule : rules) {
            if (ProfileJudge.isFor(rule, placed)) {
                judge.finding(rule, placed)
                        .ifPresent(found ->
                                findings.add(new Finding(found.rule(), message(rule, behind), found.broken())));
            }
        }
        return findings;
    }

    private static String message(ProfileRule rule, Optional<Fallback> behind) {
        if (behind.isEmpty()) {
            return rule.message();
        }
        String follows = rule.message() + ": it follows '" + behind.get().node() + "'";
        return behind.get().isKnown()
                ? follows
                : "cannot be decided: " + follows + ", which may be on the device or not";
    }
}
