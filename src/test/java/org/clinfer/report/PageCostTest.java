package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.NetworkCost.NodeCost;
import org.junit.jupiter.api.Test;

/** The costs of nodes in the drawing and in the list. */
class PageCostTest extends PageTests {

    /** As {@link Examples#everyVerdict}, with other work. */
    private static List<CheckReport> costly() {
        long[] counts = {100, 6400, 1600, 400};
        List<CheckReport.NodeReport> nodes = new ArrayList<>();
        List<CheckReport.NodeReport> all = Examples.everyVerdict();
        for (int i = 0; i < all.size(); i++) {
            CheckReport.NodeReport node = all.get(i);
            nodes.add(new CheckReport.NodeReport(
                    node.node(),
                    node.op(),
                    node.source(),
                    node.verdict(),
                    node.variant(),
                    node.findings(),
                    node.inputs(),
                    node.outputs(),
                    new CheckReport.Work(i < counts.length ? OptionalLong.of(counts[i]) : OptionalLong.empty(), 0)));
        }
        return List.of(Examples.report("net", "SoC", "soc", nodes));
    }

    @Test
    void coloursAndTheListShowWhatNodesCost() throws IOException {
        open(costly());
        String byVerdict = fill(0);
        browser.evaluate("(() => { const select = document.getElementById('colour'); select.value = 'work';"
                + " select.dispatchEvent(new Event('change')); })()");
        assertThat(text("#legend").replaceAll("\\s+", " "))
                .isEqualTo("multiply-adds of a node: 0 256 1.0 k 2.3 k 4.1 k 6.4 k crosses between device and host");
        assertThat(fill(0)).isNotEqualTo(byVerdict);
        assertThat(List.of(heat(0), heat(1), heat(2), heat(3))).containsExactly("12.5%", "100.0%", "50.0%", "25.0%");
        assertThat(fill(4)).as("what is not known is no shade").isNotEqualTo(fill(0));
        assertThat(browser.evaluate("String(document.querySelector('[data-node=\"4\"]').matches('.unknown'))"))
                .isEqualTo("true");
        browser.click("#by-cost");
        assertThat(listed()).containsExactly("conv2", "conv3", "up", "conv1", "relu", "add");
        assertThat(browser.evaluate(
                        "[...document.querySelectorAll('.option .cost')].map((each) => each.textContent)" + ".join()"))
                .isEqualTo("75 %,19 %,4.7 %,1.2 %,,");
        browser.evaluate("document.getElementById('list').focus()");
        browser.press("Home");
        browser.press("ArrowDown");
        assertThat(text("#details .head .name")).isEqualTo("conv3");
        open(costly(), "#colour=work&order=cost");
        assertThat(heat(1)).isEqualTo("100.0%");
        assertThat(listed()).startsWith("conv2");
        browser.click("#by-run");
        assertThat(listed()).startsWith("conv1");
    }

    private static String fill(int node) {
        return browser.evaluate("getComputedStyle(document.querySelector('[data-node=\"" + node + "\"] .body')).fill");
    }

    private static String heat(int node) {
        return browser.evaluate(
                "document.querySelector('[data-node=\"" + node + "\"]').style.getPropertyValue('--heat')");
    }

    @Test
    void coloursShowEstimatesWhereThereAreSome() throws IOException {
        CheckReport plain = costly().get(0);
        Map<String, NodeCost> costs =
                Map.of("conv1", cost(OptionalDouble.of(0.25), 9), "conv2", cost(OptionalDouble.empty(), 1));
        NetworkCost.Total total = new NetworkCost.Total(
                OptionalDouble.of(0.25),
                OptionalDouble.of(1),
                OptionalDouble.of(0),
                OptionalDouble.of(0),
                OptionalDouble.of(1.25),
                4,
                "manual",
                Optional.empty());
        CheckReport timed = new CheckReport(
                plain.model(),
                plain.device(),
                "timed",
                plain.inputs(),
                plain.sized(),
                plain.nodes(),
                plain.summary(),
                Map.of(),
                Optional.empty(),
                new NetworkCost(costs, List.of(), Optional.of(total)),
                List.of());
        open(List.of(plain, timed), "#report=timed&colour=time&order=cost&node=conv1");
        assertThat(List.of(heat(0), heat(1), heat(2))).containsExactly("50.0%", "100.0%", "0.0%");
        assertThat(text("#legend")).contains("estimated time of a node:", "1 ms");
        assertThat(listed()).startsWith("conv2", "conv1");
        assertThat(text("#details")).contains("Estimated time", "0.25 ms");
        open(List.of(plain, timed), "#report=soc&colour=time");
        assertThat(browser.evaluate("document.getElementById('colour').value")).isEqualTo("work");
        assertThat(browser.evaluate("String(document.querySelector('#colour [value=time]').disabled)"))
                .isEqualTo("true");
    }

    private static NodeCost cost(OptionalDouble device, double host) {
        OptionalLong none = OptionalLong.empty();
        return new NodeCost(
                none,
                OptionalDouble.empty(),
                none,
                none,
                none,
                device.stream()
                        .mapToObj(millis -> new NetworkCost.Estimate(millis, NetworkCost.Bound.COMPUTE, millis, 0, 0))
                        .findFirst(),
                OptionalDouble.of(host));
    }
}
