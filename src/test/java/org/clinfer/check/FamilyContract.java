package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.profile.Rule;
import org.clinfer.profile.RuleSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Cases for all rules of one family: lines {@code profile | operator | findings}, each in {@link SingleOperator}'s
 * form. A case holds under both readings, or under the one that stands behind the profile: {@code ascend310/code}.
 */
abstract class FamilyContract {

    private static final String OK = "ok";

    private final RuleSet rules;
    private final List<Case> cases;

    FamilyContract(String family, String cases) {
        this.rules = ProfileCatalog.builtIn().families().stream()
                .filter(known -> known.family().equals(family))
                .findFirst()
                .orElseThrow();
        this.cases = cases.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Case::parse)
                .toList();
    }

    private record Case(String profile, Set<Reading> readings, String operator, String expected) {

        static Case parse(String line) {
            String[] cells = line.split("\\|", -1);
            if (cells.length != 3) {
                throw new IllegalArgumentException("not 'profile | operator | findings': " + line);
            }
            String[] profile = cells[0].strip().split("/", 2);
            Set<Reading> readings = profile.length == 1
                    ? EnumSet.allOf(Reading.class)
                    : EnumSet.of(profile[1].equals("code") ? Reading.CODE : Reading.DOCUMENT);
            return new Case(profile[0], readings, cells[1].strip(), cells[2].strip());
        }

        String found(Reading reading) {
            return SingleOperator.written(SingleOperator.of(operator).judge(profile, reading));
        }
    }

    @TestFactory
    Stream<DynamicTest> cases() {
        return cases.stream()
                .map(each -> DynamicTest.dynamicTest(each.profile + " " + each.operator, () -> {
                    for (Reading reading : each.readings) {
                        assertThat(each.found(reading))
                                .as("%s, %s", each, reading.label())
                                .isEqualTo(each.expected);
                    }
                }));
    }

    /** A rule that nothing breaks, or that says the same of all uses of the operators that break it, is not tested. */
    @Test
    void everyRuleIsBrokenByOneCaseAndNotByAnother() {
        List<String> missing = new ArrayList<>();
        for (Rule rule : rules.rules()) {
            List<Case> of = cases.stream().filter(each -> concerns(each, rule)).toList();
            Set<String> operators = of.stream()
                    .filter(each -> !outcome(each, rule).equals(OK))
                    .map(FamilyContract::operator)
                    .collect(Collectors.toSet());
            Set<String> outcomes = of.stream()
                    .filter(each -> operators.contains(operator(each)))
                    .filter(each ->
                            each.expected.equals(OK) || !outcome(each, rule).equals(OK))
                    .map(each -> outcome(each, rule))
                    .collect(Collectors.toSet());
            if (outcomes.size() < 2) {
                missing.add(rule.where() + " " + rule.kinds() + "/" + rule.id()
                        + (outcomes.isEmpty() ? " is never broken" : " always is"));
            }
        }
        assertThat(missing).isEmpty();
    }

    private static boolean concerns(Case each, Rule rule) {
        return rule.reading().map(each.readings::contains).orElse(true);
    }

    /** What the case says of the rule: broken, undecided, or ok. */
    private static String outcome(Case each, Rule rule) {
        for (String finding : each.expected.split("; ", -1)) {
            for (String kind : rule.kinds()) {
                String broken = kind + "/" + rule.id() + " ";
                if ((finding + " ").startsWith(broken)) {
                    return "broken";
                }
                if ((finding + " ").startsWith("?" + broken)) {
                    return "undecided";
                }
            }
        }
        return OK;
    }

    private static String operator(Case each) {
        return each.operator.substring(0, each.operator.indexOf(' '));
    }
}
