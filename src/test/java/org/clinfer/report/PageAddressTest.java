package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Links to what the page shows. */
class PageAddressTest extends PageTests {

    @Test
    void aLinkLeadsToANodeOfAReportWithItsFilters() throws IOException {
        open(Examples.twoDevices(), "#report=soc2&node=conv3&hide=unknown,invalid&operator=Conv2d&find=CONV");
        assertThat(browser.evaluate("document.getElementById('report').value")).isEqualTo("1");
        assertThat(text("#details .head .name")).isEqualTo("conv3");
        assertThat(text("#details")).contains("on-device");
        assertThat(listed()).containsExactly("conv1", "conv2", "conv3");
        assertThat(count("#verdicts [aria-pressed=false]")).isEqualTo(2);
        assertThat(browser.evaluate("document.getElementById('operator').value"))
                .isEqualTo("Conv2d");
        open(Examples.twoDevices(), "#report=soc1&view=devices&rows=devices");
        assertThat(browser.evaluate("String(document.getElementById('view-matrix').hidden)"))
                .isEqualTo("false");
        assertThat(text("#view-matrix thead")).contains("Conv2d");
        open(Examples.twoDevices(), "#node=gone");
        assertThat(text("#said")).isEqualTo("There is no node gone in this network.");
    }

    @Test
    void anyNodeHasALink() throws IOException {
        open(Examples.hostile());
        browser.click(".option:nth-child(2)");
        String link = browser.evaluate("location.hash");
        open(Examples.hostile(), link);
        assertThat(browser.evaluate("document.querySelector('#details .head .name').textContent"))
                .isEqualTo(Examples.HOSTILE.get(1));
    }

    @Test
    void theAddressFollowsAndBackGoesBack() throws IOException {
        open(Examples.twoDevices());
        browser.click("[data-node=\"1\"]");
        assertThat(browser.evaluate("location.hash")).isEqualTo("#report=soc1&node=conv2");
        browser.click("[data-node=\"2\"]");
        browser.click("#tab-matrix");
        browser.click("#view-matrix tbody tr:nth-child(1) td:nth-child(2) button");
        assertThat(browser.evaluate("location.hash")).isEqualTo("#report=soc2&node=conv3&operator=Conv2d");
        assertThat(listed()).containsExactly("conv1", "conv2", "conv3");
        browser.back();
        browser.back();
        browser.back();
        assertThat(browser.evaluate("location.hash")).isEqualTo("#report=soc1&node=conv2");
        assertThat(text("#details .head .name")).isEqualTo("conv2");
        assertThat(listed()).hasSize(6);
    }

    @Test
    void aLinkIsCopied() throws IOException {
        open(Examples.twoDevices());
        browser.clipboard();
        browser.click("[data-node=\"1\"]");
        browser.click("#copy-link");
        assertThat(text("#said")).isEqualTo("The link is copied.");
        assertThat(browser.evaluate("navigator.clipboard.readText()"))
                .startsWith("file:")
                .endsWith("#report=soc1&node=conv2");
    }
}
