package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Rule;
import org.clinfer.profile.RuleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single operators against device profiles: {@code test-data/rules}. */
class RuleCasesTest {

    private static final Map<String, List<RuleCase>> CASES = RuleCase.byFamily();

    static Stream<RuleCase> cases() {
        return CASES.values().stream().flatMap(Collection::stream);
    }

    static Set<String> families() {
        return CASES.keySet();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findings(RuleCase of) {
        assertThat(of.found()).isEqualTo(of.expected());
    }

    /** Both sides of every rule: it is broken somewhere, and a case of an operator that breaks it passes all. */
    @ParameterizedTest
    @MethodSource("families")
    void everyRuleIsBrokenAndHeld(String family) {
        List<RuleCase> cases = CASES.getOrDefault(family, List.of());
        List<String> missing = new ArrayList<>();
        for (Rule rule : rules(family).rules()) {
            Set<String> broken = new TreeSet<>();
            cases.stream()
                    .filter(of -> of.expected().stream().anyMatch(found -> isOf(rule, found)))
                    .forEach(of -> broken.add(of.of().op()));
            boolean isHeld = cases.stream()
                    .anyMatch(of ->
                            of.expected().isEmpty() && broken.contains(of.of().op()));
            if (broken.isEmpty() || !isHeld) {
                missing.add(rule.where() + " " + rule.id() + (broken.isEmpty() ? " is not broken" : " is not held"));
            }
        }
        assertThat(missing).isEmpty();
    }

    private static boolean isOf(Rule rule, String found) {
        String id = found.split(" ", -1)[0];
        return !id.startsWith("?")
                && id.contains("/")
                && rule.kinds().contains(id.substring(0, id.indexOf('/')))
                && rule.id().equals(id.substring(id.indexOf('/') + 1));
    }

    private static RuleSet rules(String family) {
        return ProfileCatalog.builtIn().families().stream()
                .filter(rules -> rules.family().equals(family))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no family " + family));
    }

    @Test
    void casesStandWithTheirFamily() {
        CASES.forEach((family, cases) -> assertThat(cases)
                .allMatch(of -> of.profile().rules().family().equals(family), "is a case of " + family));
    }
}
