package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.expr.Expr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule files that come with Clinfer speak only of what there is: a misspelt name would never be decided. */
class RuleFilesTest {

    private static final Set<String> TENSORS = Set.of("input_dims", "output_dims", "input_dtypes", "output_dtypes");
    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();
    private static final OpCatalog OPERATORS = OpCatalog.builtIn();

    /** The families whose sources name no version. */
    private static final Set<String> UNVERSIONED = Set.of(
            "ane",
            "coral",
            "dpico",
            "ethos-n",
            "gna",
            "horizon",
            "kneron",
            "max7800x",
            "mdla",
            "neutron",
            "nvdla",
            "qnn",
            "snpe",
            "ti-npu",
            "tidl",
            "tidl-tvm");

    static Collection<RuleSet> families() {
        return PROFILES.families();
    }

    private static Set<String> own(String operator) {
        OpDescription op = OPERATORS.find(operator).orElseThrow(() -> new AssertionError("no operator " + operator));
        Set<String> names = new HashSet<>(TENSORS);
        op.inputs().stream().map(InputDescription::name).forEach(names::add);
        op.params().stream().map(ParamDescription::name).forEach(names::add);
        op.privs().forEach(scratch -> names.add(scratch.name()));
        names.add("output_count");
        return names;
    }

    private static Vocabulary.Words words(String operator) {
        return PROFILES.vocabulary().words(operator).orElseThrow();
    }

    /** Everything that rules may say of an operator. */
    private static Set<String> spoken(String operator) {
        Set<String> names = own(operator);
        names.addAll(words(Vocabulary.ALL).lets().keySet());
        PROFILES.vocabulary()
                .words(operator)
                .ifPresent(words -> names.addAll(words.lets().keySet()));
        return names;
    }

    private static Stream<String> operators() {
        return PROFILES.vocabulary().operators().stream().filter(name -> !name.equals(Vocabulary.ALL));
    }

    private static Map<String, Set<String>> operatorsByKind() {
        Map<String, Set<String>> byKind = new HashMap<>();
        operators()
                .forEach(operator -> PROFILES.vocabulary()
                        .kinds(operator)
                        .forEach(kind -> byKind.computeIfAbsent(kind, key -> new TreeSet<>())
                                .add(operator)));
        return byKind;
    }

    @Test
    void theVocabularyUsesTheNamesOfItsOperators() {
        operators().forEach(operator -> {
            Set<String> known = own(operator);
            known.addAll(words(Vocabulary.ALL).lets().keySet());
            words(operator).lets().forEach((word, expression) -> {
                assertThat(known).as(operator + ": " + word).containsAll(expression.names());
                known.add(word);
            });
            words(operator)
                    .kind()
                    .ifPresent(kind -> assertThat(known).as(operator).containsAll(kind.names()));
        });
    }

    @ParameterizedTest
    @MethodSource("families")
    void rulesUseTheWordsOfTheirKinds(RuleSet family) {
        Map<String, Set<String>> byKind = operatorsByKind();
        Set<String> sections = PROFILES.profiles().stream()
                .filter(profile -> profile.rules().family().equals(family.family()))
                .flatMap(profile -> profile.sections().stream())
                .collect(Collectors.toSet());
        for (ProfileRule rule : family.rules()) {
            for (String kind : rule.kinds()) {
                Set<String> operators = kind.equals("*")
                        ? operators().collect(Collectors.toSet())
                        : byKind.getOrDefault(kind, OPERATORS.find(kind).isPresent() ? Set.of(kind) : Set.of());
                assertThat(operators)
                        .as("%s: kind '%s' of rule %s", rule.where(), kind, rule.id())
                        .isNotEmpty();
                for (String operator : operators) {
                    Set<String> known = new HashSet<>(sections);
                    if (kind.equals("*")) {
                        known.addAll(TENSORS);
                        known.addAll(words(Vocabulary.ALL).lets().keySet());
                    } else {
                        known.addAll(spoken(operator));
                    }
                    rule.lets().forEach((name, expression) -> {
                        names(rule, operator, known, expression);
                        known.add(name);
                    });
                    rule.when().ifPresent(expression -> names(rule, operator, known, expression));
                    names(rule, operator, known, rule.require());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void formulasUseTheWordsOfTheirKinds(RuleSet family) {
        Map<String, Set<String>> byKind = operatorsByKind();
        CostModel model = family.cost().orElse(null);
        if (model == null) {
            return;
        }
        Set<String> sections = PROFILES.profiles().stream()
                .filter(profile -> profile.rules().family().equals(family.family()))
                .flatMap(profile -> profile.sections().stream())
                .collect(Collectors.toSet());
        for (CostModel.KindCost kind : model.kinds()) {
            for (String of : kind.kinds()) {
                Set<String> operators = of.equals("*") ? Set.of("*") : byKind.getOrDefault(of, Set.of(of));
                for (String operator : operators) {
                    Set<String> known = new HashSet<>(sections);
                    known.addAll(CostModel.AMOUNTS);
                    known.addAll(TENSORS);
                    known.addAll(
                            operator.equals("*") ? words(Vocabulary.ALL).lets().keySet() : spoken(operator));
                    Map<String, Expr> lets = new LinkedHashMap<>(model.lets());
                    lets.putAll(kind.lets());
                    Set<String> used = new HashSet<>();
                    kind.formulas().forEach(formula -> used.addAll(formula.names()));
                    model.figures().values().forEach(formula -> used.addAll(formula.names()));
                    Set<String> needed = RuleSet.needed(lets, used);
                    lets.forEach((name, formula) -> {
                        if (needed.contains(name)) {
                            assertThat(known)
                                    .as("%s: %s of %s", kind.where(), name, operator)
                                    .containsAll(formula.names());
                        }
                        known.add(name);
                    });
                    assertThat(known)
                            .as("%s, used for %s", kind.where(), operator)
                            .containsAll(used);
                }
            }
        }
    }

    private static void names(ProfileRule rule, String operator, Set<String> known, Expr expression) {
        assertThat(known)
                .as("%s: rule %s, used for %s, speaks of names that are not there", rule.where(), rule.id(), operator)
                .containsAll(expression.names());
    }

    /** The profile itself is the ground of the rules of a generic device. */
    @ParameterizedTest
    @MethodSource("families")
    void everyRuleHasItsEvidence(RuleSet family) {
        if (family.family().equals("generic")) {
            return;
        }
        assertThat(family.evidence()).as(family.family()).isPresent();
        if (!UNVERSIONED.contains(family.family())) {
            assertThat(family.evidence().orElseThrow().sdk())
                    .as(family.family())
                    .isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void whatAFamilyRunsIsThere(RuleSet family) {
        Set<String> known = operatorsByKind().keySet();
        PROFILES.profiles().stream()
                .filter(profile -> profile.rules().family().equals(family.family()))
                .flatMap(profile -> profile.operators().stream())
                .distinct()
                .forEach(name -> assertThat(known.contains(name)
                                || Optional.of(name).flatMap(OPERATORS::find).isPresent())
                        .as("%s: '%s' is neither a kind nor an operator", family.family(), name)
                        .isTrue());
    }
}
