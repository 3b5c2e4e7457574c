package org.clinfer.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The words in which rules speak of operators, the same for all families: {@code device-profiles/rules/vocabulary.ini}. A
 * section {@code [Conv2d, Convolution]} says of which kind a use of these operators is, and what {@code kernel_h} and the
 * others are of it; the words of {@code [*]} are there for every operator.
 */
public final class Vocabulary {

    /** The section whose words are those of all operators. */
    public static final String ALL = "*";

    private static final Set<String> KEYS = Set.of("kind", "let.");

    /**
     * One section.
     *
     * @param kind what kinds a use is of, with blanks between them
     * @param lets the words and what they stand for, in order; each sees those before it
     */
    public record Words(Optional<Expr> kind, Map<String, Expr> lets) {
        public Words {
            lets = Collections.unmodifiableMap(new LinkedHashMap<>(lets));
        }
    }

    private final Map<String, Words> byOperator;

    private Vocabulary(Map<String, Words> byOperator) {
        this.byOperator = Map.copyOf(byOperator);
    }

    /** @throws ProfileException if the file is malformed */
    static Vocabulary parse(IniFile file) {
        return parse(file, file.thrown());
    }

    /**
     * The words of a file without those that are malformed.
     *
     * @param problems told of every entry that is malformed
     */
    static Vocabulary parse(IniFile file, IniFile.Problems problems) {
        Map<String, Words> byOperator = new LinkedHashMap<>();
        for (IniFile.Section section : file.sections()) {
            SectionFields fields = new SectionFields(file, section, KEYS, problems);
            Words words = new Words(fields.expression("kind"), fields.expressions("let."));
            for (String operator : section.name().split(",", -1)) {
                if (byOperator.putIfAbsent(operator.strip(), words) != null) {
                    problems.at(section.line(), operator.strip() + " has a section already");
                }
            }
        }
        return new Vocabulary(byOperator);
    }

    /**
     * {@return the words for one operator, or for all}
     *
     * @param operator the canonical operator
     */
    public Optional<Words> words(String operator) {
        return Optional.ofNullable(byOperator.get(operator));
    }

    /**
     * {@return the kinds that uses of an operator may be of}
     *
     * @param operator the canonical operator
     */
    public Set<String> kinds(String operator) {
        Set<String> kinds = new TreeSet<>();
        words(operator)
                .flatMap(Words::kind)
                .map(Expr::outcomes)
                .orElse(Set.of())
                .forEach(outcome -> {
                    if (outcome instanceof ExpressionValue.Text text) {
                        kinds.addAll(List.of(text.value().split(" ", -1)));
                    }
                });
        return kinds;
    }

    /** {@return all kinds of operators} */
    public Set<String> kinds() {
        Set<String> kinds = new TreeSet<>();
        operators().forEach(operator -> kinds.addAll(kinds(operator)));
        return kinds;
    }

    /** {@return the operators it has words for} */
    public Set<String> operators() {
        return byOperator.keySet();
    }

    /**
     * One use of an operator in these words.
     *
     * @param kinds its kind where it has one, and its own name
     * @param isOfOneKind whether all uses of the operator are of these kinds
     * @param words what the words of its kind are of it; empty where there are none but those of all operators
     * @param scope its own names, and the words
     */
    public record Use(List<String> kinds, boolean isOfOneKind, Map<String, ExpressionValue> words, Scope scope) {
        public Use {
            kinds = List.copyOf(kinds);
            words = Map.copyOf(words);
        }
    }

    /**
     * {@return a use of an operator; words that have no value for it are unknown}
     *
     * @param operator the canonical operator
     * @param scope its own names: tensors, parameters and scratch values
     */
    public Use use(String operator, Scope scope) {
        Scope common = said(byOperator.get(ALL), scope, new HashMap<>());
        Words words = byOperator.get(operator);
        if (words == null) {
            return new Use(List.of(operator), true, Map.of(), common);
        }
        Map<String, ExpressionValue> own = new LinkedHashMap<>();
        Scope spoken = said(words, common, own);
        List<String> kinds = new ArrayList<>();
        if (words.kind.isPresent() && valueOf(words.kind.get(), spoken) instanceof ExpressionValue.Text kind) {
            kinds.addAll(Arrays.asList(kind.value().split(" ", -1)));
        }
        kinds.add(operator);
        boolean isOfOneKind = words.kind.filter(kind -> !kind.isConstant()).isEmpty();
        return new Use(kinds, isOfOneKind, own, spoken);
    }

    /**
     * The scope with the words.
     *
     * @param values takes them
     */
    private static Scope said(@Nullable Words words, Scope scope, Map<String, ExpressionValue> values) {
        Scope spoken = scope;
        if (words != null) {
            for (Map.Entry<String, Expr> let : words.lets.entrySet()) {
                ExpressionValue value = valueOf(let.getValue(), spoken);
                values.put(let.getKey(), value);
                spoken = spoken.with(let.getKey(), value);
            }
        }
        return spoken;
    }

    private static ExpressionValue valueOf(Expr expression, Scope scope) {
        try {
            return expression.evaluate(scope);
        } catch (ExprException none) {
            return ExpressionValue.unknown();
        }
    }
}
