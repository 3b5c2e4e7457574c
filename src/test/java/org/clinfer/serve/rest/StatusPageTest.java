package org.clinfer.serve.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.report.Chromium;
import org.clinfer.report.RequiresChromium;
import org.clinfer.serve.ServedModels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a server, in a browser. */
@Timeout(120)
class StatusPageTest {

    /** A name that would be a script if it were not text. */
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    @TempDir
    private Path repository;

    @RequiresChromium
    @Test
    void drawsModelsLoadAndLatency() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        ServedModels.write(repository.resolve(HOSTILE).resolve("model.json"), 2, 2);
        Files.createDirectories(repository.resolve("broken"));
        try (Served served = Served.of(repository);
                Chromium browser = Chromium.start(Chromium.find().orElseThrow(), 1200, 800)) {
            for (int i = 0; i < 3; i++) {
                served.post("/v2/models/scaled/infer", Served.input("[1, 2]"));
            }
            served.post("/v2/models/scaled/infer", Served.input("[1, 2, 3]").replace("[1, 2]", "[1, 3]"));
            browser.open(served.uri("/"));
            browser.evaluate("new Promise((done) => { const look = () => document.querySelector('article')"
                    + " ? done('drawn') : requestAnimationFrame(look); look(); })");
            assertThat(browser.evaluate("document.getElementById('state').textContent"))
                    .isEqualTo("not ready");
            assertThat(headings(browser)).isEqualTo(HOSTILE + " · 1|broken|scaled · 1");
            assertThat(browser.evaluate("document.querySelectorAll('article')[2].innerText"))
                    .contains("ready", "3 succeeded, 1 failed", "half under", "1 on the CPU");
            assertThat(browser.evaluate("String(document.querySelectorAll('svg.load .ok, svg.load .failed').length)"))
                    .isIn("2", "3", "4"); // by where the intervals' bounds fall
            assertThat(browser.evaluate("String(document.images.length)")).isEqualTo("0");
            assertThat(browser.complaints()).isEmpty();
            if (System.getProperty("picture") != null) {
                Files.write(Path.of(System.getProperty("picture")), browser.screenshot());
            }
        }
    }

    private static String headings(Chromium browser) {
        return browser.evaluate("[...document.querySelectorAll('h2')].map((each) => each.textContent).join('|')");
    }

    @Test
    void isOneDocumentThatNamesNobodyElse() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        try (Served served = Served.of(repository)) {
            HttpResponse<byte[]> page = served.get("/");
            String html = new String(page.body(), StandardCharsets.UTF_8);
            assertThat(html)
                    .doesNotContain(" src=", "url(", "innerHTML", "https:")
                    .contains("<style>:root");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .startsWith("default-src 'none'; connect-src 'self'; script-src 'sha256-")
                    .doesNotContain("unsafe");
        }
    }
}
