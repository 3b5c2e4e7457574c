package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** As where a disk is full. */
    @ParameterizedTest
    @EnumSource
    void aWriterThatFailsSaysWhyItself(ReportFormat format) {
        IOException full = new IOException("No space left on device");
        Writer writer = new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw full;
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> format.write(Examples.twoDevices(), ReportOptions.defaults(), writer))
                .isSameAs(full);
    }

    /** They are shown, and count nowhere. */
    @ParameterizedTest
    @EnumSource(names = "SARIF", mode = EnumSource.Mode.EXCLUDE)
    void nodesThatTheFileDoesNotHaveAreSaid(ReportFormat format) {
        CheckReport.NodeReport convolution = Examples.node("conv", "Conv2d", Verdict.ON_DEVICE);
        CheckReport.NodeReport own = Examples.node("own", "Transpose", Verdict.FALLS_BACK);
        CheckReport.NodeReport added = new CheckReport.NodeReport(
                "conv/Transpose",
                "Transpose",
                convolution.source(),
                Verdict.FALLS_BACK,
                "",
                List.of(),
                own.inputs(),
                own.outputs(),
                own.work(),
                Optional.empty(),
                true);
        CheckReport report = Examples.report("net", "cpu", "", List.of(added, convolution, own));
        assertThat(report.counts()).containsEntry(Verdict.FALLS_BACK, 1L);
        assertThat(write(format, report))
                .contains(
                        format == ReportFormat.JSON
                                ? "\"added_transposes\" : 1"
                                : "as the file does not have them and reading it added them: 1 Transpose; 1 of them not");
        assertThat(write(format, Examples.report("net", "cpu", "", List.of(convolution, own))))
                .doesNotContain("reading it added")
                .doesNotContain("added_transposes\" : 1");
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
    @EnumSource
    void sizesThatTheModelLeavesOpenAreTold(ReportFormat format) {
        CheckReport known = Examples.twoDevices().get(0);
        CheckReport sized = new CheckReport(
                "net",
                "cpu",
                "",
                known.inputs(),
                List.of("data"),
                known.nodes(),
                known.summary(),
                known.wholes(),
                known.basis(),
                known.cost(),
                known.findings());
        assertThat(write(format, sized)).contains("--input data=1x3x24x24:float32");
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
