package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clinfer.check.CheckReport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that no form of the report may leave out. */
class ReportFormatTest {

    private static String write(ReportFormat format, CheckReport report) {
        return format.write(List.of(report), ReportOptions.defaults());
    }

    @ParameterizedTest
    @EnumSource
    void whatSpeaksAgainstTheNetworkIsSaidWithBothFigures(ReportFormat format) {
        CheckReport report =
                Examples.twoDevices().get(0).withFindings(List.of(Examples.broken("soc/network/all-weights")));
        assertThat(write(format, report).replaceAll("\\\\(?=[_<>])", ""))
                .contains("soc/network/all-weights", "kernel_h", "17", "16");
        assertThat(write(format, Examples.twoDevices().get(0))).doesNotContain("soc/network");
    }
}
