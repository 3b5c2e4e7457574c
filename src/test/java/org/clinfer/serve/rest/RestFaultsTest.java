package org.clinfer.serve.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.clinfer.serve.AccessToken;
import org.clinfer.serve.ServedModels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are slow, impatient, many or gone, and a server that ends. */
@Timeout(60)
class RestFaultsTest {

    private static final String INFER = "/v2/models/scaled/infer";

    /** Bytes, more than the buffers of a connection. */
    private static final int LARGE = 16 << 20;

    @TempDir
    private Path repository;

    @SuppressWarnings("NullAway.Init") // each test opens its own
    private Served served;

    @BeforeEach
    void write() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
    }

    @AfterEach
    void close() {
        served.close();
    }

    private CompletableFuture<HttpResponse<byte[]>> later(String content) {
        return CompletableFuture.supplyAsync(() -> served.post(INFER, content));
    }

    private static String request(String content) {
        return "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + content.length() + "\r\n\r\n"
                + content;
    }

    private static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** All that the server says until it closes the connection. */
    private static String rest(Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        in.transferTo(all);
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    /** Waits for what another thread is to do. */
    private static void until(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aFullQueueIsTooManyRequests() {
        served = Served.of(repository);
        served.gate().shut();
        CompletableFuture<HttpResponse<byte[]>> running = later(Served.input("[1, 2]"));
        served.gate().await(1);
        CompletableFuture<HttpResponse<byte[]>> waiting = later(Served.input("[1, 2]"));
        until(() -> served.service().status().models().get(0).waiting() == 1);
        HttpResponse<byte[]> refused = served.post(INFER, Served.input("[1, 2]"));
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(Served.error(refused)).isEqualTo("1: model 'scaled': the pool is full: 1 requests wait for a run");
        served.gate().open();
        assertThat(running.join().statusCode()).isEqualTo(200);
        assertThat(waiting.join().statusCode()).isEqualTo(200);
    }

    @Test
    void aDeadlineIsATimeout() {
        served = Served.of(repository);
        served.gate().shut();
        String hurried = "{\"parameters\": {\"timeout\": 20000}, "
                + Served.input("[1, 2]").substring(1);
        HttpResponse<byte[]> late = served.post(INFER, hurried);
        assertThat(late.statusCode()).isEqualTo(504);
        assertThat(Served.error(late)).contains("deadline of 20 ms");
    }

    @Test
    void aClientThatGoesAwayIsGivenUp() throws IOException {
        served = Served.of(repository);
        served.gate().shut();
        try (Socket socket = served.socket()) {
            send(socket, request(Served.input("[1, 2]")));
            served.gate().await(1);
        }
        until(() -> served.service().status().models().get(0).running() == 0);
        served.gate().open();
        String metrics = new String(served.get("/metrics").body(), StandardCharsets.UTF_8);
        assertThat(metrics).contains("outcome=\"cancelled\",version=\"1\"} 1.0");
        assertThat(served.post(INFER, Served.input("[1, 2]")).statusCode()).isEqualTo(200);
    }

    @Test
    void aClientThatSendsItsNextRequestEarlyGetsItsAnswer() throws IOException {
        served = Served.of(repository);
        served.gate().shut();
        try (Socket socket = served.socket()) {
            send(socket, request(Served.input("[1, 2]")));
            served.gate().await(1);
            send(socket, request(Served.input("[3, 4]")));
            served.gate().open();
            socket.shutdownOutput();
            assertThat(rest(socket)).startsWith("HTTP/1.1 200").contains("[2.0,4.0]");
        }
    }

    @Test
    void aConnectionServesManyRequestsWhetherTheyAreFastOrSlow() {
        served = Served.of(repository);
        for (int i = 0; i < 3; i++) {
            served.gate().shut();
            CompletableFuture<HttpResponse<byte[]>> slow = later(Served.input("[1, 2]"));
            served.gate().await(1);
            String hurried = "{\"parameters\": {\"timeout\": 150000}, "
                    + Served.input("[1, 2]").substring(1);
            assertThat(served.post(INFER, hurried).statusCode()).isEqualTo(504); // longer than the watch takes to begin
            served.gate().open();
            assertThat(slow.join().statusCode()).isEqualTo(200);
            assertThat(served.post(INFER, Served.input("[1, 2]")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aHalfClosedClientWithoutAllOfItsContentIsRefused() throws IOException {
        served = Served.of(repository);
        try (Socket socket = served.socket()) {
            send(socket, "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"inputs\"");
            socket.shutdownOutput();
            assertThat(rest(socket)).startsWith("HTTP/1.1 400");
        }
        try (Socket socket = served.socket()) {
            send(socket, "GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
            socket.shutdownOutput();
            assertThat(rest(socket)).startsWith("HTTP/1.1 200").endsWith("{\"live\":true}");
        }
    }

    @Test
    void contentThatDoesNotComeInTimeIsGivenUp() throws IOException {
        served = Served.of(repository, Duration.ofSeconds(1), Optional.empty());
        try (Socket socket = served.socket()) {
            send(socket, "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
            assertThat(rest(socket)).startsWith("HTTP/1.1 408").contains("did not come in time");
        }
    }

    @Test
    void aClientThatDoesNotReadItsAnswerIsGivenUp() throws IOException {
        int rows = 1 << 21; // 16 MiB, more than the buffers of a connection
        Duration idle = Duration.ofSeconds(1);
        served = Served.of(repository, Duration.ofSeconds(30), idle, 32 << 20, Optional.empty());
        String json = "{\"inputs\": [{\"name\": \"x\", \"shape\": [" + rows + ", 2], \"datatype\": \"FP32\","
                + " \"parameters\": {\"binary_data_size\": " + 8L * rows
                + "}}], \"parameters\": {\"binary_data_output\": true}}";
        try (Socket socket = served.socket()) {
            send(
                    socket,
                    "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + (json.length() + 8L * rows)
                            + "\r\n" + BodyReader.JSON_LENGTH + ": " + json.length() + "\r\n\r\n" + json);
            socket.getOutputStream().write(new byte[8 * rows]);
            until(() -> served.service().status().models().get(0).requests() == 1);
            assertThat(served.server().contentBytes()).isPositive();
            until(() -> served.server().contentBytes() == 0);
        }
    }

    @Test
    void contentIsLimitedAlsoWhereItIsNotAnnounced() throws IOException {
        served = Served.of(repository);
        try (Socket socket = served.socket()) {
            send(socket, "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
            String chunk = "1000\r\n" + " ".repeat(0x1000) + "\r\n";
            for (int i = 0; i < 17; i++) {
                send(socket, chunk);
            }
            byte[] status = socket.getInputStream().readNBytes(12);
            assertThat(new String(status, StandardCharsets.ISO_8859_1)).isEqualTo("HTTP/1.1 413");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {INFER, "/v2/nothing", "/v2"})
    void aClientThatSendsALotIsToldWhyItIsRefused(String path) throws IOException {
        served = Served.of(repository);
        String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + LARGE + "\r\n\r\n";
        for (int i = 0; i < 20; i++) {
            try (Socket socket = served.socket()) {
                send(socket, head);
                socket.getOutputStream().write(new byte[LARGE]);
                socket.shutdownOutput();
                assertThat(rest(socket)).startsWith("HTTP/1.1 4").endsWith("\"}");
            }
        }
    }

    @Test
    void aClientThatWaitsForLeaveToSendIsAnsweredAtOnce() throws IOException {
        served = Served.of(repository);
        try (Socket socket = served.socket()) {
            send(
                    socket,
                    "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: " + LARGE
                            + "\r\n\r\n");
            assertThat(rest(socket)).startsWith("HTTP/1.1 413").endsWith("\"}");
        }
    }

    @Test
    void aTokenIsAskedForWhereThereIsOne() {
        served = Served.of(repository, Duration.ofSeconds(30), Optional.of(new AccessToken("secret")));
        assertThat(served.get("/v2/health/live").statusCode()).isEqualTo(200);
        for (String path : List.of("/", "/metrics", "/v2", "/v2/models/scaled", "/status.json")) {
            assertThat(served.get(path).statusCode()).as(path).isEqualTo(401);
            assertThat(served.get(path, "Authorization", "Bearer secret").statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(served.get("/", "Authorization", "Basic OnNlY3JldA==").statusCode())
                .isEqualTo(200);
        for (String wrong : List.of("Bearer Secret", "Bearer", "secret", "Basic OnNlY3JldHM=", "Basic !")) {
            HttpResponse<byte[]> refused = served.post(INFER, Served.input("[1, 2]"), "Authorization", wrong);
            assertThat(refused.statusCode()).as(wrong).isEqualTo(401);
            assertThat(Served.error(refused))
                    .endsWith("the request has another")
                    .doesNotContain("secret");
        }
        assertThat(Served.error(served.post(INFER, Served.input("[1, 2]")))).endsWith("the request has none");
        assertThat(served.post(INFER, Served.input("[1, 2]"), "Authorization", "Bearer secret")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void pagesOfOtherSitesAreRefused() {
        served = Served.of(repository);
        String unload = "/v2/repository/models/scaled/unload";
        String own = "http://localhost:" + served.server().port();
        for (String[] other : List.of(
                new String[] {"Sec-Fetch-Site", "cross-site"},
                new String[] {"Sec-Fetch-Site", "same-site", "Origin", own},
                new String[] {"Origin", "http://evil.example"},
                new String[] {"Origin", "null"})) {
            HttpResponse<byte[]> refused = served.post(unload, "", other);
            assertThat(refused.statusCode()).as(List.of(other).toString()).isEqualTo(403);
            assertThat(Served.error(refused)).contains("other sites");
        }
        assertThat(served.post(INFER, Served.input("[1, 2]"), "Origin", own).statusCode())
                .isEqualTo(200);
        assertThat(served.post(unload, "", "Sec-Fetch-Site", "same-origin", "Origin", "http://proxy")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aConnectionThatIsClosedAfterAnErrorSaysSo() throws IOException {
        served = Served.of(repository);
        for (String line : List.of("GET /%00 HTTP/1.1", "GET /%zz HTTP/1.1", "GET / HTTP/3.9")) {
            try (Socket socket = served.socket()) {
                send(socket, line + "\r\nHost: localhost\r\n\r\n");
                socket.shutdownOutput();
                assertThat(rest(socket)).as(line).containsIgnoringCase("\r\nConnection: close\r\n");
            }
        }
    }

    @Test
    void reloadsUnderLoadLoseNoRequest() {
        served = Served.of(repository);
        CompletableFuture<Void> reloads = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 10; i++) {
                assertThat(served.post("/v2/repository/models/scaled/load", "").statusCode())
                        .isEqualTo(200);
            }
        });
        int answered = 0;
        while (!reloads.isDone() || answered < 50) {
            assertThat(served.post(INFER, Served.input("[1, 2]")).statusCode()).isEqualTo(200);
            answered++;
        }
        reloads.join();
    }

    @Test
    void aServerThatEndsAnswersWhatItHasTaken() {
        served = Served.of(repository);
        served.gate().shut();
        List<CompletableFuture<HttpResponse<byte[]>>> taken = new ArrayList<>();
        taken.add(later(Served.input("[1, 2]")));
        served.gate().await(1);
        served.service().drain();
        assertThat(served.get("/v2/health/ready").statusCode()).isEqualTo(503);
        assertThat(served.get("/v2/health/live").statusCode()).isEqualTo(200);
        HttpResponse<byte[]> refused = served.post(INFER, Served.input("[1, 2]"));
        assertThat(refused.statusCode()).isEqualTo(503);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(served.server()::close);
        served.gate().open();
        assertThat(taken.get(0).join().statusCode()).isEqualTo(200);
        closing.join();
    }
}
