package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;
import org.junit.jupiter.api.Test;

/** The report as GitHub's Markdown. */
class MarkdownReportTest {

    private static List<String> lines(List<CheckReport> reports, boolean explain) {
        return ReportFormat.MARKDOWN
                .write(reports, ReportOptions.defaults().withExplain(explain))
                .lines()
                .toList();
    }

    @Test
    void theMatrixIsFirst() {
        assertThat(lines(Examples.twoDevices(), false))
                .startsWith(
                        "# Capability report",
                        "",
                        "| Operator | `soc2` | `soc1` |",
                        "|---|--:|--:|",
                        "| `Conv2d` | 3/3 | 1/3 F |")
                .contains(
                        "| all nodes | 3/6 I | 1/6 I |",
                        "| multiply-adds | 50 % | 16 % |",
                        "## `net (net.onnx)` on Vendor SoC 2 (soc2)")
                .contains("| falls-back | `conv2` and 1 more | `Conv2d` |"
                        + " the kernel does not fit (kernel\\_h \\<= 16: 17 \\> 16) `soc/conv2d/kernel` |");
    }

    @Test
    void everythingWhenAskedToExplain() {
        assertThat(lines(Examples.twoDevices().subList(0, 1), true))
                .contains("| on-device | `conv1` | `Conv2d` | `1x8x24x24:float32` |  |")
                .anyMatch(line -> line.startsWith("| falls-back | `conv3` |")
                        && line.contains("set by soc.ini:DPU:kernel\\_max")
                        && line.contains("<br>would pass with kernel\\_size\\[0\\] 17 -\\> 16"));
    }

    @Test
    void aNodeThatIsPartOfAnotherSaysSo() {
        assertThat(lines(Examples.oneNodeOrTwo().subList(0, 1), true))
                .contains("| on-device | `r` | `Relu` | `1x8x24x24:float32` | fused into c (fuse-activation) |");
    }

    @Test
    void nodesHaveTheirCost() {
        String text = ReportFormat.MARKDOWN.write(
                List.of(Examples.costly()), ReportOptions.defaults().withExplain(true));
        assertThat(text.lines())
                .contains(
                        "- most of it on the device: conv1 1.25 ms (memory)",
                        "| Verdict | Node | Operator | Outputs | Cost | Reason |")
                .anyMatch(line ->
                        line.startsWith("| on-device | `conv1` |") && line.contains(" 75.0 %, 1.25 ms (memory) "));
    }

    @Test
    void aNameNeitherLeavesItsCellNorMeansAnything() {
        for (String line : lines(Examples.hostile(), true)) {
            if (line.startsWith("| ")) {
                assertThat(line.replace("\\|", "")
                                .chars()
                                .filter(each -> each == '|')
                                .count())
                        .as(line)
                        .isIn(6L, (long) Examples.HOSTILE.size() + 2);
            }
            assertThat(withoutCode(line).replaceAll("\\\\.", "").replace("<br>", ""))
                    .doesNotContain("<", "[", "`");
        }
        Finding calling = new Finding(new RuleId("rule"), "@all see https://example.org and www.example.org");
        List<CheckReport> called = List.of(
                Examples.report("net", "cpu", "", List.of(Examples.node("a", "Relu", Verdict.FALLS_BACK, calling))));
        assertThat(String.join("\n", lines(called, false))).doesNotContain("@all", "https://", "www.");
    }

    /** The line without what stands between equal numbers of backquotes. */
    private static String withoutCode(String line) {
        return line.replaceAll("(?<![`\\\\])(`+)(?!`).*?(?<!`)\\1(?!`)", "");
    }
}
