package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Networks held against device profiles, with and without a device. */
class CapabilityCheckerTest {

    private static final DeviceProfile ASCEND_310 = ProfileCatalog.builtIn().find("ascend310");
    private static final DeviceProfile ASCEND_910B1 = ProfileCatalog.builtIn().find("ascend910b1");

    private static Graph deconvolution(DType dtype, long size, long kernel, long stride, long pad) {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(dtype, 1, 2, size, size));
        Edge filter = ops.input("filter", TensorType.of(dtype, 2, 3, kernel, kernel));
        return ops.output(
                        "y",
                        ops.deconvolution(x, filter).stride(stride).pad(pad).y())
                .build();
    }

    private static Graph convolution(long[] x, long[] weights, long... padding) {
        Ops ops = Ops.graph("net");
        Conv2dOp op = ops.conv2d(
                        ops.input("x", TensorType.of(DType.FLOAT32, x)),
                        ops.input("weights", TensorType.of(DType.FLOAT32, weights)))
                .kernelSize(weights[2], weights[3])
                .padding(padding);
        return ops.output("y", op.y()).build();
    }

    private static CheckReport.NodeReport only(Graph graph, DeviceProfile profile) {
        CheckReport report = CapabilityChecker.builtIn().check(graph, Map.of(), profile, Reading.DOCUMENT);
        assertThat(report.nodes()).hasSize(1);
        return report.nodes().get(0);
    }

    @Test
    void saysYesNoAndWhatWouldDo() {
        Graph graph = deconvolution(DType.FLOAT16, 128, 16, 8, 4);
        assertThat(only(graph, ASCEND_310).verdict()).isEqualTo(Verdict.ON_DEVICE);
        CheckReport.NodeReport refused = only(graph, ASCEND_910B1);
        assertThat(refused.verdict()).isEqualTo(Verdict.FALLS_BACK);
        Finding finding = refused.findings().get(0);
        assertThat(finding.rule()).hasToString("ascend/transposed-conv2d/l1-size");
        Finding.BrokenRule broken = finding.broken().orElseThrow();
        assertThat(broken.actual()).isEqualTo("688128");
        assertThat(broken.limit()).isEqualTo("524288");
        assertThat(broken.margin()).isEqualTo("163840");
        assertThat(broken.places()).containsExactly("ascend910b1.ini:AICoreSpec:l1_size");
        // 17 rows of width * 8 * 32 bytes beside 131072 bytes fit up to a width of 90.
        assertThat(broken.passing())
                .contains(
                        new Finding.PassingValue("x.dims[3]", "128", "90"),
                        new Finding.PassingValue("AICoreSpec.l1_size", "524288", "688128"));
    }

    @Test
    void findingsMayLeaveOutWhatWouldPass() {
        Graph graph = deconvolution(DType.FLOAT16, 128, 16, 8, 4);
        CheckReport.NodeReport full = only(graph, ASCEND_910B1);
        CheckReport.NodeReport without = CapabilityChecker.builtIn()
                .withoutPassing()
                .check(graph, Map.of(), ASCEND_910B1, Reading.DOCUMENT)
                .nodes()
                .get(0);
        assertThat(without.findings().get(0).broken().orElseThrow().passing())
                .extracting(Finding.PassingValue::what)
                .containsExactly("AICoreSpec.l1_size");
        assertThat(without.verdict()).isEqualTo(full.verdict());
        assertThat(without.findings())
                .extracting(Finding::message)
                .containsExactlyElementsOf(
                        full.findings().stream().map(Finding::message).toList());
    }

    @Test
    void everyPassingValueIsTheNearestThatPasses() {
        Graph graph = deconvolution(DType.FLOAT16, 64, 40, 16, 4);
        List<Finding.PassingValue> passing =
                only(graph, ASCEND_310).findings().get(0).broken().orElseThrow().passing();
        assertThat(passing).extracting(Finding.PassingValue::what).contains("stride[0]");
        for (Finding.PassingValue change : passing) {
            if (change.what().equals("stride[0]")) {
                long to = Long.parseLong(change.to());
                assertThat(only(deconvolution(DType.FLOAT16, 64, 40, to, 4), ASCEND_310)
                                .verdict())
                        .isEqualTo(Verdict.ON_DEVICE);
                assertThat(only(deconvolution(DType.FLOAT16, 64, 40, to + 1, 4), ASCEND_310)
                                .verdict())
                        .isEqualTo(Verdict.FALLS_BACK);
            }
        }
    }

    @Test
    void dimensionsThatBelongTogetherChangeTogether() {
        Graph graph = convolution(new long[] {1, 5000, 8, 8}, new long[] {16, 5000, 17, 1}, 8, 8, 0, 0);
        DeviceProfile dpu = ProfileCatalog.builtIn().find("dpuczdx8g-b4096");
        Finding.BrokenRule kernel = only(graph, dpu).findings().get(0).broken().orElseThrow();
        assertThat(kernel.passing())
                .as("the kernel and the channels are too large")
                .isEmpty();
        Graph small = convolution(new long[] {1, 5000, 8, 8}, new long[] {16, 5000, 1, 1}, 0, 0, 0, 0);
        assertThat(only(small, dpu).findings().get(0).broken().orElseThrow().passing())
                .containsOnlyOnce(new Finding.PassingValue("x.dims[1] and weights.dims[1]", "5000", "4096"));
        Graph tall = convolution(new long[] {1, 16, 32, 8}, new long[] {16, 16, 17, 1}, 0, 0, 0, 0);
        assertThat(only(tall, dpu).findings().get(0).broken().orElseThrow().passing())
                .as("the size of the kernel follows the weights")
                .contains(new Finding.PassingValue("weights.dims[2]", "17", "16"));
    }

    @Test
    void whatIsNotKnownIsNeverAYes() {
        Ops ops = Ops.graph("net");
        Shape open = new Shape(List.of(Dim.of(1), Dim.of(2), Dim.of(8), Dim.named("w")));
        Edge x = ops.input("x", new TensorType(DType.FLOAT16, open));
        Edge filter = ops.input("filter", TensorType.of(DType.FLOAT16, 2, 3, 3, 3));
        Graph graph = ops.output("y", ops.deconvolution(x, filter).y()).build();
        assertThat(only(graph, ASCEND_310).verdict()).isEqualTo(Verdict.UNKNOWN);
        CheckReport known = CapabilityChecker.builtIn()
                .check(graph, Map.of("x", TensorType.of(DType.FLOAT16, 1, 2, 8, 8)), ASCEND_310, Reading.DOCUMENT);
        assertThat(known.nodes().get(0).verdict()).isEqualTo(Verdict.ON_DEVICE);
    }

    @Test
    void operatorsWithoutRulesAreNotKnown() {
        Ops ops = Ops.graph("net");
        Graph graph = ops.output("y", ops.erf(ops.input("x", TensorType.of(DType.FLOAT16, 1, 2))))
                .build();
        CheckReport.NodeReport erf = only(graph, ASCEND_310);
        assertThat(erf.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(erf.findings().get(0).message()).startsWith("whether Ascend310 runs erf is not known here");
    }

    @Test
    void aFindingSaysUnderWhichReadingItHolds() {
        Graph graph = deconvolution(DType.FLOAT16, 2, 3, 1, 0);
        CapabilityChecker checker = CapabilityChecker.builtIn();
        CheckReport document = checker.check(graph, Map.of(), ASCEND_310, Reading.DOCUMENT);
        assertThat(document.nodes().get(0).findings())
                .extracting(finding -> finding.broken().orElseThrow().reading())
                .containsOnly("document, published");
        CheckReport code = checker.check(graph, Map.of(), ASCEND_310, Reading.CODE);
        assertThat(code.nodes().get(0).verdict()).isEqualTo(Verdict.ON_DEVICE);
    }

    @RequiresOpenCl
    @Test
    void theNumbersAreTheSameWithAProfile() {
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        Graph graph = deconvolution(DType.FLOAT16, 20, 16, 17, 4);
        Random random = new Random(5);
        Map<String, Tensor> inputs = Map.of(
                "x", filled(TensorType.of(DType.FLOAT16, 1, 2, 20, 20), random),
                "filter", filled(TensorType.of(DType.FLOAT16, 2, 3, 16, 16), random));
        try (Engine plain = Engine.open(options);
                Engine overlaid = Engine.open(options.withProfile(ASCEND_310, Reading.DOCUMENT));
                Model model = plain.load(graph);
                Model other = overlaid.load(graph);
                Session session = model.session();
                Session restricted = other.session();
                Result expected = session.run(inputs);
                Result result = restricted.run(inputs)) {
            assertThat(session.placement().count(Placement.Target.DEVICE)).isEqualTo(1);
            assertThat(restricted.placement().count(Placement.Target.CPU)).isEqualTo(1);
            assertThat(restricted.placement().nodes().get(0).reasons())
                    .anyMatch(reason -> reason.startsWith("ascend/transposed-conv2d/stride-product: "));
            float[] want = expected.get("y").toFloatArray();
            float[] got = result.get("y").toFloatArray();
            for (int i = 0; i < want.length; i++) {
                assertThat(got[i]).isCloseTo(want[i], Offset.offset(2e-3f * Math.max(1, Math.abs(want[i]))));
            }
        }
    }

    private static Tensor filled(TensorType type, Random random) {
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() - 0.5);
        }
        return tensor;
    }

    @Test
    void equalNumbersOfAListChangeTogether() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT16, 1, 16, 8, 8));
        Edge weights = ops.input("weights", TensorType.of(DType.FLOAT16, 16, 16, 3, 3));
        ops.output(
                "y",
                ops.conv2dTranspose(x, weights)
                        .strides(2, 2)
                        .padding(1, 0, 1, 0)
                        .y());
        Graph graph = ops.build();
        Finding finding = only(graph, ASCEND_310).findings().get(0);
        assertThat(finding.rule()).hasToString("ascend/transposed-conv2d/output-shape");
        Finding.BrokenRule broken = finding.broken().orElseThrow();
        assertThat(List.of(broken.actual(), broken.limit())).containsExactly("16", "15");
        assertThat(broken.passing())
                .containsExactly(
                        new Finding.PassingValue("padding[1] and padding[3]", "0", "1"),
                        new Finding.PassingValue("padding[0] and padding[2]", "1", "0"));
    }
}
