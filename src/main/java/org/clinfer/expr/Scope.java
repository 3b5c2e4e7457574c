package org.clinfer.expr;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The names an expression may use and their values; immutable. */
public final class Scope {

    private static final Scope EMPTY = new Scope(Map.of(), null, "", Constants.ABSENT);

    private final Map<String, Value> root;
    private final @Nullable Scope outer;
    private final String name;
    private final Value value;

    private Scope(Map<String, Value> root, @Nullable Scope outer, String name, Value value) {
        this.root = root;
        this.outer = outer;
        this.name = name;
        this.value = value;
    }

    public static Scope empty() {
        return EMPTY;
    }

    public static Scope of(Map<String, Value> values) {
        return new Scope(Map.copyOf(values), null, "", Constants.ABSENT);
    }

    /** This scope and one more name, which hides an equal one. */
    public Scope with(String name, Value value) {
        return new Scope(root, this, name, value);
    }

    /** This scope and more names, which hide equal ones. */
    public Scope with(Map<String, Value> values) {
        Scope scope = this;
        for (Map.Entry<String, Value> entry : values.entrySet()) {
            scope = scope.with(entry.getKey(), entry.getValue());
        }
        return scope;
    }

    public Optional<Value> find(String name) {
        return Optional.ofNullable(lookup(name));
    }

    @Nullable
    Value lookup(String wanted) {
        for (Scope scope = this; scope.outer != null; scope = scope.outer) {
            if (scope.name.equals(wanted)) {
                return scope.value;
            }
        }
        return root.get(wanted);
    }
}
