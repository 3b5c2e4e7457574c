package org.clinfer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.check.CheckReport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page as a file: what is in it, and what cannot be. */
class HtmlReportTest {

    private static final Pattern TAG = Pattern.compile("<[!/a-zA-Z]");

    private static String page(List<CheckReport> reports) {
        return ReportFormat.HTML.write(reports, ReportOptions.defaults());
    }

    private static String between(String page, String start, String end) {
        int from = page.indexOf(start);
        assertThat(from).as(start).isNotNegative();
        return page.substring(from + start.length(), page.indexOf(end, from + start.length()));
    }

    @Test
    void namesBecomeNoTags() {
        String plain = page(Examples.twoDevices());
        String hostile = page(Examples.hostile());
        assertThat(TAG.matcher(hostile).results().count())
                .isEqualTo(TAG.matcher(plain).results().count());
        assertThat(hostile).doesNotContain("<img", "\u2028", "\u2029", "onerror=alert(1)>");
        JsonNode data = new JsonMapper().readTree(between(hostile, "id=\"data\">", "</script>"));
        for (int i = 0; i < Examples.HOSTILE.size(); i++) {
            assertThat(data.at("/models/0/nodes/" + i + "/name").asString()).isEqualTo(Examples.HOSTILE.get(i));
        }
    }

    @Test
    void thePolicyAllowsItsOwnStyleAndScriptAlone() throws Exception {
        String page = page(Examples.twoDevices());
        String policy = between(page, "Content-Security-Policy\" content=\"", "\"");
        assertThat(policy).startsWith("default-src 'none'; ").doesNotContain("unsafe", "http", "*", "data:");
        assertThat(policy).contains("script-src '" + hash(between(page, "<script>", "</script>")) + "'");
        assertThat(policy).contains("style-src '" + hash(between(page, "<style>", "</style>")) + "'");
    }

    private static String hash(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }

    @Test
    void nothingIsFetched() {
        String page = page(Examples.twoDevices());
        assertThat(page)
                .doesNotContain(" src=", "@import", "url(", "fetch(", "innerHTML", "outerHTML", "document.write");
        Matcher links = Pattern.compile("https?://[^'\"\\s]+").matcher(page);
        assertThat(links.results().map(found -> found.group())).containsOnly("http://www.w3.org/2000/svg");
    }

    @Test
    void aModelOfSeveralDevicesIsThereOnce() {
        JsonNode data = new JsonMapper().readTree(between(page(Examples.twoDevices()), "id=\"data\">", "</script>"));
        assertThat(data.get("models")).hasSize(1);
        assertThat(data.get("reports")).hasSize(2);
        assertThat(data.at("/reports/0/verdicts").asString()).isEqualTo("DFFU?I");
        assertThat(data.at("/reports/1/verdicts").asString()).isEqualTo("DDDU?I");
        assertThat(data.get("findings")).as("alike findings are there once").hasSize(5);
    }
}
