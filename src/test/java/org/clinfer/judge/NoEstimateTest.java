package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.CapabilityChecker;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.report.ReportFormat;
import org.clinfer.report.ReportOptions;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** A report for a profile has an estimate of time, or says why it has none. */
class NoEstimateTest {

    private static CheckReport report(String profile) {
        Graph relu = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 1, 8, 16, 16))
                .node("Relu", List.of("x"), List.of("y"), Map.of())
                .output("y")
                .build();
        return CapabilityChecker.builtIn()
                .check(relu, Map.of(), ProfileCatalog.builtIn().find(profile), Reading.DOCUMENT);
    }

    @Test
    void aFamilyWithoutFormulasIsSaid() {
        assertThat(report("rk3588").cost().noEstimate()).hasValue("no formulas are known for Rockchip RKNN");
    }

    @Test
    void figuresThatTheProfileLacksAreNamed() {
        CheckReport report = report("dpucahx8h");
        assertThat(report.cost().noEstimate()).hasValue("the profile does not give Speed.clock_hz");
        assertThat(ReportFormat.TEXT.write(List.of(report), ReportOptions.defaults()))
                .contains("no time is estimated: the profile does not give Speed.clock_hz");
        assertThat(ReportFormat.JSON.write(List.of(report), ReportOptions.defaults()))
                .contains("\"no_estimate\" : \"the profile does not give Speed.clock_hz\"");
    }

    @Test
    void everyProfileHasOneOrTheOther() {
        ProfileCatalog.builtIn().profiles().forEach(profile -> {
            CheckReport report = report(profile.name());
            assertThat(report.cost().noEstimate().isPresent())
                    .as(profile.name())
                    .isEqualTo(report.cost().total().isEmpty());
        });
    }
}
