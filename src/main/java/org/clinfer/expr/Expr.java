package org.clinfer.expr;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An expression; immutable, and free to be evaluated from any thread. */
public final class Expr {

    private final String source;
    private final String where;

    /** Parsed when it is asked for first, maybe twice by two threads. */
    private @Nullable ExpressionNode tree;

    private @Nullable Set<String> names;

    Expr(String source, String where, @Nullable ExpressionNode tree) {
        this.source = source;
        this.where = where;
        this.tree = tree;
    }

    ExpressionNode root() {
        ExpressionNode known = tree;
        if (known == null) {
            known = parsed(source, where);
            tree = known;
        }
        return known;
    }

    /**
     * Reads an expression.
     *
     * @param where what error messages start with, for example file and JSON path
     * @throws ExprException if it is malformed or exceeds a bound
     */
    public static Expr parse(String source, String where) {
        return new Expr(source, where, parsed(source, where));
    }

    private static ExpressionNode parsed(String source, String where) {
        Parser parser = new Parser(source, where);
        ExpressionNode root = parser.expression();
        parser.expectEnd();
        return root;
    }

    /**
     * What is wrong with the expression whatever the values are: of kinds that an operator or a function does not take, or a
     * result of another kind than is expected.
     *
     * @param types those of names; others may stand for anything
     * @param expected the type of the result
     * @return empty where nothing is wrong for sure
     */
    public List<ExprException> mistakes(Map<String, ValueType> types, ValueType expected) {
        TypeInference inference = new TypeInference(this, types);
        inference.require(root(), expected, "expected ");
        return inference.mistakes();
    }

    /** The type of the value, as far as it follows from those of names. */
    public ValueType type(Map<String, ValueType> types) {
        return new TypeInference(this, types).of(root());
    }

    /** The names of the functions that expressions may call. */
    public static Set<String> functions() {
        return Functions.names();
    }

    /** An expression that is known to be sound: it is parsed when its value is asked for. */
    public static Expr ofSound(String source, String where) {
        return new Expr(source, where, null);
    }

    /** The expression that is just this value. */
    public static Expr constant(ExpressionValue value) {
        return constant(value, "");
    }

    /**
     * The expression that is just this value.
     *
     * @param where what error messages start with
     */
    public static Expr constant(ExpressionValue value, String where) {
        String source = value.toString();
        return new Expr(source, where, new ExpressionNode.Literal(new ExpressionNode.At(0, source.length(), 1), value));
    }

    /**
     * The value in this scope.
     *
     * @throws ExprException if a name is not in the scope, a value is of the wrong kind, or a bound is exceeded
     */
    public ExpressionValue evaluate(Scope scope) {
        return new Evaluation(this, scope).of(root());
    }

    /**
     * The value in this scope, paid from a budget that other evaluations share.
     *
     * @throws ExprException as {@link #evaluate(Scope)} does, and where nothing is left of the budget
     */
    public ExpressionValue evaluate(Scope scope, Budget budget) {
        if (budget.isExhausted()) {
            throw failure(
                    root().at().start(), "the expressions of the description take too much time or memory in all");
        }
        Evaluation evaluation = new Evaluation(this, scope);
        try {
            return evaluation.of(root());
        } finally {
            evaluation.bookOn(budget);
        }
    }

    /**
     * The reason why the expression has the value it has: the part that decides, and what its leaves are, as in
     * {@code stride_h * stride_w < 256: 16 * 16 = 256}.
     */
    public String explain(Scope scope) {
        return new Explanation(this, scope).of(root());
    }

    /** The comparison that makes the expression false in this scope; empty where it is not false, or not for one. */
    public Optional<Comparison> failing(Scope scope) {
        return new Explanation(this, scope).failing(root());
    }

    /** The fields it takes, as {@code group.field}, of names in the scope. */
    public Set<String> fields() {
        Set<String> fields = new TreeSet<>();
        collectFields(root(), fields);
        return fields;
    }

    private static void collectFields(ExpressionNode node, Set<String> fields) {
        if (node instanceof ExpressionNode.Member member && member.target() instanceof ExpressionNode.Name name) {
            fields.add(name.name() + "." + member.name());
        }
        node.children().forEach(child -> collectFields(child, fields));
    }

    /** Tells whether it takes a field of a name. */
    public boolean takes(String name, String field) {
        // most expressions need not be parsed for the answer
        return source.contains(field) && fields().contains(name + "." + field);
    }

    /** {@return whether it may look at the elements of a tensor} */
    public boolean readsElements() {
        // most expressions need not be parsed for the answer
        return (source.contains("data") || source.contains("element")) && readsElements(root());
    }

    private static boolean readsElements(ExpressionNode node) {
        return (node instanceof ExpressionNode.Member member && member.name().equals("data"))
                || (node instanceof ExpressionNode.Call call
                        && call.function().name().equals("element"))
                || node.children().stream().anyMatch(Expr::readsElements);
    }

    /** The constants among the values that it may have: itself, or those at the ends of its conditionals. */
    public Set<ExpressionValue> outcomes() {
        Set<ExpressionValue> outcomes = new LinkedHashSet<>();
        collectOutcomes(root(), outcomes);
        return outcomes;
    }

    private static void collectOutcomes(ExpressionNode node, Set<ExpressionValue> outcomes) {
        if (node instanceof ExpressionNode.Literal literal) {
            outcomes.add(literal.value());
        } else if (node instanceof ExpressionNode.Conditional conditional) {
            collectOutcomes(conditional.whenTrue(), outcomes);
            collectOutcomes(conditional.whenFalse(), outcomes);
        }
    }

    /** The names it takes from the scope. */
    public Set<String> names() {
        Set<String> known = names;
        if (known == null) {
            known = Set.copyOf(FreeNames.of(root(), ""));
            names = known;
        }
        return known;
    }

    /** The names that it uses otherwise than to take this field of them. */
    public Set<String> namesBeside(String field) {
        return FreeNames.of(root(), field);
    }

    /** The name, where the expression is nothing but a name; otherwise empty. */
    public String asName() {
        return root() instanceof ExpressionNode.Name name ? name.name() : "";
    }

    /** {@return whether the expression is a constant} */
    public boolean isConstant() {
        return root() instanceof ExpressionNode.Literal;
    }

    public String source() {
        return source;
    }

    /** The start of error messages. */
    public String where() {
        return where;
    }

    ExprException failure(int position, String reason) {
        return new ExprException(where, source, position, reason);
    }

    String text(ExpressionNode node) {
        return source.substring(node.at().start(), node.at().end());
    }

    @Override
    public String toString() {
        return source;
    }

    /** Collects the names that are not parameters of a lambda around them. */
    private static final class FreeNames {

        private final String field;
        private final Set<String> names = new TreeSet<>();

        private FreeNames(String field) {
            this.field = field;
        }

        /** @param field names of which nothing but this is taken do not count */
        static Set<String> of(ExpressionNode node, String field) {
            FreeNames found = new FreeNames(field);
            found.collect(node, Set.of());
            return found.names;
        }

        private void collect(ExpressionNode node, Set<String> bound) {
            if (node instanceof ExpressionNode.Member member
                    && member.name().equals(field)
                    && member.target() instanceof ExpressionNode.Name) {
                return;
            }
            if (node instanceof ExpressionNode.Name name) {
                if (!bound.contains(name.name())) {
                    names.add(name.name());
                }
                return;
            }
            Set<String> inside = bound;
            if (node instanceof ExpressionNode.Lambda lambda) {
                inside = new TreeSet<>(bound);
                inside.add(lambda.parameter());
            }
            for (ExpressionNode child : node.children()) {
                collect(child, inside);
            }
        }
    }
}
