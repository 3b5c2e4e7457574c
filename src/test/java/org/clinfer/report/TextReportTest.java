package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.NetworkCost;
import org.junit.jupiter.api.Test;

/** The report as lines for people. */
class TextReportTest {

    private static List<String> lines(List<CheckReport> reports, boolean explain) {
        return ReportFormat.TEXT
                .write(reports, ReportOptions.defaults().withExplain(explain))
                .lines()
                .toList();
    }

    @Test
    void shortFirst() {
        List<CheckReport> one = Examples.twoDevices().subList(0, 1);
        assertThat(lines(one, false))
                .containsExactly(
                        "net (net.onnx) on Vendor SoC 1 (soc1)",
                        "  1 of 6 nodes on the device (16 %); 2 falls-back, 1 unsupported, 1 unknown, 1 invalid",
                        "  1.2 M of 7.4 M multiply-adds on the device (16 %), 2 partitions,"
                                + " 36 KiB cross between device and host",
                        "  weights 24 KiB, activations at most 36 KiB",
                        "VERDICT      NODE              OPERATOR  REASON",
                        "falls-back   conv2 and 1 more  Conv2d    the kernel does not fit (kernel_h <= 16: 17 > 16)"
                                + " [soc/conv2d/kernel]",
                        "unsupported  up                Resize    the kernel does not fit (kernel_h <= 16: 17 > 16)"
                                + " [soc/resize/scale]",
                        "                                         the CPU has no bilinear Resize of bool [cpu/Resize]",
                        "unknown      relu              Relu      not known whether the stride fits"
                                + " (stride_h <= limit: limit is not known) [soc/relu/type]",
                        "invalid      add               Add       1x8x24x24 and 1x9x24x24 do not broadcast [Add/b]");
    }

    @Test
    void theTimeOfARunAndOfNodes() {
        assertThat(lines(List.of(Examples.costly()), true))
                .contains(
                        "  how long a run takes is not known (nodes on the device 1.25 ms, crossings 0.500 ms);"
                                + " no time is known of 1 node that falls back (its speed on the host is not known),"
                                + " 1 node of which it is not known where it runs, 1 node that runs nowhere,"
                                + " 1 node that is invalid; error of such estimates: median 5 %",
                        "  most of it on the device: conv1 1.25 ms (memory)",
                        "VERDICT      NODE   OPERATOR  OUTPUTS            COST                      VARIANT",
                        "on-device    conv1  Conv2d    1x8x24x24:float32  75.0 %, 1.25 ms (memory)",
                        "falls-back   conv2  Conv2d    1x8x24x24:float32  25.0 %, 20.5 ms (host)",
                        "falls-back   conv3  Conv2d    1x8x24x24:float32");
    }

    @Test
    void aTimeIsNeverRoundedToNothing() {
        assertThat(CostLines.millis(0.00004)).isEqualTo("< 0.0001 ms");
        assertThat(CostLines.millis(0.00005)).isEqualTo("0.0001 ms");
        assertThat(CostLines.millis(0)).isEqualTo("0.0000 ms");
    }

    @Test
    void aMemoryThatIsTooSmallIsSaid() {
        String needed = "  weights 4.0 KiB, activations at most 36 KiB, device memory ";
        assertThat(lines(List.of(withMemory(40_960)), false)).contains(needed + "40 KiB");
        assertThat(lines(List.of(withMemory(40_959)), false)).contains(needed + "40 KiB, which is too little");
    }

    private static CheckReport withMemory(long bytes) {
        CheckReport report =
                Examples.report("net", "One", "one", Examples.everyVerdict().subList(0, 1));
        CheckReport.Summary summary = report.summary();
        return new CheckReport(
                report.model(),
                report.device(),
                report.profile(),
                report.inputs(),
                report.sized(),
                report.nodes(),
                new CheckReport.Summary(
                        summary.nodesOnDevice(),
                        summary.nodes(),
                        summary.multiplyAddsOnDevice(),
                        summary.multiplyAdds(),
                        summary.partitions(),
                        summary.crossingBytes(),
                        summary.weightBytes(),
                        summary.peakActivationBytes(),
                        OptionalLong.of(bytes)),
                report.wholes(),
                report.basis(),
                report.cost(),
                report.findings());
    }

    @Test
    void everythingWhenAskedToExplain() {
        assertThat(lines(Examples.twoDevices().subList(0, 1), true))
                .contains(
                        "on-device    conv1  Conv2d    1x8x24x24:float32",
                        "falls-back   conv3  Conv2d    1x8x24x24:float32",
                        "      limit 16 pixels, actual 17 pixels, off by 1; set by soc.ini:DPU:kernel_max;"
                                + " source: Manual, table 7; evidence: document, Tools 2.1, 2024-05;"
                                + " only with --reading document",
                        "      would pass with kernel_size[0] 17 -> 16",
                        "    in net.onnx: node 'conv3' (Conv2d)",
                        "    takes 1.2 M multiply-adds");
    }

    @Test
    void severalDevicesGiveAMatrixOfOperators() {
        assertThat(lines(Examples.twoDevices(), false).subList(0, 8))
                .containsExactly(
                        "OPERATOR       soc2   soc1",
                        "Conv2d         3/3    1/3 F",
                        "Resize         0/1 U  0/1 U",
                        "Relu           0/1 ?  0/1 ?",
                        "Add            0/1 I  0/1 I",
                        "all nodes      3/6 I  1/6 I",
                        "multiply-adds  50 %   16 %",
                        "Nodes on the device / all nodes; the worst of the others:"
                                + " F falls-back, U unsupported, ? unknown, I invalid");
    }

    @Test
    void severalModelsGiveAMatrixOfModels() {
        List<NodeReport> nodes = Examples.everyVerdict();
        List<CheckReport> reports = List.of(
                Examples.report("a", "One", "one", nodes.subList(0, 1)),
                Examples.report("a", "Two", "two", nodes),
                Examples.report("b", "Two", "two", nodes.subList(0, 3)));
        assertThat(lines(reports, false).subList(0, 3))
                .containsExactly(
                        "MODEL          one    two", "a              1/1    1/6 I", "b              -      1/3 F");
    }

    @Test
    void whatIsKnownBeforehandCountsNowhere() {
        List<NodeReport> nodes = List.of(
                Examples.constant("shape", "Shape"), Examples.everyVerdict().get(0));
        List<CheckReport> reports =
                List.of(Examples.report("a", "One", "one", nodes), Examples.report("a", "Two", "two", nodes));
        assertThat(lines(reports, false).subList(0, 3))
                .containsExactly("OPERATOR       one    two", "Conv2d         1/1    1/1", "all nodes      1/1    1/1");
    }

    @Test
    void partsOfOtherNodesCountNowhere() {
        assertThat(lines(Examples.oneNodeOrTwo(), false).subList(0, 4))
                .containsExactly(
                        "OPERATOR       one    two",
                        "Conv2d         1/1    1/1",
                        "Relu           -      1/1",
                        "all nodes      1/1    2/2");
    }

    @Test
    void modelsOfTheSameNameAreToldApartByTheirFiles() {
        List<CheckReport> reports = new ArrayList<>(Examples.twoDevices());
        reports.add(Examples.report("net", "Vendor SoC 3", "soc3", Examples.everyVerdict()));
        ReportOptions options =
                ReportOptions.defaults().withFiles(report -> report.profile().equals("soc3") ? "b.onnx" : "a.onnx");
        assertThat(ReportFormat.TEXT.write(reports, options))
                .contains("net (a.onnx) on Vendor SoC 2 (soc2)", "net (b.onnx) on Vendor SoC 3 (soc3)");
    }

    @Test
    void aWideMatrixIsWrittenInBlocks() {
        List<CheckReport> reports = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            reports.add(Examples.report("net", "Device " + i, "device-number-" + i, Examples.everyVerdict()));
        }
        List<String> lines = lines(reports, false);
        List<String> matrix = lines.subList(0, lines.indexOf("net (net.onnx) on Device 0 (device-number-0)"));
        assertThat(matrix).allMatch(line -> line.length() <= 120);
        assertThat(matrix).filteredOn(line -> line.startsWith("OPERATOR")).hasSizeGreaterThan(3);
        assertThat(String.join(" ", matrix)).contains("device-number-0 ", "device-number-39");
    }

    /** The error of a family's estimates is that of times on the device. */
    @Test
    void timesOfTheHostAloneHaveNoError() {
        CheckReport costly = Examples.costly();
        NetworkCost.NodeCost onHost = costly.cost().of("conv2").orElseThrow();
        CheckReport ofHost = costly.withCost(new NetworkCost(
                Map.of("conv2", onHost), List.of(), costly.cost().total()));
        assertThat(lines(List.of(costly), false)).anyMatch(line -> line.contains("error of such estimates"));
        assertThat(lines(List.of(ofHost), false))
                .anyMatch(line -> line.contains("how long a run takes"))
                .noneMatch(line -> line.contains("error of such estimates"));
    }

    @Test
    void namesNeitherEndLinesNorReachTheTerminal() {
        for (boolean explain : new boolean[] {false, true}) {
            String text = ReportFormat.TEXT.write(
                    Examples.hostile(), ReportOptions.defaults().withExplain(explain));
            assertThat(text.replace(System.lineSeparator(), "").codePoints().distinct())
                    .noneMatch(Character::isISOControl)
                    .noneMatch(character -> character == 0x2028 || character == 0x202E);
            assertThat(text).contains("\\u001b[31mred", "\\u202eright-to-left");
        }
    }
}
