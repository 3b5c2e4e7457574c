package org.clinfer.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.expr.Comparison;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.FieldUses;
import org.clinfer.expr.Scope;

/**
 * One restriction of a family of devices on a kind of operator, or on all nodes of a network together.
 *
 * @param kinds the kinds of operators it is for; {@code *} stands for all
 * @param id short name, unique within its family for each kind
 * @param lets names and what they stand for, in order; each sees those before it
 * @param when what has to hold for the rule to apply; empty: always
 * @param total what a node adds to the sum over the network of which {@code require} speaks as {@code total}; empty: the
 *     restriction is on each node by itself
 * @param require what has to hold then
 * @param message what is wrong otherwise, for people
 * @param unit of what is compared, such as {@code bytes}; may be empty
 * @param source the document and the place in it
 * @param evidence the ground on which it stands; empty where neither it nor its family says
 * @param readings the readings under which it holds
 * @param where file and line
 */
public record ProfileRule(
        List<String> kinds,
        String id,
        Map<String, Expr> lets,
        Optional<Expr> when,
        Optional<Expr> total,
        Expr require,
        String message,
        String unit,
        String source,
        Optional<Evidence> evidence,
        Set<Reading> readings,
        String where) {

    /** The name of the sum over the network in a restriction on all nodes together. */
    public static final String TOTAL = "total";

    /**
     * The name, in such a restriction, of a list with an element for each input: its dimensions where it is a constant that no
     * node before has as well, else one dimension of 0.
     */
    public static final String CONSTANT_DIMS = "constant_dims";

    /** The name of whether a node follows, in the flow of data, one that the device does not run; it is known of networks alone. */
    public static final String FOLLOWS_FALLBACK = "follows_fallback";

    /** The judgement of a rule on one use of an operator. */
    public sealed interface Judgement {}

    /** The rule does not apply, or it holds. */
    public record Holds() implements Judgement {}

    /**
     * The rule is broken.
     *
     * @param explanation the expression with its values
     * @param workings how the names it uses came about
     * @param comparison the comparison that fails, where it is one
     */
    public record Broken(String explanation, List<String> workings, Optional<Comparison> comparison)
            implements Judgement {
        public Broken {
            workings = List.copyOf(workings);
        }
    }

    /**
     * Not to be decided.
     *
     * @param explanation the expression, with a question mark for what is not known, or what the rule itself says is missing
     */
    public record Undecided(String explanation) implements Judgement {}

    private static final Holds HOLDS = new Holds();

    public ProfileRule {
        kinds = List.copyOf(kinds);
        readings = Set.copyOf(readings);
        lets = Collections.unmodifiableMap(new LinkedHashMap<>(lets));
    }

    /**
     * Applies the rule.
     *
     * @param use the names of the operator and the sections of the profile
     * @return whether it applies, and what breaks it
     */
    public Judgement judge(Scope use) {
        try {
            Scope scope = use;
            for (Map.Entry<String, Expr> let : lets.entrySet()) {
                scope = scope.with(let.getKey(), let.getValue().evaluate(scope));
            }
            if (when.isPresent()) {
                ExpressionValue applies = when.get().evaluate(scope);
                if (applies instanceof ExpressionValue.Bool bool && !bool.value()) {
                    return HOLDS;
                }
                // A rule that holds anyway need not be known to apply.
                if (!(applies instanceof ExpressionValue.Bool) && !isTrue(require.evaluate(scope))) {
                    return new Undecided(when.get().explain(scope));
                }
            }
            ExpressionValue holds = require.evaluate(scope);
            if (isTrue(holds)) {
                return HOLDS;
            }
            return holds instanceof ExpressionValue.Bool
                    ? new Broken(require.explain(scope), workings(scope), require.failing(scope))
                    : new Undecided(require.explain(scope));
        } catch (ExprException failed) {
            return new Undecided(failed.reason());
        }
    }

    /** The numbers behind the names that the restriction uses, what they are made of first. */
    private List<String> workings(Scope scope) {
        Set<String> needed = new TreeSet<>(require.names());
        List<String> names = new ArrayList<>(lets.keySet());
        List<String> workings = new ArrayList<>();
        for (int i = names.size() - 1; i >= 0; i--) {
            String name = names.get(i);
            Expr let = Objects.requireNonNull(lets.get(name));
            boolean isNumber = scope.find(name)
                    .filter(value -> value instanceof ExpressionValue.Int || value instanceof ExpressionValue.Real)
                    .isPresent();
            if (needed.contains(name) && isNumber) {
                needed.addAll(let.names());
                workings.add(0, name + " = " + let.explain(scope));
            }
        }
        return workings;
    }

    /**
     * {@return whether it does not apply or holds: the judgement alone, without its reasons}
     *
     * @param use the names of the operator and the sections of the profile
     */
    public boolean holds(Scope use) {
        try {
            Scope scope = use;
            for (Map.Entry<String, Expr> let : lets.entrySet()) {
                scope = scope.with(let.getKey(), let.getValue().evaluate(scope));
            }
            boolean applies = when.isEmpty()
                    || !(when.get().evaluate(scope) instanceof ExpressionValue.Bool bool)
                    || bool.value();
            return !applies || isTrue(require.evaluate(scope));
        } catch (ExprException failed) {
            return false;
        }
    }

    private static boolean isTrue(ExpressionValue value) {
        return value instanceof ExpressionValue.Bool bool && bool.value();
    }

    /**
     * {@return what a use adds to the sum over the network: nothing where the rule does not apply; unknown where that cannot be
     * decided}
     *
     * @param use the names of the operator and the sections of the profile
     */
    public ExpressionValue amount(Scope use) {
        try {
            Scope scope = use;
            for (Map.Entry<String, Expr> let : lets.entrySet()) {
                scope = scope.with(let.getKey(), let.getValue().evaluate(scope));
            }
            ExpressionValue applies = when.isPresent() ? when.get().evaluate(scope) : ExpressionValue.of(true);
            if (!(applies instanceof ExpressionValue.Bool known)) {
                return ExpressionValue.unknown();
            }
            return known.value() && total.isPresent() ? total.get().evaluate(scope) : ExpressionValue.of(0);
        } catch (ExprException failed) {
            return ExpressionValue.unknown();
        }
    }

    /** {@return whether it is about the place of a node among others, and not about the node by itself} */
    public boolean isOfNetwork() {
        return total.isPresent() || isOfOrder();
    }

    /** {@return whether it is about what stands before a node} */
    public boolean isOfOrder() {
        return reads().contains(FOLLOWS_FALLBACK);
    }

    /** {@return the names that it takes from a use of an operator, and from the profile} */
    public Set<String> reads() {
        Set<String> names = new TreeSet<>(require.names());
        when.ifPresent(condition -> names.addAll(condition.names()));
        total.ifPresent(amount -> names.addAll(amount.names()));
        lets.values().forEach(let -> names.addAll(let.names()));
        names.removeAll(lets.keySet());
        return names;
    }

    /**
     * {@return the names among them of which it looks at something else than a field}
     *
     * @param field the name of a field, as {@code dtype}
     */
    public Set<String> readsBeside(String field) {
        Set<String> names = new TreeSet<>(require.namesBeside(field));
        when.ifPresent(condition -> names.addAll(condition.namesBeside(field)));
        lets.values().forEach(let -> names.addAll(let.namesBeside(field)));
        names.removeAll(lets.keySet());
        return names;
    }

    /**
     * {@return the keys of the profile that it looks at, as {@code Section.key}, among those of some sections}
     *
     * @param sections the sections of profiles
     */
    public Set<String> keys(Set<String> sections) {
        Set<String> fields = new TreeSet<>();
        Set<String> seen = new TreeSet<>();
        collect(require, fields, seen);
        when.ifPresent(condition -> collect(condition, fields, seen));
        total.ifPresent(amount -> collect(amount, fields, seen));
        fields.removeIf(field -> !sections.contains(field.substring(0, field.indexOf('.'))));
        return fields;
    }

    /** Adds the uses of figures in the rule. */
    void addUses(FieldUses uses) {
        uses.add(require);
        when.ifPresent(uses::add);
        total.ifPresent(uses::add);
        lets.values().forEach(uses::add);
    }

    private void collect(Expr expression, Set<String> fields, Set<String> seen) {
        fields.addAll(expression.fields());
        for (String name : expression.names()) {
            Expr let = lets.get(name);
            if (let != null && seen.add(name)) {
                collect(let, fields, seen);
            }
        }
    }
}
