package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.junit.jupiter.api.Test;

/** What the page shows, and how it is used. */
class PageTest extends PageTests {

    @Test
    void theNetworkIsDrawnAndListed() throws IOException {
        open(Examples.twoDevices());
        assertThat(listed()).containsExactly("conv1", "conv2", "conv3", "up", "relu", "add");
        assertThat(count("g.node")).isEqualTo(7);
        assertThat(count("path.route")).isEqualTo(7);
        assertThat(count("path.route.crossing")).isEqualTo(1);
        assertThat(text("#details")).contains("1 of 6", "(16 %)", "1.2 M of 7.4 M multiply-adds", "soc/conv2d/kernel");
        assertThat(browser.evaluate("document.title"))
                .isEqualTo("net on Vendor SoC 1 (soc1) – Clinfer capability report");
    }

    @Test
    void aClickOnANodeShowsEverythingKnownOfIt() throws IOException {
        open(Examples.twoDevices());
        browser.click("[data-node=\"1\"]");
        assertThat(text("#details"))
                .contains("conv2", "falls-back", "the kernel does not fit", "soc/conv2d/kernel")
                .contains("kernel_h <= 16: 17 > 16", "16 pixels", "17 pixels", "1 pixels")
                .contains("soc.ini:DPU:kernel_max", "Manual, table 7", "only with --reading document")
                .contains("kernel_size[0]", "DPU.kernel_max", "net.onnx: node 'conv2' (Conv2d)")
                .contains("out conv1", "1x8x24x24:float32", "Vendor SoC 2 (soc2)");
        assertThat(browser.evaluate("document.querySelector('.option[aria-selected=true] .name').textContent"))
                .isEqualTo("conv2");
        browser.click("#details button.link");
        assertThat(text("#details h2")).isEqualTo("Conv2d");
        assertThat(text("#details .head .name")).isEqualTo("conv1");
    }

    @Test
    void theListIsUsedWithKeysAlone() throws IOException {
        open(Examples.twoDevices());
        browser.press("/");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("search");
        browser.press("Enter");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("list");
        assertThat(text("#details .head .name")).isEqualTo("conv1");
        browser.press("ArrowDown");
        browser.press("ArrowDown");
        assertThat(text("#details .head .name")).isEqualTo("conv3");
        assertThat(browser.evaluate("document.getElementById('list').getAttribute('aria-activedescendant')"))
                .isEqualTo("option-2");
        browser.press("End");
        assertThat(text("#details")).contains("do not broadcast");
        browser.press("Enter");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("details");
    }

    @Test
    void everyControlIsReachedWithTab() throws IOException {
        open(Examples.twoDevices());
        StringBuilder reached = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            browser.press("Tab");
            reached.append(browser.evaluate(
                            "document.activeElement.id || document.activeElement.getAttribute('data-verdict')"
                                    + " || document.activeElement.getAttribute('data-node') || ''"))
                    .append(' ');
        }
        assertThat(reached.toString())
                .contains(
                        "model report tab-graph copy-link print theme on-device falls-back unsupported unknown invalid"
                                + " search operator by-run by-cost list drawing 0 zoom-in zoom-out fit colour save");
    }

    @Test
    void nodesOfTheDrawingAreReachedAndOpenedWithKeys() throws IOException {
        open(Examples.twoDevices());
        browser.evaluate("document.getElementById('drawing').focus()");
        browser.press("Tab");
        assertThat(browser.evaluate("document.activeElement.getAttribute('data-node')"))
                .isEqualTo("0");
        browser.press("ArrowDown");
        assertThat(browser.evaluate("document.activeElement.getAttribute('data-node')"))
                .isEqualTo("1");
        browser.press("Enter");
        assertThat(text("#details")).contains("conv2", "the kernel does not fit");
        browser.press("ArrowUp");
        assertThat(browser.evaluate("document.activeElement.getAttribute('data-node')"))
                .isEqualTo("0");
        browser.press("Escape");
        assertThat(text("#details")).contains("1 of 6");
    }

    @Test
    void theFiltersFilter() throws IOException {
        open(Examples.twoDevices());
        browser.click("[data-verdict=falls-back]");
        assertThat(listed()).containsExactly("conv1", "up", "relu", "add");
        assertThat(count("g.node.dim")).isEqualTo(2);
        assertThat(text("#shown")).isEqualTo("4 of 6 nodes shown");
        browser.click("[data-verdict=falls-back]");
        browser.evaluate("(() => { const select = document.getElementById('operator'); select.value = 'Relu';"
                + " select.dispatchEvent(new Event('change')); })()");
        assertThat(listed()).containsExactly("relu");
        browser.evaluate("(() => { const select = document.getElementById('operator'); select.value = '';"
                + " select.dispatchEvent(new Event('change')); })()");
        browser.click("#search");
        browser.type("BROADCAST");
        assertThat(listed()).containsExactly("add");
    }

    @Test
    void theDrawingMovesAndZooms() throws IOException {
        open(Examples.twoDevices());
        browser.evaluate("document.getElementById('drawing').focus()");
        double before = scale();
        browser.press("+");
        assertThat(scale()).isGreaterThan(before * 1.2);
        browser.press("-");
        browser.press("-");
        assertThat(scale()).isLessThan(before);
        browser.press("0");
        assertThat(scale()).isEqualTo(before);
        String place = place();
        browser.press("ArrowLeft");
        assertThat(place()).isNotEqualTo(place);
        browser.wheel(700, 500, -200);
        assertThat(scale()).isGreaterThan(before);
        browser.click("#zoom-out");
        browser.click("#fit");
        assertThat(scale()).isEqualTo(before);
    }

    private static double scale() {
        String place = place();
        return Double.parseDouble(place.substring(place.indexOf("scale(") + 6, place.length() - 1));
    }

    @Test
    void theMatrixLeadsToTheNodes() throws IOException {
        open(Examples.twoDevices());
        browser.click("#tab-matrix");
        assertThat(text("#view-matrix table").replaceAll("\\s+", " "))
                .isEqualTo("Operator soc2 soc1 Conv2d 3/3 D 1/3 F Resize 0/1 U 0/1 U Relu 0/1 ? 0/1 ? Add 0/1 I 0/1 I"
                        + " All nodes 3/6 I 1/6 I Multiply-adds 50 % 16 %");
        browser.click("#view-matrix tbody tr:nth-child(1) td:nth-child(2) button");
        assertThat(browser.evaluate("document.getElementById('report').value")).isEqualTo("1");
        assertThat(listed()).containsExactly("conv1", "conv2", "conv3");
        assertThat(count("g.node.v0")).isEqualTo(3);
    }

    @Test
    void severalModelsAreChosenFrom() throws IOException {
        CheckReport other =
                Examples.report("other", "SoC", "soc1", Examples.everyVerdict().subList(0, 1));
        open(Stream.concat(Examples.twoDevices().stream(), Stream.of(other)).toList());
        browser.evaluate("(() => { const select = document.getElementById('model'); select.value = '1';"
                + " select.dispatchEvent(new Event('change')); })()");
        assertThat(listed()).containsExactly("conv1");
        browser.click("#tab-matrix");
        assertThat(text("#view-matrix").replaceAll("\\s+", " "))
                .contains("Model soc2 soc1 net 3/6 I 1/6 I other – 1/1 D");
    }

    @Test
    void lightAndDarkFollowTheSystemAndTheSwitch() throws IOException {
        open(Examples.twoDevices());
        browser.dark(false);
        String light = background();
        browser.dark(true);
        String dark = background();
        assertThat(dark).isNotEqualTo(light);
        browser.click("#theme");
        assertThat(background()).isEqualTo(light);
        browser.click("#theme");
        assertThat(background()).isEqualTo(dark);
        browser.dark(false);
    }

    private static String background() {
        return browser.evaluate("getComputedStyle(document.body).backgroundColor");
    }

    @Test
    void aThousandNodesAreDrawn() throws IOException {
        open(Examples.large(1000));
        assertThat(count(".option")).isEqualTo(1000);
        assertThat(count("[data-node]")).isEqualTo(1000);
        browser.evaluate("document.getElementById('list').focus()");
        browser.press("End");
        assertThat(browser.evaluate("String(((at) => at.y > 50 && at.y < 900)"
                        + "(document.querySelector('.node.selected').getBoundingClientRect()))"))
                .as("what is selected is brought into sight")
                .isEqualTo("true");
        browser.press("0");
        assertThat(browser.evaluate("String(document.getElementById('drawing').classList.contains('far'))"))
                .as("names are hidden where they cannot be read")
                .isEqualTo("true");
    }

    @Test
    void whatIsKnownBeforehandIsListedAndNotDrawn() throws IOException {
        List<CheckReport.NodeReport> nodes = List.of(
                Examples.constant("shape", "Shape"), Examples.everyVerdict().get(1));
        open(List.of(Examples.report("net", "SoC", "soc", nodes)));
        assertThat(listed()).containsExactly("shape", "conv2");
        assertThat(count("[data-node]")).isEqualTo(1);
        assertThat(text("#details .big")).isEqualTo("0 of 1");
        browser.click(".option");
        assertThat(text("#details")).contains("the result is known beforehand");
    }

    @Test
    void namesAreShownAsTheyAre() throws IOException {
        open(Examples.hostile());
        assertThat(count("img")).isZero();
        assertThat(count("script")).isEqualTo(2);
        assertThat(listed().get(0)).isEqualTo(Examples.HOSTILE.get(0));
        browser.click(".option");
        assertThat(text("#details .head .name")).isEqualTo(Examples.HOSTILE.get(0));
        browser.click("#tab-matrix");
        assertThat(count("img")).isZero();
        open(List.of());
        assertThat(listed()).isEmpty();
    }

    @Test
    void rowsAndColumnsOfTheMatrixAreExchanged() throws IOException {
        open(Examples.twoDevices());
        browser.click("#tab-matrix");
        browser.click("#exchange");
        assertThat(text("#view-matrix table").replaceAll("\\s+", " "))
                .isEqualTo(
                        "Device Conv2d Resize Relu Add All nodes Multiply-adds soc2 3/3 D 0/1 U 0/1 ? 0/1 I 3/6 I 50 %"
                                + " soc1 1/3 F 0/1 U 0/1 ? 0/1 I 1/6 I 16 %");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("exchange");
        browser.click("#view-matrix tbody tr:nth-child(1) td:nth-child(2) button");
        assertThat(text("#details")).contains("Vendor SoC 2");
        assertThat(listed()).containsExactly("conv1", "conv2", "conv3");
        browser.click("#tab-matrix");
        browser.click("#exchange");
        assertThat(text("#view-matrix thead").replaceAll("\\s+", " ")).isEqualTo("Operator soc2 soc1 ");
    }

    @Test
    void titlesStayInSightAboveAndBesideManyDevices() throws IOException {
        List<CheckReport> reports = new ArrayList<>();
        for (int i = 0; i < 139; i++) {
            reports.add(Examples.report("net", "SoC " + i, "soc" + i, Examples.everyVerdict()));
        }
        open(reports, "#view=devices");
        assertThat(count("#view-matrix thead th")).isEqualTo(140);
        browser.evaluate("document.querySelector('#view-matrix .scroll').scrollLeft = 3000");
        assertThat(leftOf("#view-matrix tbody th")).isEqualTo(leftOf("#view-matrix .scroll") + 1);
        browser.click("#exchange");
        browser.evaluate("document.querySelector('#view-matrix .scroll').scrollTop = 3000");
        assertThat(browser.evaluate("String(document.querySelector('#view-matrix .scroll').scrollTop > 2000)"))
                .isEqualTo("true");
        assertThat(browser.evaluate("String(document.querySelector('#view-matrix thead th').getBoundingClientRect().top"
                        + " - document.querySelector('#view-matrix .scroll').getBoundingClientRect().top)"))
                .isEqualTo("1");
    }

    private static double leftOf(String selector) {
        return Double.parseDouble(
                browser.evaluate("String(document.querySelector('" + selector + "').getBoundingClientRect().left)"));
    }

    @Test
    void partsOfOtherNodesCountNowhere() throws IOException {
        open(Examples.oneNodeOrTwo());
        assertThat(text(".big")).isEqualTo("1 of 1");
        browser.click("#tab-matrix");
        assertThat(text("#view-matrix table").replaceAll("\\s+", " "))
                .contains("Conv2d 1/1 D 1/1 D", "Relu – 1/1 D", "All nodes 1/1 D 2/2 D");
    }
}
