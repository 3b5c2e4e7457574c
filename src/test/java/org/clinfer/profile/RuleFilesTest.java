package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule files that come with Clinfer speak only of what there is: a misspelt name would never be decided. */
class RuleFilesTest {

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

    /** The names of tensors, parameters and scratch values of each operator. */
    static Map<String, Set<String>> operatorNames() {
        Map<String, Set<String>> byOperator = new HashMap<>();
        for (OpDescription op : OPERATORS.operators()) {
            Set<String> names = new HashSet<>(Set.of("output_count"));
            op.inputs().stream().map(InputDescription::name).forEach(names::add);
            op.params().stream().map(ParamDescription::name).forEach(names::add);
            op.privs().forEach(scratch -> names.add(scratch.name()));
            byOperator.put(op.optype(), names);
        }
        return byOperator;
    }

    /** A network of which the devices take every node has an estimate. */
    @Test
    void everyOperatorThatVelaTakesHasATime() {
        RuleSet family = ProfileCatalog.builtIn().families().stream()
                .filter(rules -> rules.family().equals("ethos-u"))
                .findFirst()
                .orElseThrow();
        assertThat(family.cost().orElseThrow().kinds().stream()
                        .flatMap(cost -> cost.kinds().stream())
                        .toList())
                .containsAll(family.operators());
    }

    @Test
    void rulesAndTheVocabularyUseTheNamesThatThereAre() {
        List<ProfileReview> reviews = RuleFileReview.ofFolder(Path.of("device-profiles"), PROFILES, operatorNames());
        assertThat(reviews).hasSize(PROFILES.families().size() + 1);
        assertThat(reviews)
                .allSatisfy(review ->
                        assertThat(review.findings()).as(review.file()).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("families")
    void whatAFamilyRunsIsThere(RuleSet family) {
        Set<String> known = PROFILES.vocabulary().kinds();
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
