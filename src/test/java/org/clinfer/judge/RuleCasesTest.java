package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.ProfileRule;
import org.clinfer.profile.Reading;
import org.clinfer.profile.RuleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single operators against device profiles: {@code test-data/rules}. */
class RuleCasesTest {

    private static final Map<String, List<RuleCase>> CASES = RuleCase.byFamily();
    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    /** Families whose rules name many kinds at once, most of them treated alike. */
    private static final Set<String> ONE_KIND_PER_RULE =
            Set.of("ascend", "dpico", "horizon", "max7800x", "snpe", "xdna", "synap");

    /**
     * Rules of which one side is not known of any device, beside those that end with an error of their own: what cannot
     * be decided stands for that side.
     */
    private static final Set<String> ONE_SIDED = Set.of(
            "qnn-htp/*/float",
            "rockchip/transpose/known",
            "rockchip/Gemm/on-npu",
            "xdna/*/short",
            "xdna/transposed-conv2d/powers-of-two");

    static Stream<RuleCase> cases() {
        return CASES.values().stream().flatMap(Collection::stream);
    }

    static Collection<RuleSet> families() {
        return PROFILES.families();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findings(RuleCase of) {
        for (Reading reading : of.readings()) {
            assertThat(of.found(reading))
                    .as("as the %s has it", reading.label())
                    .isEqualTo(of.expected());
        }
    }

    @Test
    void everyFamilyHasItsFile() {
        assertThat(CASES.keySet())
                .isEqualTo(families().stream()
                        .filter(family -> !family.isRunByKernels())
                        .map(RuleSet::family)
                        .collect(Collectors.toSet()));
        CASES.forEach((family, cases) -> assertThat(cases)
                .doesNotHaveDuplicates()
                .allMatch(of -> PROFILES.find(of.profile()).rules().family().equals(family), "is a case of " + family));
    }

    /**
     * Both sides of every rule: a case breaks it, under its reading, and another one of the same operator passes. One
     * kind stands for all of a rule in the families of {@link #ONE_KIND_PER_RULE}. Rules on a node's place in a network are
     * those of {@link NetworkTotalsTest} and {@link NodeOrderTest}.
     */
    @ParameterizedTest
    @MethodSource("families")
    void everyRuleIsBrokenAndHeld(RuleSet family) {
        List<String> missing = new ArrayList<>();
        for (ProfileRule rule : family.rules()) {
            if (rule.isOfNetwork()) {
                continue;
            }
            List<List<String>> parts = ONE_KIND_PER_RULE.contains(family.family())
                    ? List.of(rule.kinds())
                    : rule.kinds().stream().map(List::of).toList();
            for (List<String> kinds : parts) {
                missing(family.family(), rule, kinds).ifPresent(missing::add);
            }
        }
        assertThat(missing).isEmpty();
    }

    private static Optional<String> missing(String family, ProfileRule rule, List<String> kinds) {
        List<RuleCase> cases = CASES.getOrDefault(family, List.of()).stream()
                .filter(of -> of.concerns(rule))
                .toList();
        List<String> ids = kinds.stream().map(kind -> kind + "/" + rule.id()).toList();
        Set<String> broken = operators(cases, of -> ids.stream().anyMatch(of::finds));
        Set<String> undecided = operators(cases, of -> ids.stream().anyMatch(id -> of.finds("?" + id)));
        Set<String> held = operators(cases, RuleCase::passes);
        if (ONE_SIDED.contains(family + "/" + ids.get(0))
                || rule.require().source().contains("error(")) {
            (broken.isEmpty() ? broken : held).addAll(undecided);
        }
        String place = rule.where() + " " + ids;
        return broken.isEmpty()
                ? Optional.of(place + " is not broken")
                : Collections.disjoint(broken, held) ? Optional.of(place + " always is broken") : Optional.empty();
    }

    private static Set<String> operators(List<RuleCase> cases, Predicate<RuleCase> chosen) {
        return cases.stream().filter(chosen).map(RuleCase::type).collect(Collectors.toCollection(HashSet::new));
    }

    /** The list of operators is a rule, too. */
    @ParameterizedTest
    @MethodSource("families")
    void anOperatorIsNotOnTheList(RuleSet family) {
        boolean hasList = PROFILES.profiles().stream()
                .anyMatch(profile ->
                        profile.rules().equals(family) && !profile.operators().isEmpty());
        assertThat(CASES.getOrDefault(family.family(), List.of()))
                .matches(cases ->
                        !hasList || cases.stream().anyMatch(of -> of.finds("operators") || of.finds("?operators")));
    }
}
