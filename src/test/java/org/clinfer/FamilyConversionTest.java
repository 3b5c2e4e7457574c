package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.profile.ConverterStep;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks as the converters of families of devices hand them to the devices. */
class FamilyConversionTest extends FamilyTests {

    @Test
    void normalizationsAndActivationsBecomePartOfAConvolution() {
        CheckReport report = check(conv("c", "x")
                .norm("n", "c")
                .node("r", "Relu", "n")
                .conv("d", "r")
                .output("d"));
        assertThat(fates(report))
                .containsExactly(
                        entry("c", "on-device"),
                        entry("n", "folded into c (fold-batch-norm)"),
                        entry("r", "fused into c (fuse-activation)"),
                        entry("d", "on-device"));
        assertThat(report.summary().nodes()).isEqualTo(2);
        assertThat(report.summary().nodesOnDevice()).isEqualTo(2);
        assertThat(report.summary().partitions()).isEqualTo(1);
        assertThat(report.summary().crossingBytes()).as("x and d, int8").hasValue(2 * CHANNELS * 8 * 8);
        assertThat(report.counts()).containsEntry(Verdict.ON_DEVICE, 2L);
        assertThat(report.basis().orElseThrow().conversions())
                .containsExactly(entry(ConverterStep.FOLD_BATCH_NORM, 1), entry(ConverterStep.FUSE_ACTIVATION, 1));
    }

    @Test
    void aValueTimesItsSigmoidIsSwish() {
        Graph graph = conv("c", "x")
                .node("s", "Sigmoid", "c")
                .node("m", "Mul", "s", "c")
                .output("m");
        CheckReport report = check(CapabilityChecker.builtIn(), graph, "rk3588");
        assertThat(fates(report))
                .containsExactly(
                        entry("c", "on-device"), entry("s", "part of m (fuse-swish)"), entry("m", "fuse-swish"));
        assertThat(report.summary().nodesOnDevice()).isEqualTo(2);
    }

    @Test
    void aSigmoidOfAnotherValueOrThatOthersReadStays() {
        Graph graph = conv("c", "x")
                .conv("d", "x")
                .node("s", "Sigmoid", "d")
                .node("m", "Mul", "s", "c")
                .node("t", "Sigmoid", "c")
                .node("k", "Mul", "t", "c")
                .output("m", "k", "t");
        assertThat(fates(check(CapabilityChecker.builtIn(), graph, "intel-npu-4000")))
                .containsEntry("s", "on-device")
                .containsEntry("m", "on-device")
                .containsEntry("t", "on-device")
                .containsEntry("k", "on-device");
    }

    /** A sixth of the product, or of the gate before it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aValueTimesItsWrittenHardSigmoidIsHardSwish(boolean isGateDivided) {
        conv("c", "x").number("three", 3).number("six", 6).number("sixth", 1 / 6f);
        node("a", "Add", "c", "three").node("b", "Relu6", "a");
        if (isGateDivided) {
            node("p", "Div", "b", "six").node("q", "Mul", "c", "p");
        } else {
            node("p", "Mul", "b", "c").node("q", "Mul", "sixth", "p");
        }
        CheckReport report = check(CapabilityChecker.builtIn(), output("q"), "intel-npu-4000");
        assertThat(fates(report))
                .containsExactly(
                        entry("c", "on-device"),
                        entry("a", "part of q (fuse-hard-swish)"),
                        entry("b", "part of q (fuse-hard-swish)"),
                        entry("p", "part of q (fuse-hard-swish)"),
                        entry("q", "fuse-hard-swish"));
        assertThat(report.summary().nodesOnDevice()).isEqualTo(2);
    }

    @Test
    void anotherSlopeThanASixthStays() {
        Graph graph = conv("c", "x")
                .number("three", 3)
                .number("five", 5)
                .node("a", "Add", "c", "three")
                .node("b", "Relu6", "a")
                .node("p", "Div", "b", "five")
                .node("q", "Mul", "c", "p")
                .output("q");
        assertThat(fates(check(CapabilityChecker.builtIn(), graph, "intel-npu-4000")))
                .containsEntry("b", "on-device")
                .containsEntry("q", "on-device");
    }

    @Test
    void asWrittenEachNodeIsJudgedByItself() {
        Graph graph = conv("c", "x").norm("n", "c").node("r", "Relu", "n").output("r");
        CheckReport report =
                check(CapabilityChecker.builtIn().withFloat32As(DType.INT8).asWritten(), graph, "edgetpu");
        assertThat(fates(report))
                .containsExactly(entry("c", "on-device"), entry("n", "falls-back"), entry("r", "falls-back"));
        assertThat(report.summary().partitions()).isEqualTo(1);
        assertThat(report.basis().orElseThrow().asWritten()).isTrue();
        assertThat(report.basis().orElseThrow().conversions()).isEmpty();
    }

    @Test
    void aValueThatOthersReadStays() {
        assertThat(fates(check(conv("c", "x").norm("n", "c").output("c", "n"))))
                .containsEntry("n", "batch-norm-as-mul-add");
        FamilyConversionTest other = new FamilyConversionTest();
        assertThat(fates(check(other.conv("c", "x")
                        .node("r", "Relu", "c")
                        .node("s", "Add", "c", "r")
                        .output("s"))))
                .containsEntry("r", "on-device");
    }

    @Test
    void nothingFollowsAnActivation() {
        assertThat(fates(check(conv("c", "x")
                        .node("r", "Relu", "c")
                        .norm("n", "r")
                        .node("q", "Relu6", "r")
                        .output("n", "q"))))
                .containsEntry("r", "fused into c (fuse-activation)")
                .containsEntry("n", "batch-norm-as-mul-add")
                .containsEntry("q", "on-device");
    }

    @Test
    void aNormalizationBehindNothingThatTakesItIsAMultiplicationAndAnAddition() {
        CheckReport report = check(norm("n", "x").conv("c", "n").output("c"));
        assertThat(fates(report)).containsEntry("n", "batch-norm-as-mul-add");
        assertThat(report.summary().nodesOnDevice()).isEqualTo(2);
    }

    @Test
    void zerosAroundTheInputBecomeThePaddingOfAConvolution() {
        Graph graph = pad("p", "x", "CONSTANT", 0, 0, 0, 0, 0, 0, 1, 1, 1)
                .bareConv("c", "p")
                .node("r", "Relu", "c")
                .output("r");
        CheckReport report = check(CapabilityChecker.builtIn(), graph, "ethos-u55-128");
        assertThat(fates(report))
                .containsExactly(
                        entry("p", "padding of c (pad-into-convolution)"),
                        entry("c", "on-device"),
                        entry("r", "fused into c (fuse-activation)"));
        assertThat(report.summary().nodes()).isEqualTo(1);
        assertThat(report.summary().crossingBytes()).hasValue(0);
    }

    /** Mirrored, of ones, wider than half of the kernel, or cutting. */
    @ParameterizedTest
    @CsvSource({
        "REFLECT, 0, 1, 1, falls-back",
        "CONSTANT, 1, 1, 1, falls-back",
        "CONSTANT, 0, 2, 1, on-device",
        "CONSTANT, 0, 1, -1, on-device"
    })
    void otherBordersStay(String mode, double value, long before, long after, String verdict) {
        Graph graph = pad("p", "x", mode, value, 0, 0, 0, 0, before, after, before, after)
                .bareConv("c", "p")
                .output("c");
        assertThat(fates(check(CapabilityChecker.builtIn(), graph, "ethos-u55-128")))
                .doesNotContainValue("padding of c (pad-into-convolution)")
                .containsEntry("p", verdict);
    }

    @Test
    void bordersThatOthersReadStay() {
        Graph graph = pad("p", "x", "CONSTANT", 0, 0, 0, 0, 0, 1, 1, 1, 1)
                .bareConv("c", "p")
                .output("p", "c");
        assertThat(fates(check(CapabilityChecker.builtIn(), graph, "ethos-u55-128")))
                .containsEntry("p", "on-device");
    }

    /** The convolution has no such padding of its own on the device, and its input comes from the host. */
    @Test
    void aConvolutionIsJudgedWithThePaddingThatItTookIn() {
        Graph graph = node("e", "Erf", "x")
                .pad("p", "e", "CONSTANT", 0, 0, 0, 0, 0, 1, 1, 1, 1)
                .bareConv("c", "p")
                .output("c");
        CheckReport report = check(CapabilityChecker.builtIn(), graph, "ethos-u55-128");
        assertThat(fates(report)).containsEntry("e", "falls-back").containsEntry("c", "on-device");
        assertThat(report.summary().crossingBytes()).hasValue(CHANNELS * 8 * 8); // int8
        assertThat(report.summary().partitions()).isEqualTo(1);
    }

    @Test
    void factorsAndSummandsOfChannelsGoIntoTheWeights() {
        Graph graph = conv("c", "x")
                .constant("factor", CHANNELS, 1, 1)
                .constant("one", 1)
                .node("m", "Mul", "c", "factor")
                .node("a", "Add", "one", "m")
                .node("r", "Relu", "a")
                .output("r");
        assertThat(fates(check(graph)))
                .containsExactly(
                        entry("c", "on-device"),
                        entry("m", "folded into c (fold-scale)"),
                        entry("a", "folded into c (fold-scale)"),
                        entry("r", "fused into c (fuse-activation)"));
    }

    @Test
    void otherFactorsStay() {
        Graph graph = conv("c", "x")
                .constant("each", 1, CHANNELS, 8, 8)
                .constant("column", 8, 1)
                .constant("channels", CHANNELS, 1, 1)
                .node("m", "Mul", "c", "each")
                .conv("d", "m")
                .node("n", "Mul", "d", "column")
                .conv("e", "n")
                .node("r", "Relu", "e")
                .node("o", "Add", "r", "channels")
                .conv("f", "o")
                .node("q", "Mul", "f", "f")
                .output("q");
        assertThat(fates(check(graph)))
                .containsEntry("m", "on-device") // one for each element
                .containsEntry("n", "on-device") // one for each row
                .containsEntry("o", "on-device") // behind an activation
                .containsEntry("q", "on-device"); // no constant
    }

    @Test
    void flatteningBecomesPartOfTheProductThatReadsIt() {
        builder.constant("b", Tensor.allocate(DType.FLOAT32, 3, CHANNELS * 8 * 8));
        conv("c", "x")
                .node("f", "Flatten", "c")
                .builder
                .node("g", "Gemm", List.of("f", "b"), List.of("g"), Map.of("transpose_b", Attribute.of(true)));
        CheckReport report = check(CapabilityChecker.builtIn(), output("g"), "kl520");
        assertThat(fates(report))
                .containsExactly(
                        entry("c", "on-device"),
                        entry("f", "part of g (flatten-into-product)"),
                        entry("g", "on-device"));
        assertThat(report.summary().partitions()).isEqualTo(1);
    }

    @Test
    void otherFlatteningStays() {
        Graph graph =
                conv("c", "x").node("f", "Flatten", "c").node("r", "Relu", "f").output("r");
        assertThat(fates(check(CapabilityChecker.builtIn(), graph, "kl520"))).containsEntry("f", "falls-back");
    }

    /** A family whose document speaks of convolutions alone. */
    @Test
    void anActivationBehindASumStaysWhereConvolutionsAloneTakeIt() {
        Graph graph = conv("c", "x")
                .node("r", "Relu", "c")
                .node("s", "Add", "r", "x")
                .node("q", "Relu", "s")
                .output("q");
        assertThat(fates(check(CapabilityChecker.builtIn(), graph, "rdk-x3")))
                .containsEntry("r", "fused into c (fuse-activation-into-convolution)")
                .containsEntry("q", "on-device");
        assertThat(fates(check(graph))).containsEntry("q", "fused into s (fuse-activation)");
    }

    @ParameterizedTest
    @CsvSource({"0, 6, fused into c (fuse-activation)", "0, 7, falls-back", "-1, 6, falls-back"})
    void aClipFromZeroToSixIsRelu6(double low, double high, String fate) {
        conv("c", "x")
                .builder
                .node(
                        "k",
                        "Clip",
                        List.of("c"),
                        List.of("k"),
                        Map.of("min", Attribute.of(low), "max", Attribute.of(high)));
        assertThat(fates(check(output("k")))).containsEntry("k", fate);
    }

    @Test
    void copiesAreLeftOut() {
        CheckReport report =
                check(conv("c", "x").node("i", "Identity", "c").norm("n", "i").output("n"));
        assertThat(fates(report))
                .containsEntry("i", "left out behind c (drop-identity)")
                .containsEntry("n", "folded into c (fold-batch-norm)");
        assertThat(report.summary().nodes()).isEqualTo(1);
    }

    @Test
    void aPartIsWhereItsNodeIs() {
        Graph graph = conv("c", "x").norm("n", "c").output("n");
        CheckReport report = check(CapabilityChecker.builtIn(), graph, "edgetpu"); // in float32
        CheckReport.NodeReport part = report.nodes().get(1);
        assertThat(part.verdict()).isEqualTo(Verdict.FALLS_BACK);
        assertThat(part.findings()).hasSize(1);
        assertThat(part.findings().get(0).rule()).hasToString("coral/converts/fold-batch-norm");
        assertThat(part.findings().get(0).message()).isEqualTo("folded into 'c', which is falls-back");
        assertThat(report.summary().nodes()).isEqualTo(1);
    }
}
