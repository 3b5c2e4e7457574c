package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The grounds on which rules stand, as rule files say them. */
class EvidenceTest {

    /**
     * A family of one rule.
     *
     * @param family entries of the family, with bars between them
     * @param rule entries of the rule, likewise
     */
    private static RuleSet rules(String family, String rule) {
        String text = """
                [family]
                title  = Toasters
                vendor = Acme
                source = manual
                %s

                [relu/slots]
                require = rank <= 4
                message = too many slots
                source  = page 3
                %s
                """.formatted(family.replace('|', '\n'), rule.replace('|', '\n'));
        return RuleSet.parse("toaster", IniFile.parse("toaster.ini", text));
    }

    private static Optional<String> evidence(String family, String rule) {
        return rules(family, rule).rules().get(0).evidence().map(Evidence::toString);
    }

    @Test
    void aRuleStandsOnItsOwnGroundOrItsFamilys() {
        String family = "evidence = document|sdk = Tools 2.1|read = 2024-05";
        assertThat(evidence(family, "")).hasValue("document, Tools 2.1, 2024-05");
        assertThat(evidence(family, "evidence = code")).hasValue("code, Tools 2.1, 2024-05");
        assertThat(evidence(family, "sdk = Tools 3")).hasValue("document, Tools 3");
        assertThat(evidence(family, "read = 2025")).hasValue("document, Tools 2.1, 2025");
        assertThat(evidence("", "evidence = probed|read = 2024-05-31")).hasValue("probed, 2024-05-31");
        assertThat(evidence("", "")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            evidence = hearsay;                 toaster.ini:5: evidence: expected one of document, code, measured, probed
            evidence = code|read = last spring; toaster.ini:6: read: expected a date
            evidence = code|read = 2024-13;     toaster.ini:6: read: expected a date
            sdk = Tools 2.1;                    toaster.ini:5: sdk and read belong to evidence
            read = 2024;                        toaster.ini:5: sdk and read belong to evidence
            """)
    void whatIsNoEvidenceIsRefused(String family, String message) {
        assertThatThrownBy(() -> rules(family, ""))
                .isInstanceOf(ProfileException.class)
                .hasMessageStartingWith(message);
    }
}
