package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.report.ReportFormat;
import org.clinfer.report.ReportOptions;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The data types to which the converters of families quantize, and what reports say of the conversion. */
class FamilyReportTest extends FamilyTests {

    /** The vendor's quantizer lets convolutions compute with int8 and everything else with float16. */
    @ParameterizedTest
    @ValueSource(strings = {"ascend310", "ascend910b1", "ascend310p3"})
    void quantizationIsThatOfTheFamily(String profile) {
        Graph graph = conv("c", "x")
                .norm("n", "c")
                .node("r", "Relu", "n")
                .node("m", "Sigmoid", "r")
                .output("m");
        CapabilityChecker checker = CapabilityChecker.builtIn().withFloat32As(DType.INT8);
        assertThat(check(checker, graph, profile).counts())
                .containsEntry(Verdict.ON_DEVICE, 3L)
                .containsEntry(Verdict.FALLS_BACK, 0L);
    }

    @Test
    void aTypeThatTheFamilyIsNotQuantizedToIsRefused() {
        Graph graph = conv("c", "x").output("c");
        CapabilityChecker checker = CapabilityChecker.builtIn().withFloat32As(DType.INT16);
        assertThatThrownBy(() -> check(checker, graph, "edgetpu"))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("networks for Google Coral Edge TPU are not quantized or converted to int16,"
                        + " only to int8, uint8 (");
    }

    @Test
    void allDevicesThatRefuseATypeAreNamedAtOnce() {
        Graph graph = conv("c", "x").output("c");
        NetworkChecker checker = NetworkChecker.builtIn().withFloat32As(DType.INT16);
        List<DeviceProfile> profiles = Stream.of("edgetpu", "ethos-u55-256", "apple-neural-engine")
                .map(ProfileCatalog.builtIn()::find)
                .toList();
        assertThatThrownBy(() -> checker.check(graph, Map.of(), profiles, Reading.DOCUMENT))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(
                        "networks for Google Coral Edge TPU are", "; networks for Apple Neural Engine are")
                .hasMessageNotContaining("Ethos");
    }

    @Test
    void aTypeMeansNothingWhereNumbersAreOfAnotherKind() {
        Graph graph = conv("c", "x").output("c");
        CapabilityChecker checker = CapabilityChecker.builtIn().withFloat32As(DType.FLOAT16);
        assertThatThrownBy(() -> check(checker, graph, "fpga-ai-suite"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "networks for Intel FPGA AI Suite 2024.2 and later, largest build are not quantized or"
                                + " converted to a data type (handbook 2025.3, 9.4.1: block floating point, arch_precision FP11, FP12AGX, FP13AGX or FP16)");
    }

    /** Neither the Relu of a constant nor the one that becomes part of the convolution runs. */
    @Test
    void verdictsAreCountedOfTheNodesThatRun() {
        Graph graph = conv("c", "x")
                .node("r", "Relu", "c")
                .constant("k", CHANNELS, 1, 1)
                .node("q", "Relu", "k")
                .node("m", "Mul", "r", "q")
                .output("m");
        CheckReport report = check(graph);
        assertThat(report.nodes()).hasSize(4);
        assertThat(report.summary().nodesOnDevice()).isEqualTo(2);
        assertThat(report.counts()).containsEntry(Verdict.ON_DEVICE, 2L);
    }

    @Test
    void aReportNamesWhatItRestsOn() {
        CheckReport.Basis basis = check(conv("c", "x").output("c")).basis().orElseThrow();
        assertThat(basis.profileFile()).endsWith("edgetpu.ini");
        assertThat(basis.rulesFile()).endsWith("coral.ini");
        assertThat(basis.profileHash()).matches("[0-9a-f]{64}").isNotEqualTo(basis.rulesHash());
        assertThat(basis.reading()).isEqualTo(Reading.DOCUMENT);
        assertThat(basis.float32As()).contains(DType.INT8);
    }

    @ParameterizedTest
    @EnumSource(ReportFormat.class)
    void everyFormSaysWhatTheReportRestsOn(ReportFormat format) {
        CheckReport report = check(conv("c", "x").norm("n", "c").output("n"));
        String text = format.write(List.of(report), ReportOptions.defaults());
        String hash = report.basis().orElseThrow().rulesHash().substring(0, 12);
        assertThat(text).contains("coral.ini", hash, "int8", "fold-batch-norm", "document");
    }

    @Test
    void theTypesOfTheFamilyAreNamedWhereMostOfANetworkIsRefusedForFloat32() {
        Graph graph = conv("c", "x").node("s", "Sigmoid", "c").conv("d", "s").output("d");
        CapabilityChecker checker = CapabilityChecker.builtIn();
        assertThat(text(check(checker, graph, "edgetpu")))
                .contains("judged in its own types (bytes and times with float32 as int8)")
                .contains("; --float32-as int8 or uint8 judges");
        assertThat(text(check(graph))).contains("float32 taken as int8").doesNotContain("--float32-as");
    }

    /** The profile does not say whether the processor computes with floats. */
    @Test
    void theTypesOfTheFamilyAreNamedAsWellWhereItIsNotKnownWhetherFloat32Runs() {
        Graph graph = conv("c", "x").output("c");
        CheckReport report = check(CapabilityChecker.builtIn(), graph, "qnn-htp-v75");
        assertThat(report.counts()).containsEntry(Verdict.UNKNOWN, 1L);
        assertThat(text(report)).contains("most of it does not pass as float32; --float32-as uint8 or int8");
    }

    /** Most nodes run in float32, but not those that multiply. */
    @Test
    void multiplyAddsDecideWhetherTypesAreNamed() {
        Graph graph = conv("c", "x")
                .node("r", "Relu", "c")
                .node("s", "Relu", "r")
                .node("t", "Relu", "s")
                .output("t");
        CheckReport report = check(CapabilityChecker.builtIn(), graph, "ascend310");
        assertThat(report.summary().nodesOnDevice()).isEqualTo(3);
        assertThat(report.basis().orElseThrow().passingTypes()).containsExactly(DType.INT8, DType.FLOAT16);
    }

    /** Two dilations that differ are refused in every type. */
    @Test
    void noTypeIsNamedThatWouldNotHelp() {
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 1, 4, 8, 8))
                .constant("w", Tensor.allocate(DType.FLOAT32, 4, 4, 3, 3))
                .node("Conv2d", List.of("x", "w"), List.of("y"), Map.of("dilation", Attribute.ofInts(2, 1)))
                .output("y")
                .build();
        CheckReport report = check(CapabilityChecker.builtIn(), graph, "edgetpu");
        assertThat(report.counts()).containsEntry(Verdict.FALLS_BACK, 1L);
        assertThat(report.basis().orElseThrow().passingTypes()).isEmpty();
    }

    @Test
    void theOptionIsNotNamedWhereNothingIsFloat32() {
        Graph graph = new GraphBuilder("half", new SourceRef("half", ""))
                .input("x", TensorType.of(DType.FLOAT16, 1, 4, 8, 8))
                .node("r", "Relu", List.of("x"), List.of("r"), Map.of())
                .output("r")
                .build();
        String text = text(check(CapabilityChecker.builtIn(), graph, "edgetpu"));
        assertThat(text).contains("[coral/relu/data-type]").doesNotContain("--float32-as");
    }

    @ParameterizedTest
    @EnumSource(
            value = ReportFormat.class,
            names = {"TEXT", "MARKDOWN"})
    void theSizesToGiveStandBeforeWhatDependsOnThem(ReportFormat format) {
        Graph graph = new GraphBuilder("open", new SourceRef("open", ""))
                .input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.of(4), Dim.named("n")))))
                .node("Relu", List.of("x"), List.of("r"), Map.of())
                .output("r")
                .build();
        CheckReport report = check(CapabilityChecker.builtIn().withFloat32As(DType.INT8), graph, "qnn-htp-v73");
        String text = format.write(List.of(report), ReportOptions.defaults());
        assertThat(text).containsSubsequence("can be given:", "--input x=4xn:float32", "a size is not known");
    }

    private static String text(CheckReport report) {
        return ReportFormat.TEXT.write(List.of(report), ReportOptions.defaults());
    }

    @ParameterizedTest
    @CsvSource({"main_graph, resnet.onnx on", "torch_jit, resnet.onnx on", "resnet50, resnet50 (resnet.onnx) on"})
    void aNameOfNoNetworkIsNoTitle(String name, String title) {
        Graph graph = conv("c", "x").output("c");
        CheckReport report = check(
                new Graph(name, graph.inputs(), graph.outputs(), graph.nodes(), graph.constants(), graph.source()));
        ReportOptions options = ReportOptions.defaults().withFiles(of -> "models/resnet.onnx");
        assertThat(ReportFormat.TEXT.write(List.of(report), options)).contains(title);
    }
}
