package org.clinfer.describe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ValueType;
import org.clinfer.text.Spelling;

/** The names that are declared before a place of a description, and what expressions there get wrong. */
final class DeclaredNames {

    /** Names bound by Clinfer itself; a description may not declare them. */
    private static final Set<String> RESERVED = Set.of("index", "at", "device", "output_count");

    /** Names that a message lists. */
    private static final int MOST_SHOWN = 40;

    private final String subject;
    private final Mistakes mistakes;
    private final Map<String, ValueType> visible = new LinkedHashMap<>();

    /** @param subject the start of messages about declarations */
    DeclaredNames(String subject, Mistakes mistakes) {
        this.subject = subject;
        this.mistakes = mistakes;
    }

    boolean has(String name) {
        return visible.containsKey(name);
    }

    /** The types of all names. */
    Map<String, ValueType> types() {
        return Map.copyOf(visible);
    }

    /** Takes a name of Clinfer's own, or one that is declared elsewhere. */
    void show(String name, ValueType type) {
        visible.put(name, type);
    }

    /** Does something while a name is visible, or has another meaning. */
    void showWithin(String name, ValueType type, Runnable inside) {
        ValueType outer = visible.put(name, type);
        inside.run();
        if (outer == null) {
            visible.remove(name);
        } else {
            visible.put(name, outer);
        }
    }

    void declare(String name, ValueType type) {
        if (RESERVED.contains(name)) {
            throw failure("the name '" + name + "' is reserved");
        }
        if (has(name)) {
            throw failure("the name '" + name + "' is declared twice");
        }
        visible.put(name, type);
    }

    void use(Optional<Expr> expression, ValueType expected) {
        expression.ifPresent(present -> use(present, expected));
    }

    /** Notes the unknown names of an expression, and what is wrong whatever the values of the others are. */
    void use(Expr expression, ValueType expected) {
        for (String name : expression.names()) {
            if (!has(name)) {
                mistakes.add(expression.where() + ": unknown name '" + name + "' in: " + expression.source()
                        + meant(name) + "; known here are " + shown());
            }
        }
        for (ExprException wrong : expression.mistakes(visible, expected)) {
            mistakes.add(Objects.requireNonNull(wrong.getMessage()));
        }
    }

    /** The name that may be meant; every name of one letter is near every other. */
    private String meant(String name) {
        return name.length() < 2 ? "" : Spelling.question(name, visible.keySet());
    }

    private String shown() {
        String names =
                String.join(", ", visible.keySet().stream().limit(MOST_SHOWN).toList());
        return visible.size() > MOST_SHOWN ? names + ", …" : names;
    }

    void check(List<Check> checks) {
        checks.forEach(check -> use(check.condition(), ValueType.BOOL));
    }

    DescriptionException failure(String reason) {
        return new DescriptionException(subject + ": " + reason);
    }
}
