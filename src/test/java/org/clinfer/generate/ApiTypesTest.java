package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The API names types of exported packages, but for the rules of device profiles, whose formulas are expressions, and graphs of
 * operators that are loaded already.
 */
class ApiTypesTest {

    @Test
    void fewTypesNameInternalOnes() throws IOException {
        // GeneratedFilesTest holds that the file is that of the classes.
        List<String> lines = Files.readAllLines(ApiSignatures.FILE);
        int end = lines.indexOf(ApiSignatures.INTERNAL);
        assertThat(end).isPositive();
        assertThat(lines.subList(end + 2, lines.size()))
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsOnly(
                        "org.clinfer.ops.Ops",
                        "org.clinfer.profile.CostModel",
                        "org.clinfer.profile.CostModel.KindCost",
                        "org.clinfer.profile.DeviceProfile",
                        "org.clinfer.profile.ProfileRule",
                        "org.clinfer.profile.ProfileRule.Broken",
                        "org.clinfer.profile.RuleSet",
                        "org.clinfer.profile.Vocabulary",
                        "org.clinfer.profile.Vocabulary.Use",
                        "org.clinfer.profile.Vocabulary.Words");
    }
}
