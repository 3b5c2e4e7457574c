package org.clinfer.describe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.Budget;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;

/**
 * The state while a node is bound. A name whose value breaks a rule is broken: expressions that use it are passed over,
 * so that one mistake is reported once.
 */
final class BindState {

    private final OpDescription op;
    private final String nodeLabel;
    private final Map<String, ExpressionValue> values = new LinkedHashMap<>();
    private final Set<String> broken = new HashSet<>();
    private final Set<String> ofWrongType = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();
    private final List<String> undecided = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private final Budget budget = new Budget();
    /** The mark that the budget has run out, which is reported once. */
    private boolean gaveUp;

    private Scope scope;

    /** @param nodeLabel how messages call the node; empty leaves operator and node out of them */
    BindState(OpDescription op, String nodeLabel) {
        this(op, nodeLabel, Scope.empty());
    }

    /** @param scope values that are known already */
    BindState(OpDescription op, String nodeLabel, Scope scope) {
        this.op = op;
        this.nodeLabel = nodeLabel;
        this.scope = scope;
    }

    OpDescription op() {
        return op;
    }

    Scope scope() {
        return scope;
    }

    Map<String, ExpressionValue> values() {
        return Collections.unmodifiableMap(values);
    }

    List<Violation> violations() {
        return violations;
    }

    List<String> undecided() {
        return undecided;
    }

    List<String> unknown() {
        return unknown;
    }

    void define(String name, ExpressionValue value) {
        values.put(name, value);
        scope = scope.with(name, value);
    }

    Optional<ExpressionValue> value(String name) {
        return scope.find(name);
    }

    void markBroken(String name) {
        broken.add(name);
    }

    /** An input whose elements are of a type that the operator does not take: expressions may fail for that alone. */
    void markOfWrongType(String input) {
        ofWrongType.add(input);
    }

    boolean usesBroken(Expr expression) {
        return !broken.isEmpty() && expression.names().stream().anyMatch(broken::contains);
    }

    /** Records a violation; the text says what was expected and what was found. */
    void violate(String argument, String text) {
        violations.add(new Violation(argument, about(argument, text)));
    }

    private String about(String argument, String text) {
        String subject = nodeLabel.isEmpty() ? "" : op.optype() + " '" + nodeLabel + "': ";
        return subject + (argument.isEmpty() ? "" : argument + ": ") + text;
    }

    void reportUnknown(String argument, String reason) {
        unknown.add(about(argument, reason));
    }

    /** The value of an expression; empty where it uses what is broken, or fails, which is recorded. */
    Optional<ExpressionValue> evaluate(Expr expression, String argument) {
        return evaluate(expression, argument, scope);
    }

    Optional<ExpressionValue> evaluate(Expr expression, String argument, Scope inside) {
        if (usesBroken(expression) || gaveUp) {
            return Optional.empty();
        }
        gaveUp = budget.isExhausted();
        try {
            return Optional.of(expression.evaluate(inside, budget));
        } catch (ExprException failed) {
            if (expression.names().stream().anyMatch(ofWrongType::contains)) {
                return Optional.empty();
            }
            violate(argument, failed.reason() + ", in " + abbreviated(expression.source()));
            return Optional.empty();
        }
    }

    /** {@return whether the check does not fail; a failed one is recorded, and so is one that cannot be decided yet} */
    boolean check(Check check, String argument) {
        Optional<ExpressionValue> result = evaluate(check.condition(), argument);
        if (result.isEmpty()) {
            return gaveUp
                    || usesBroken(check.condition())
                    || check.condition().names().stream().anyMatch(ofWrongType::contains);
        }
        if (result.get() instanceof ExpressionValue.Bool bool) {
            if (!bool.value()) {
                violate(argument, check.explain(scope));
            }
            return bool.value();
        }
        if (result.get() instanceof ExpressionValue.Unknown) {
            undecided.add(about(argument, check.explain(scope)));
            return true;
        }
        violate(
                argument,
                "the check " + check.condition() + " must give a bool, not "
                        + result.get().described());
        return false;
    }

    void checkAll(List<Check> checks, String argument) {
        for (Check check : checks) {
            if (!check(check, argument)) {
                markBroken(argument);
            }
        }
    }

    /** The expected value as messages show it: the number, and for an expression where it comes from. */
    String shown(Expr expression) {
        return expression.isConstant() ? expression.source() : expression.explain(scope);
    }

    static String abbreviated(String source) {
        return source.length() <= 120 ? source : source.substring(0, 120) + "…";
    }
}
