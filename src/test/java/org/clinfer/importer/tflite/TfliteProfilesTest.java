package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.CapabilityChecker;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quantized networks on the devices that take nothing else. */
class TfliteProfilesTest {

    @TempDir
    Path folder;

    /** A small MobileNet of int8: convolutions, a sum, a pool, a product and Softmax. */
    static TfliteNet mobile() {
        TfliteNet net = new TfliteNet();
        int x = value(net, "x", 0.02, -1, 1, 16, 16, 3);
        int c = convolution(net, "c", x, 3, 8, 16, 2);
        int d = depthwise(net, "d", c, 8, 8);
        int e = convolution(net, "e", d, 8, 8, 8, 1);
        int a = value(net, "a", 0.06, -128, 1, 8, 8, 8);
        int p = value(net, "p", 0.06, -128, 1, 1, 1, 8);
        int r = value(net, "r", 0.06, -128, 1, 8);
        int f = value(net, "f", 0.1, 5, 1, 4);
        int y = value(net, "y", 1.0 / 256, -128, 1, 4);
        int w = net.bytes("fw", "int8", bytes(32), 4, 8);
        int b = net.vector("fb", 1, -2, 3, -4);
        net.quantized(w, 0.01, 0).quantized(b, 0.06 * 0.01, 0);
        net.op("ADD", a, "", c, e)
                .op("AVERAGE_POOL_2D", p, "padding=1 stride_w=8 stride_h=8 filter_width=8 filter_height=8", a)
                .op("RESHAPE", r, "", p, net.vector("shape", 1, 8))
                .op("FULLY_CONNECTED", f, "", r, w, b)
                .op("SOFTMAX", y, "beta=1", f)
                .output(y);
        return net;
    }

    private static byte[] bytes(int count) {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
            values[i] = (byte) (i * 37);
        }
        return values;
    }

    private static int value(TfliteNet net, String name, double scale, long zero, int... shape) {
        int tensor = name.equals("x") ? net.input(name, "int8", shape) : net.value(name, "int8", shape);
        net.quantized(tensor, scale, zero);
        return tensor;
    }

    private static int convolution(TfliteNet net, String name, int from, int in, int out, int size, int stride) {
        int w = net.bytes(name + "w", "int8", bytes(out * in * 9), out, 3, 3, in);
        int b = net.vector(name + "b", new int[out]);
        int to = value(net, name, 0.05, -128, 1, size / stride, size / stride, out);
        net.quantized(w, 0.01, 0).quantized(b, 0.0002, 0);
        net.op(
                "CONV_2D",
                to,
                "stride_w=" + stride + " stride_h=" + stride + " fused_activation_function=1",
                from,
                w,
                b);
        return to;
    }

    private static int depthwise(TfliteNet net, String name, int from, int channels, int size) {
        int w = net.bytes(name + "w", "int8", bytes(channels * 9), 1, 3, 3, channels);
        int b = net.vector(name + "b", new int[channels]);
        int to = value(net, name, 0.05, -128, 1, size, size, channels);
        net.quantized(w, 0.01, 0).quantized(b, 0.0005, 0);
        net.op("DEPTHWISE_CONV_2D", to, "stride_w=1 stride_h=1 fused_activation_function=3", from, w, b);
        return to;
    }

    private CheckReport report(Graph graph, String profile) {
        DeviceProfile found = ProfileCatalog.builtIn().find(profile);
        return CapabilityChecker.builtIn().check(graph, Map.of(), found, Reading.DOCUMENT);
    }

    private static List<String> elsewhere(CheckReport report) {
        return report.nodes().stream()
                .filter(node -> node.verdict() != Verdict.ON_DEVICE)
                .map(node -> node.node() + ": " + node.op())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"edgetpu", "ethos-u55-128", "ethos-u65-256", "imx-rt700"})
    void quantizedNetworksRunWhole(String profile) throws IOException {
        assertThat(elsewhere(report(mobile().read(folder), profile))).isEmpty();
    }

    /** As the converter writes a network for pictures of bytes: any batch, a QUANTIZE at both ends, and a PAD before VALID. */
    private static TfliteNet converted() {
        TfliteNet net = new TfliteNet();
        int picture = net.input("x", "uint8", 1, 8, 8, 3);
        net.quantized(picture, 0.02, 127).signature(picture, -1, 8, 8, 3);
        int x = value(net, "signed", 0.02, -1, 1, 8, 8, 3);
        int padded = value(net, "padded", 0.02, -1, 1, 10, 10, 3);
        int c = value(net, "c", 0.05, -128, 1, 8, 8, 4);
        int mean = value(net, "mean", 0.05, -128, 1, 4);
        int y = net.value("y", "uint8", 1, 4);
        net.quantized(y, 0.05, 0);
        int w = net.bytes("w", "int8", bytes(108), 4, 3, 3, 3);
        int b = net.vector("b", new int[4]);
        net.quantized(w, 0.01, 0).quantized(b, 0.0002, 0);
        net.op("QUANTIZE", x, "", picture)
                .op("PAD", padded, "", x, net.ints("widths", new int[] {0, 0, 1, 1, 1, 1, 0, 0}, 4, 2))
                .op("CONV_2D", c, "padding=1 stride_w=1 stride_h=1 fused_activation_function=1", padded, w, b)
                .op("MEAN", mean, "", c, net.vector("axes", 1, 2))
                .op("QUANTIZE", y, "", mean)
                .output(y);
        return net;
    }

    @ParameterizedTest
    @ValueSource(strings = {"edgetpu", "ethos-u55-128", "ethos-u85-256"})
    void aConvertedNetworkRunsWhole(String profile) throws IOException {
        CheckReport report = report(converted().read(folder), profile);
        assertThat(elsewhere(report)).isEmpty();
        assertThat(report.inputs().get("x")).hasToString("1x8x8x3:uint8");
        assertThat(report.summary().partitions()).isEqualTo(1);
    }

    /** Real numbers are quantized on the host. */
    @Test
    void aNetworkThatQuantizesRealNumbersRunsBehindThem() throws IOException {
        TfliteNet net = new TfliteNet();
        int real = net.input("x", "float32", 1, 8, 8, 3);
        int x = value(net, "signed", 0.02, -1, 1, 8, 8, 3);
        net.op("QUANTIZE", x, "", real).output(convolution(net, "c", x, 3, 4, 8, 1));
        assertThat(elsewhere(report(net.read(folder), "edgetpu"))).containsExactly("signed: QuantizeLinear");
    }

    /** The same network with real numbers has nothing on a device that takes 8 bits alone. */
    @Test
    void networksOfRealNumbersDoNot() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 4, 4, 1);
        int y = net.value("y", "float32", 1, 4, 4, 1);
        net.op("CONV_2D", y, "stride_w=1 stride_h=1", x, net.floats("w", new float[9], 1, 3, 3, 1), -1)
                .output(y);
        assertThat(elsewhere(report(net.read(folder), "edgetpu"))).contains("y: Conv2d");
    }

    /** Softmax that gives real numbers is no operator of 8 bits, and what makes real numbers for it is none either; it stands behind. */
    @Test
    void realResultsStayReal() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = value(net, "x", 0.1, 3, 1, 4);
        int y = net.value("y", "float32", 1, 4);
        int real = net.value("real", "float32", 1, 4);
        net.op("DEQUANTIZE", real, "", x).op("SOFTMAX", y, "beta=1", real).output(y);
        assertThat(elsewhere(report(net.read(folder), "edgetpu")))
                .containsExactly("real: DequantizeLinear", "y: Softmax");
    }

    /** An operator that the device does not have takes what is around it along. */
    @Test
    void stepsGoWithTheirOperator() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = value(net, "x", 0.1, 3, 1, 4);
        int y = value(net, "y", 0.1, 3, 1, 4);
        net.op("ELU", y, "", x).output(y);
        assertThat(elsewhere(report(net.read(folder), "edgetpu")))
                .containsExactly("y/DequantizeLinear: DequantizeLinear", "y: Elu", "y/QuantizeLinear: QuantizeLinear");
    }

    /** Nodes that the file does not have are shown where they do not run, and count nowhere. */
    @Test
    void countsAreThoseOfTheFile() throws IOException {
        CheckReport report = report(mobile().read(folder), "dpuczdx8g-b4096");
        assertThat(elsewhere(report))
                .containsExactly(
                        "c/Transpose: Transpose",
                        "y/DequantizeLinear: DequantizeLinear",
                        "y: Softmax",
                        "y/QuantizeLinear: QuantizeLinear");
        assertThat(report.counts()).containsEntry(Verdict.ON_DEVICE, 8L).containsEntry(Verdict.FALLS_BACK, 1L);
        assertThat(report.summary().nodes()).isEqualTo(9);
        assertThat(report.summary().nodesOnDevice()).isEqualTo(8);
        assertThat(report.cost().total().orElseThrow().notEstimated()).isEqualTo(1);
    }

    /** A transpose that is an operator of the file is a node of it. */
    @Test
    void transposesThatComputeSomethingCount() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 4, 4, 3);
        int y = net.value("y", "float32", 1, 4, 3, 4);
        net.op("TRANSPOSE", y, "", x, net.vector("perm", 0, 1, 3, 2)).output(y);
        CheckReport report = report(net.read(folder), "dpuczdx8g-b4096");
        assertThat(report.counts())
                .containsEntry(Verdict.FALLS_BACK, report.summary().nodes());
        assertThat(report.nodes()).noneMatch(CheckReport.NodeReport::isAdded);
    }

    /** Sums and convolutions are those of quantized numbers, and what moves elements moves quantized ones. */
    @Test
    void quantizedNumbersStayQuantized() throws IOException {
        assertThat(mobile().read(folder).nodes().stream().map(Node::op))
                .containsExactly(
                        "Transpose",
                        "QuantizedConv",
                        "QuantizedConv",
                        "Clip",
                        "QuantizedConv",
                        "QuantizedAdd",
                        "AvgPool",
                        "Reshape",
                        "QuantizedMatMul",
                        "DequantizeLinear",
                        "Softmax",
                        "QuantizeLinear");
    }
}
