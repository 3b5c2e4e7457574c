package org.clinfer.expr;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The names an expression may use and their values; immutable. */
public final class Scope {

    private static final Scope EMPTY = new Scope(Map.of());

    /** The number of names that are compared one after another; more become a map, which is then looked up. */
    private static final int LONGEST = 24;

    private final Map<String, ExpressionValue> root;
    private final @Nullable Scope outer;
    private final String name;
    private final int hash;
    private final ExpressionValue value;
    private final int length;

    /** Names that were added together; null where there is one alone. */
    private final @Nullable Map<String, ExpressionValue> several;

    /** The same names in a map alone, once one more is added to the longest; made again where two threads add at once. */
    private @Nullable Scope flat;

    private Scope(Map<String, ExpressionValue> root) {
        this.root = root;
        this.outer = null;
        this.name = "";
        this.hash = 0;
        this.value = Constants.ABSENT;
        this.length = 0;
        this.several = null;
    }

    private Scope(Scope outer, String name, ExpressionValue value) {
        this.root = outer.root;
        this.outer = outer;
        this.name = name;
        this.hash = name.hashCode();
        this.value = value;
        this.length = outer.length + 1;
        this.several = null;
    }

    private Scope(Scope outer, Map<String, ExpressionValue> several) {
        this.root = outer.root;
        this.outer = outer;
        this.name = "";
        this.hash = 0;
        this.value = Constants.ABSENT;
        this.length = outer.length + 1;
        this.several = several;
    }

    public static Scope empty() {
        return EMPTY;
    }

    public static Scope of(Map<String, ExpressionValue> values) {
        return new Scope(Map.copyOf(values));
    }

    /** This scope and one more name, which hides an equal one. */
    public Scope with(String name, ExpressionValue value) {
        return new Scope(length < LONGEST ? this : flat(), name, value);
    }

    private Scope flat() {
        Scope known = flat;
        if (known == null) {
            Map<String, ExpressionValue> all = new HashMap<>();
            for (Scope scope = this; scope.outer != null; scope = scope.outer) {
                if (scope.several == null) {
                    all.putIfAbsent(scope.name, scope.value);
                } else {
                    scope.several.forEach(all::putIfAbsent);
                }
            }
            root.forEach(all::putIfAbsent);
            known = new Scope(all);
            flat = known;
        }
        return known;
    }

    /** This scope and more names, which hide equal ones. */
    public Scope with(Map<String, ExpressionValue> values) {
        return values.isEmpty() ? this : new Scope(length < LONGEST ? this : flat(), Map.copyOf(values));
    }

    public Optional<ExpressionValue> find(String name) {
        return Optional.ofNullable(lookup(name));
    }

    @Nullable
    ExpressionValue lookup(String wanted) {
        int hashOfWanted = wanted.hashCode();
        for (Scope scope = this; scope.outer != null; scope = scope.outer) {
            ExpressionValue among = scope.several == null ? null : scope.several.get(wanted);
            if (among != null) {
                return among;
            }
            if (scope.hash == hashOfWanted && scope.several == null && scope.name.equals(wanted)) {
                return scope.value;
            }
        }
        return root.get(wanted);
    }
}
