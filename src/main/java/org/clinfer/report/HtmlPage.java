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
 * A page that needs nothing else, neither files nor a network: a template with the style, the script and the data in it. Its
 * security policy allows this style and this script by their hashes, and nothing else.
 *
 * @param home the class beside which the parts are
 * @param template the page with the places {@code @@policy@@}, {@code @@style@@}, {@code @@script@@} and {@code @@data@@}
 * @param style its style
 * @param scripts its scripts in this order: the last one starts what the others define
 */
public record HtmlPage(Class<?> home, String template, String style, List<String> scripts) {

    private static final JsonMapper MAPPER = JsonMapper.builder(
                    JsonFactory.builder().characterEscapes(new InScript()).build())
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();
    private static final Pattern PLACE = Pattern.compile("@@([a-z]+)@@");

    public HtmlPage {
        scripts = List.copyOf(scripts);
    }

    /** Writes the page with this data, which becomes JSON. */
    public void write(Object data, Writer to) throws IOException {
        String css = resource(style);
        String script = scripts.stream().map(this::resource).collect(Collectors.joining("\n"));
        String policy = "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(css)
                + "'; base-uri 'none'; form-action 'none'";
        Map<String, String> parts = Map.of("policy", policy, "style", css, "script", script);
        String text = resource(template).stripTrailing();
        Matcher place = PLACE.matcher(text);
        int written = 0;
        while (place.find()) {
            to.append(text, written, place.start());
            if (place.group(1).equals("data")) {
                JsonReport.write(MAPPER, data, to);
            } else {
                to.write(Objects.requireNonNull(parts.get(place.group(1)), () -> "no such part: " + place.group()));
            }
            written = place.end();
        }
        to.append(text, written, text.length());
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

    private String resource(String name) {
        try (InputStream stream = home.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(stream, () -> name + " is missing").readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
