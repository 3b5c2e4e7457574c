package org.clinfer.serve.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.ContentShare;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.ServedModels;
import org.clinfer.serve.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that need much memory, or for which there is none. */
@Timeout(60)
class RestMemoryTest {

    private static final String INFER = "/v2/models/scaled/infer";

    private static String numbers(int count) {
        return new Random(1).doubles(count).mapToObj(Double::toString).collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void aLargeRequestInGzipOfAnnouncedLengthIsAnswered(@TempDir Path repository) throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        int rows = 200_000;
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(Served.input(numbers(2 * rows))
                    .replace("[1, 2]", "[" + rows + ", 2]")
                    .getBytes(StandardCharsets.UTF_8));
        }
        Duration time = Duration.ofSeconds(30);
        try (Served served = Served.of(repository, time, time, 16 << 20, Optional.empty())) {
            assertThat(served.post(INFER, packed.toByteArray(), "Content-Encoding", "gzip")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void tensorsFromJsonAndAnswersCountAsContent() {
        ContentBudget budget = new ContentBudget(80_000);
        byte[] json = Served.input("[" + "0,".repeat(9_999) + "0]")
                .replace("[1, 2]", "[10000]")
                .replace("FP32", "FP64")
                .getBytes(StandardCharsets.UTF_8);
        Body body = new Body(ByteBuffer.wrap(json), ByteBuffer.allocate(0), new ContentShare(budget));
        InferRequestReader.Read read = InferRequestReader.read(body, "m", Optional.empty());
        assertThat(budget.taken()).isEqualTo(80_000);
        assertThatThrownBy(() -> InferRequestReader.read(body, "m", Optional.empty()))
                .isInstanceOf(ServiceException.class);
        InferenceResponse response =
                new InferenceResponse("m", "1", Optional.empty(), read.request().inputs());
        int text =
                InferResponseWriter.content(response, read, body.share()).json().remaining();
        assertThat(text).isGreaterThan(20_000);
        assertThat(budget.taken()).isGreaterThanOrEqualTo(2 * 80_000 + text);
    }

    /** A service of which every method fails because there is no memory. */
    private static InferenceService withoutMemory() {
        return (InferenceService) Proxy.newProxyInstance(
                InferenceService.class.getClassLoader(),
                new Class<?>[] {InferenceService.class},
                (proxy, method, arguments) -> {
                    throw new OutOfMemoryError("for a test");
                });
    }

    @Test
    void memoryThatEndsWhileContentIsReadIsUnavailable() throws Exception {
        ListenOptions listen = new ListenOptions("localhost", 0, 1 << 16, Optional.empty(), Optional.empty());
        Duration time = Duration.ofSeconds(30);
        try (RestServer server = RestServer.start(withoutMemory(), listen, time, () -> "", () -> "");
                Socket socket = new Socket("localhost", server.port())) {
            socket.setSoTimeout(10_000);
            String content = Served.input("[1, 2]");
            String head = "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + content.length()
                    + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            Thread.sleep(100); // so that the content is read by another thread than that of the request
            socket.getOutputStream().write(content.getBytes(StandardCharsets.ISO_8859_1));
            byte[] status = socket.getInputStream().readNBytes(12);
            assertThat(new String(status, StandardCharsets.ISO_8859_1)).isEqualTo("HTTP/1.1 503");
            while (server.contentBytes() > 0) {
                Thread.sleep(1);
            }
        }
    }
}
