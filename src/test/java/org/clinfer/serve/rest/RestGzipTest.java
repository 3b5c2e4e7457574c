package org.clinfer.serve.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests whose content is in gzip, whole or not. */
@Timeout(60)
class RestGzipTest extends ScaledModelTests {

    private static final String EARLY = "1: the content in gzip ends too early";
    private static final String DAMAGED = "1: the content is no gzip, or damaged";

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private HttpResponse<byte[]> post(byte[] packed) {
        return served().post(INFER, packed, "Content-Encoding", "gzip");
    }

    private void refused(byte[] packed, String sentence) {
        HttpResponse<byte[]> answer = post(packed);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Served.error(answer)).isEqualTo(sentence);
    }

    @Test
    void contentThatEndsAnywhereBeforeItsEndIsRefused() throws IOException {
        byte[] whole = packed(Served.input("[1, 2]"));
        for (int length = 1; length < whole.length; length++) {
            refused(Arrays.copyOf(whole, length), EARLY);
        }
    }

    @Test
    void contentOfWhichAByteOfTheTrailerIsWrongIsRefused() throws IOException {
        byte[] whole = packed(Served.input("[1, 2]"));
        for (int i = whole.length - 8; i < whole.length; i++) {
            byte[] wrong = whole.clone();
            wrong[i] ^= 4;
            refused(wrong, DAMAGED);
        }
    }

    @Test
    void contentOfSeveralPartsIsReadToItsEnd() throws IOException {
        byte[] first = packed("{");
        byte[] rest = packed(Served.input("[1, 2]").substring(1));
        assertThat(post(joined(first, rest)).statusCode()).isEqualTo(200);
        refused(joined(first, Arrays.copyOf(rest, rest.length - 1)), EARLY);
    }
}
