package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.clinfer.check.Finding;
import org.clinfer.check.RuleId;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.ProfileRule;
import org.clinfer.profile.Vocabulary;

/**
 * The limits of a device that all nodes of a network share, such as the memory of its weights. Where all together are beyond
 * one, the nodes stay in their order as far as those before and they themselves are within it.
 */
final class NetworkTotals {

    private static final ExpressionValue NO_DIMS = ExpressionValue.list(ExpressionValue.of(0));

    private final ProfileJudge judge;
    private final List<ProfileRule> rules;
    private final Predicate<String> isConstant;
    private final Map<String, List<Finding>> refused = new HashMap<>();
    private final Map<RuleId, Finding> ofNetwork = new LinkedHashMap<>();

    /**
     * Holds nodes against the limits.
     *
     * @param nodes those that the device runs each by itself, in execution order
     * @param scopes the words in which rules see each node
     * @param isConstant whether the value of a name is known before the network runs
     */
    NetworkTotals(
            ProfileJudge judge,
            List<CheckedNode> nodes,
            Function<CheckedNode, RuleScope> scopes,
            Predicate<String> isConstant) {
        this.judge = judge;
        this.rules = judge.totals();
        this.isConstant = isConstant;
        List<Shared> shared = new ArrayList<>();
        if (!rules.isEmpty()) {
            nodes.forEach(node -> shared.add(shared(node, scopes.apply(node))));
        }
        Sums all = new Sums();
        shared.forEach(all::take);
        Sums staying = new Sums();
        shared.forEach(node -> place(node, all, staying));
    }

    /** The findings on the nodes that have no room, and on those of which that cannot be decided, by their names. */
    Map<String, List<Finding>> refused() {
        return refused;
    }

    /** The limits that the network as a whole is beyond. */
    List<Finding> ofNetwork() {
        return List.copyOf(ofNetwork.values());
    }

    /** A node with what it may share with others: the names of its constants, and those of other inputs as empty texts. */
    private record Shared(CheckedNode node, Vocabulary.Use use, List<String> constants, List<ProfileRule> rules) {}

    private Shared shared(CheckedNode node, RuleScope scope) {
        Vocabulary.Use use = scope.of(node);
        return new Shared(
                node,
                use,
                scope.inputs(node).stream()
                        .map(name -> isConstant.test(name) ? name : "")
                        .toList(),
                rules.stream().filter(rule -> ProfileJudge.isFor(rule, use)).toList());
    }

    /**
     * The sums with one more node, of the rules that are meant for it; unknown where the node's part is.
     *
     * @param scope the words of the node
     */
    private record Added(Scope scope, Map<ProfileRule, ExpressionValue> totals) {}

    /** The sums of the nodes that were taken. */
    private final class Sums {

        private final Map<ProfileRule, Long> sums = new HashMap<>();
        private final Set<String> held = new HashSet<>();

        Added with(Shared node) {
            Scope scope = node.use.scope().with(ProfileRule.CONSTANT_DIMS, constantDims(node));
            Map<ProfileRule, ExpressionValue> totals = new LinkedHashMap<>();
            for (ProfileRule rule : node.rules) {
                totals.put(
                        rule,
                        rule.amount(judge.profile().over(scope)) instanceof ExpressionValue.Int amount
                                ? ExpressionValue.of(plus(of(rule), amount.value()))
                                : ExpressionValue.unknown());
            }
            return new Added(scope, totals);
        }

        private ExpressionValue constantDims(Shared node) {
            List<ExpressionValue> given = node.use
                    .scope()
                    .find("input_dims")
                    .map(value -> ((ExpressionValue.ListOf) value).elements())
                    .orElse(List.of());
            List<ExpressionValue> dims = new ArrayList<>();
            for (int i = 0; i < given.size(); i++) {
                String name = node.constants.get(i);
                dims.add(name.isEmpty() || held.contains(name) ? NO_DIMS : given.get(i));
            }
            return ExpressionValue.list(dims);
        }

        void take(Shared node) {
            with(node).totals.forEach((rule, total) -> {
                if (total instanceof ExpressionValue.Int known) {
                    sums.put(rule, known.value());
                }
            });
            held.addAll(node.constants);
        }

        long of(ProfileRule rule) {
            return sums.getOrDefault(rule, 0L);
        }
    }

    private static long plus(long one, long other) {
        long sum = one + other;
        return sum < one ? Long.MAX_VALUE : sum;
    }

    private void place(Shared node, Sums all, Sums staying) {
        Added added = staying.with(node);
        List<Finding> findings = new ArrayList<>();
        added.totals.forEach((rule, total) -> finding(rule, node, added.scope, total)
                .map(found -> total instanceof ExpressionValue.Int
                        ? finding(rule, node, added.scope, ExpressionValue.of(all.of(rule)))
                                .orElse(found)
                        : found)
                .ifPresent(found -> {
                    findings.add(found);
                    if (found.broken().filter(Finding.BrokenRule::isDecided).isPresent()) {
                        RuleId id = new RuleId(judge.profile().rules().family() + "/network/" + rule.id());
                        ofNetwork.putIfAbsent(id, new Finding(id, found.message(), found.broken()));
                    }
                }));
        if (findings.isEmpty()) {
            staying.take(node);
        } else {
            refused.put(node.node.node().name(), findings);
        }
    }

    private Optional<Finding> finding(ProfileRule rule, Shared node, Scope scope, ExpressionValue total) {
        Vocabulary.Use use = node.use;
        return judge.finding(
                rule,
                new Vocabulary.Use(use.kinds(), use.isOfOneKind(), use.words(), scope.with(ProfileRule.TOTAL, total)));
    }
}
