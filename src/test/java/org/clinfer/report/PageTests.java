package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The page of the capability report, in a browser without a network. */
@RequiresChromium
abstract class PageTests {

    @TempDir
    static Path pages;

    static Chromium browser;

    @BeforeAll
    static void start() throws IOException {
        browser = Chromium.start(Chromium.find().orElseThrow(), 1500, 950);
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    @AfterEach
    void nothingIsComplainedOf() {
        assertThat(browser.complaints()).isEmpty();
    }

    static void open(List<CheckReport> reports) throws IOException {
        open(reports, "");
    }

    /** In a file of its own: another fragment of the same one would not be another page. */
    static void open(List<CheckReport> reports, String fragment) throws IOException {
        Path page = Files.createTempFile(pages, "report", ".html");
        String html = ReportFormat.HTML.write(reports, ReportOptions.defaults());
        Files.write(page, html.getBytes(StandardCharsets.UTF_8));
        browser.open(page, fragment);
    }

    static String text(String selector) {
        return browser.evaluate("document.querySelector('" + selector + "').innerText");
    }

    static int count(String selector) {
        return Integer.parseInt(browser.evaluate("String(document.querySelectorAll('" + selector + "').length)"));
    }

    static List<String> listed() {
        return Stream.of(browser.evaluate("[...document.querySelectorAll('.option:not([hidden]) .name')]"
                                + ".map((each) => each.textContent).join('|')")
                        .split("\\|", -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    static String place() {
        return browser.evaluate("document.querySelector('#drawing > g').getAttribute('transform')");
    }
}
