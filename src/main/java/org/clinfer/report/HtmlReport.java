package org.clinfer.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * One page that needs nothing else, neither files nor a network: {@code page.html} with the style, the script and the
 * data in it. Its security policy allows this style and this script by their hashes, and nothing else.
 */
final class HtmlReport implements ReportWriter {

    private static final JsonMapper MAPPER = new JsonMapper();
    /** In this order: the last one starts what the others define. */
    private static final List<String> SCRIPTS = List.of("page.js", "drawing.js", "details.js", "start.js");

    private static final Pattern PLACE = Pattern.compile("@@([a-z]+)@@");

    @Override
    public String write(List<Subject> subjects, ReportOptions options) {
        String style = resource("page.css");
        String script = SCRIPTS.stream().map(HtmlReport::resource).collect(Collectors.joining("\n"));
        String policy = "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style)
                + "'; base-uri 'none'; form-action 'none'";
        Map<String, String> parts = Map.of(
                "policy", policy, "style", style, "script", script, "data", data(PageData.of(subjects, options)));
        return filled(resource("page.html"), parts);
    }

    /** JSON in which nothing ends the element that it stands in, and which is a JavaScript expression as well. */
    private static String data(Map<String, Object> data) {
        return MAPPER.writeValueAsString(data)
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private static String filled(String template, Map<String, String> parts) {
        Matcher place = PLACE.matcher(template);
        return place.replaceAll(found -> Matcher.quoteReplacement(
                Objects.requireNonNull(parts.get(found.group(1)), () -> "no such part: " + found.group())));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static String resource(String name) {
        try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(stream, () -> name + " is missing").readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
