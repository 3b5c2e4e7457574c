package org.clinfer.expr;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Says why an expression has its value: the clause that decides, with the values of its leaves. */
final class Explanation {

    private final Expr expression;
    private final Scope scope;
    private final Budget budget = new Budget();

    Explanation(Expr expression, Scope scope) {
        this.expression = expression;
        this.scope = scope;
    }

    String of(ExpressionNode node) {
        try {
            return of(node, scope);
        } catch (ExprException tooMuch) {
            return expression.source();
        }
    }

    private String of(ExpressionNode node, Scope inside) {
        if (node instanceof ExpressionNode.Binary binary && binary.operator() == BinaryOperator.AND) {
            ExpressionNode clause =
                    isFalse(binary.left(), inside) || !isFalse(binary.right(), inside) ? binary.left() : binary.right();
            return isFalse(clause, inside) ? of(clause, inside) : whole(node, inside);
        }
        if (node instanceof ExpressionNode.Call call && call.function().name().equals("all")) {
            return ofAll(call, inside);
        }
        return whole(node, inside);
    }

    /** The comparison that makes the node false, through conjunctions and {@code all}. */
    Optional<Comparison> failing(ExpressionNode node) {
        try {
            return isFalse(node, scope) ? failing(node, scope) : Optional.empty();
        } catch (ExprException tooMuch) {
            return Optional.empty();
        }
    }

    private Optional<Comparison> failing(ExpressionNode node, Scope inside) {
        if (node instanceof ExpressionNode.Binary binary) {
            if (binary.operator() == BinaryOperator.AND) {
                return failing(isFalse(binary.left(), inside) ? binary.left() : binary.right(), inside);
            }
            return binary.operator().isComparison()
                    ? Optional.of(new Comparison(
                            expression.text(node),
                            side(binary.left(), inside),
                            binary.operator().symbol(),
                            side(binary.right(), inside)))
                    : Optional.empty();
        }
        if (node instanceof ExpressionNode.Call call && call.function().name().equals("all")) {
            ExpressionNode.Lambda lambda =
                    (ExpressionNode.Lambda) call.arguments().get(1);
            return firstFalse(call, inside).flatMap(element -> failing(lambda.body(), element));
        }
        return Optional.empty();
    }

    private Comparison.Side side(ExpressionNode node, Scope inside) {
        return new Comparison.Side(expression.text(node), value(node, inside), isGiven(node, inside));
    }

    private boolean isGiven(ExpressionNode node, Scope inside) {
        if (node instanceof ExpressionNode.Literal) {
            return true;
        }
        if (node instanceof ExpressionNode.Member member && member.target() instanceof ExpressionNode.Name name) {
            return inside.lookup(name.name()) instanceof ExpressionValue.Fields;
        }
        boolean isCompound = node instanceof ExpressionNode.Binary
                || node instanceof ExpressionNode.Unary
                || node instanceof ExpressionNode.Call;
        return isCompound && node.children().stream().allMatch(child -> isGiven(child, inside));
    }

    private boolean isFalse(ExpressionNode node, Scope inside) {
        return value(node, inside).equals(Constants.FALSE);
    }

    private ExpressionValue value(ExpressionNode node, Scope inside) {
        if (budget.isExhausted()) {
            throw expression.failure(node.at().start(), "the explanation takes too much time or memory");
        }
        Evaluation evaluation = new Evaluation(expression, inside);
        try {
            return evaluation.of(node);
        } finally {
            evaluation.bookOn(budget);
        }
    }

    /** {@code all(list, v -> …)}: the first element for which it does not hold. */
    private String ofAll(ExpressionNode.Call call, Scope inside) {
        ExpressionNode.Lambda lambda = (ExpressionNode.Lambda) call.arguments().get(1);
        if (value(call.arguments().get(0), inside) instanceof ExpressionValue.ListOf list) {
            for (int i = 0; i < list.elements().size(); i++) {
                Scope element = inside.with(lambda.parameter(), list.elements().get(i));
                if (isFalse(lambda.body(), element)) {
                    return expression.text(call) + ": for element " + i + ", " + details(lambda.body(), element);
                }
            }
        }
        return whole(call, inside);
    }

    /** The scope of the first element for which an {@code all} does not hold. */
    private Optional<Scope> firstFalse(ExpressionNode.Call call, Scope inside) {
        ExpressionNode.Lambda lambda = (ExpressionNode.Lambda) call.arguments().get(1);
        if (value(call.arguments().get(0), inside) instanceof ExpressionValue.ListOf list) {
            for (ExpressionValue element : list.elements()) {
                Scope of = inside.with(lambda.parameter(), element);
                if (isFalse(lambda.body(), of)) {
                    return Optional.of(of);
                }
            }
        }
        return Optional.empty();
    }

    private String whole(ExpressionNode node, Scope inside) {
        String details = details(node, inside);
        boolean isLeaf = details.startsWith(expression.text(node) + " = ");
        if (isLeaf) {
            return details;
        }
        return details.isEmpty() ? expression.text(node) : expression.text(node) + ": " + details;
    }

    private String details(ExpressionNode node, Scope inside) {
        Set<String> parts = new LinkedHashSet<>();
        addParts(node, inside, parts);
        return String.join(", ", parts);
    }

    /** One part for each operand of a comparison, reached through the logical operators. */
    private void addParts(ExpressionNode node, Scope inside, Set<String> parts) {
        if (node instanceof ExpressionNode.Literal) {
            return;
        }
        if (isLogical(node)) {
            for (ExpressionNode child : node.children()) {
                addParts(child, inside, parts);
            }
            return;
        }
        List<ExpressionNode> leaves = new ArrayList<>();
        collectLeaves(node, leaves);
        boolean isLeaf = leaves.size() == 1 && leaves.get(0) == node;
        parts.add((isLeaf ? expression.text(node) : substituted(node, leaves, inside)) + " = " + shown(node, inside));
    }

    private static boolean isLogical(ExpressionNode node) {
        if (node instanceof ExpressionNode.Binary binary) {
            return binary.operator().isComparison() || binary.operator().isLogical();
        }
        return node instanceof ExpressionNode.Unary unary && unary.operator().equals("!");
    }

    /** Names, fields and elements outside lambdas; what a lambda goes over is shown, its body is not. */
    private static void collectLeaves(ExpressionNode node, List<ExpressionNode> leaves) {
        if (node instanceof ExpressionNode.Name
                || node instanceof ExpressionNode.Member
                || node instanceof ExpressionNode.Index) {
            leaves.add(node);
        } else if (!(node instanceof ExpressionNode.Lambda)) {
            node.children().forEach(child -> collectLeaves(child, leaves));
        }
    }

    /** The source of the node with its leaves replaced by their values. */
    private String substituted(ExpressionNode node, List<ExpressionNode> leaves, Scope inside) {
        StringBuilder text = new StringBuilder();
        String source = expression.source();
        int from = node.at().start();
        for (ExpressionNode leaf : leaves) {
            text.append(source, from, leaf.at().start()).append(shown(leaf, inside));
            from = leaf.at().end();
        }
        return text.append(source, from, node.at().end()).toString();
    }

    /** The value of a node, or why there is none: the branch not taken of a condition may well have none. */
    private String shown(ExpressionNode node, Scope inside) {
        try {
            ExpressionValue value = value(node, inside);
            boolean saysNothing = value.equals(Constants.UNKNOWN)
                    || (value instanceof ExpressionValue.Unknown
                            && value.toString().equals(expression.text(node)));
            return saysNothing ? "?" : value.toString();
        } catch (ExprException noValue) {
            return "(" + noValue.reason() + ")";
        }
    }
}
