package org.clinfer.profile;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.expr.ValueType;

/** The names that expressions of rules and of the vocabulary may use, operator by operator. */
final class KnownWords {

    /** The names that every operator has. */
    static final Set<String> TENSORS = Set.of("input_dims", "output_dims", "input_dtypes", "output_dtypes");

    private final Map<String, Set<String>> operators;
    private final Vocabulary vocabulary;
    private final Map<String, Set<String>> byKind = new HashMap<>();

    /** @param operators the names of tensors, parameters and scratch values of each operator */
    KnownWords(Map<String, Set<String>> operators, Vocabulary vocabulary) {
        this.operators = operators;
        this.vocabulary = vocabulary;
        for (String operator : vocabulary.operators()) {
            vocabulary
                    .kinds(operator)
                    .forEach(kind ->
                            byKind.computeIfAbsent(kind, key -> new TreeSet<>()).add(operator));
        }
    }

    Set<String> operators() {
        return operators.keySet();
    }

    /** Names that rules are written for: kinds, and operators by their names. */
    Set<String> kinds() {
        Set<String> kinds = new TreeSet<>(byKind.keySet());
        kinds.addAll(operators.keySet());
        return kinds;
    }

    /** The operators of which some uses are of the kind; none where there is no such kind. */
    Set<String> operatorsOf(String kind) {
        return byKind.getOrDefault(kind, operators.containsKey(kind) ? Set.of(kind) : Set.of());
    }

    /** The names that an operator has itself, of which its words are made. */
    Set<String> own(String operator) {
        Set<String> names = ofAll();
        names.addAll(operators.getOrDefault(operator, Set.of()));
        return names;
    }

    /** The names that rules for any operator may use. */
    Set<String> ofAll() {
        Set<String> names = new HashSet<>(TENSORS);
        names.addAll(lets(Vocabulary.ALL));
        return names;
    }

    /** The names that rules for an operator may use. */
    Set<String> of(String operator) {
        Set<String> names = own(operator);
        names.addAll(lets(operator));
        return names;
    }

    /** The types of those names of an operator of which they are known; of any operator where it is {@link Vocabulary#ALL}. */
    Map<String, ValueType> types(String operator) {
        Map<String, ValueType> types = new HashMap<>();
        for (String dims : List.of("input_dims", "output_dims")) {
            types.put(dims, ValueType.listOf(ValueType.listOf(ValueType.INT)));
        }
        for (String dtypes : List.of("input_dtypes", "output_dtypes")) {
            types.put(dtypes, ValueType.listOf(ValueType.STRING));
        }
        Stream.of(Vocabulary.ALL, operator)
                .distinct()
                .flatMap(of -> vocabulary.words(of).stream())
                .forEach(words -> words.lets().forEach((name, let) -> types.put(name, let.type(types))));
        return types;
    }

    private Set<String> lets(String operator) {
        return vocabulary.words(operator).map(words -> words.lets().keySet()).orElse(Set.of());
    }
}
