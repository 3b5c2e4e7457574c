package org.clinfer.serve.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Objects;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The page at {@code /}: one document that draws what {@code status.json} says, and asks nobody else. */
final class StatusPage {

    private static final StatusPage PAGE = new StatusPage();

    private final byte[] html;
    private final String policy;

    private StatusPage() {
        String style = resource("status.css");
        String script = resource("status.js");
        this.html = resource("status.html")
                .replace("/*status.css*/", style)
                .replace("/*status.js*/", script)
                .getBytes(StandardCharsets.UTF_8);
        this.policy = "default-src 'none'; connect-src 'self'; script-src " + source(script) + "; style-src "
                + source(style) + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    private static String resource(String name) {
        try (InputStream in = StatusPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text that the page may have, for its content security policy. */
    private static String source(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    static void answer(Response response, Callback callback) {
        response.getHeaders().put("Content-Security-Policy", PAGE.policy);
        response.getHeaders().put("Referrer-Policy", "no-referrer");
        Answer.text(response, callback, 200, "text/html; charset=utf-8", ByteBuffer.wrap(PAGE.html));
    }
}
