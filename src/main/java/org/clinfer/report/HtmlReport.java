package org.clinfer.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonpCharacterEscapes;
import tools.jackson.databind.json.JsonMapper;

/**
 * One page that needs nothing else, neither files nor a network: {@code page.html} with the style, the script and the
 * data in it. Its security policy allows this style and this script by their hashes, and nothing else.
 */
final class HtmlReport implements ReportWriter {

    private static final JsonMapper MAPPER = JsonMapper.builder(
                    JsonFactory.builder().characterEscapes(new InScript()).build())
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();
    /** In this order: the last one starts what the others define. */
    private static final List<String> SCRIPTS = List.of(
            "page.js", "drawing.js", "heat.js", "details.js", "picture.js", "print.js", "address.js", "start.js");

    private static final Pattern PLACE = Pattern.compile("@@([a-z]+)@@");

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        String style = resource("page.css");
        String script = SCRIPTS.stream().map(HtmlReport::resource).collect(Collectors.joining("\n"));
        String policy = "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style)
                + "'; base-uri 'none'; form-action 'none'";
        Map<String, String> parts = Map.of("policy", policy, "style", style, "script", script);
        String template = resource("page.html").stripTrailing();
        Matcher place = PLACE.matcher(template);
        int written = 0;
        while (place.find()) {
            to.append(template, written, place.start());
            if (place.group(1).equals("data")) {
                MAPPER.writeValue(to, PageData.of(subjects, options));
            } else {
                to.write(Objects.requireNonNull(parts.get(place.group(1)), () -> "no such part: " + place.group()));
            }
            written = place.end();
        }
        to.append(template, written, template.length());
    }

    /** Escapes with which JSON ends no element that it stands in, and is a JavaScript expression as well. */
    private static final class InScript extends JsonpCharacterEscapes {

        private static final long serialVersionUID = 1;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] escapes = super.getEscapeCodesForAscii().clone();
            for (char each : new char[] {'<', '>', '&'}) {
                escapes[each] = ESCAPE_STANDARD;
            }
            return escapes;
        }
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
