package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
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

    /** A node of the file's own has its source to itself. */
    @ParameterizedTest
    @EnumSource(names = "SARIF", mode = EnumSource.Mode.EXCLUDE)
    void transposesThatTheFileDoesNotHaveAreSaid(ReportFormat format) {
        CheckReport.NodeReport convolution = Examples.node("conv", "Conv2d", Verdict.ON_DEVICE);
        CheckReport.NodeReport own = Examples.node("own", "Transpose", Verdict.ON_DEVICE);
        CheckReport.NodeReport added = new CheckReport.NodeReport(
                "conv/Transpose",
                "Transpose",
                convolution.source(),
                Verdict.ON_DEVICE,
                "",
                List.of(),
                own.inputs(),
                own.outputs(),
                own.work());
        String said = format == ReportFormat.JSON
                ? "\"added_transposes\" : 1"
                : "1 of the nodes is a transpose that the file";
        assertThat(write(format, Examples.report("net", "cpu", "", List.of(added, convolution, own))))
                .contains(said);
        assertThat(write(format, Examples.report("net", "cpu", "", List.of(convolution, own))))
                .doesNotContain(said);
    }

    @ParameterizedTest
    @EnumSource
    void openSizesAreAskedFor(ReportFormat format) {
        CheckReport known = Examples.twoDevices().get(0);
        TensorType open = new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(3))));
        CheckReport asked = new CheckReport("net", "cpu", "", Map.of("data", open), known.nodes(), known.summary());
        assertThat(write(format, asked)).contains("--input data=batchx3:float32");
        assertThat(write(format, known)).doesNotContain("--input data");
    }

    @ParameterizedTest
    @EnumSource(names = {"TEXT", "MARKDOWN", "HTML", "JUNIT"})
    void whereNothingIsOnTheDeviceNoActivationsAre(ReportFormat format) {
        CheckReport some = Examples.twoDevices().get(0);
        CheckReport none =
                Examples.report("net", "cpu", "", List.of(Examples.node("relu", "Relu", Verdict.FALLS_BACK)));
        assertThat(write(format, some)).contains("activations at most");
        assertThat(write(format, none)).doesNotContain("activations at most");
    }
}
