package org.clinfer.serve.rest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.clinfer.DeviceChoice;
import org.clinfer.EngineOptions;
import org.clinfer.serve.AccessToken;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.RepositoryService;
import org.clinfer.serve.RunGate;
import org.clinfer.serve.ServiceOptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A repository behind a server of HTTP, with a client. */
final class Served implements AutoCloseable {

    static final JsonMapper MAPPER = new JsonMapper();
    static final int MOST_BYTES = 1 << 16;

    private final RunGate gate;
    private final RepositoryService service;
    private final RestServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Served(RunGate gate, RepositoryService service, RestServer server) {
        this.gate = gate;
        this.service = service;
        this.server = server;
    }

    /** One run at a time, on the CPU, and one place in the queue. */
    static Served of(Path repository) {
        return of(repository, Duration.ofSeconds(30), Optional.empty());
    }

    static Served of(Path repository, Duration timeout, Optional<AccessToken> token) {
        return of(repository, timeout, Duration.ofSeconds(30), MOST_BYTES, token);
    }

    static Served of(Path repository, Duration timeout, Duration idle, long mostBytes, Optional<AccessToken> token) {
        RunGate gate = new RunGate();
        EngineOptions engine = EngineOptions.defaults()
                .withDevice(new DeviceChoice.Cpu())
                .withThreads(1)
                .withTrace(gate);
        ServiceOptions options =
                new ServiceOptions(engine, 1, Duration.ZERO, OptionalInt.of(1), 1, timeout, Duration.ofSeconds(30));
        RepositoryService service = RepositoryService.open(repository, options, "1.0");
        service.loadAll();
        ListenOptions listen = new ListenOptions("localhost", 0, mostBytes, token, Optional.empty());
        RestServer server =
                RestServer.start(service, listen, timeout, idle, service.metrics()::scrape, service::status);
        return new Served(gate, service, server);
    }

    RunGate gate() {
        return gate;
    }

    RepositoryService service() {
        return service;
    }

    RestServer server() {
        return server;
    }

    URI uri(String path) {
        return URI.create("http://localhost:" + server.port() + path);
    }

    HttpClient client() {
        return client;
    }

    HttpResponse<byte[]> get(String path, String... headers) {
        return send(builder(path, headers).GET().build());
    }

    HttpResponse<byte[]> post(String path, byte[] content, String... headers) {
        return send(builder(path, headers)
                .POST(HttpRequest.BodyPublishers.ofByteArray(content))
                .build());
    }

    HttpResponse<byte[]> post(String path, String content, String... headers) {
        return post(path, content.getBytes(StandardCharsets.UTF_8), headers);
    }

    HttpRequest.Builder builder(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
        return headers.length == 0 ? builder : builder.headers(headers);
    }

    HttpResponse<byte[]> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static JsonNode json(HttpResponse<byte[]> response) {
        return MAPPER.readTree(response.body());
    }

    /** A connection on which a test writes what it wants. */
    Socket socket() throws IOException {
        Socket socket = new Socket("localhost", server.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    static String input(String data) {
        return "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"data\": " + data + "}]}";
    }

    static String error(HttpResponse<byte[]> response) {
        return error(new String(response.body(), StandardCharsets.UTF_8));
    }

    /** How many fields there are, and the sentence. */
    static String error(String content) {
        Map<?, ?> json = MAPPER.readValue(content, Map.class);
        return json.size() + ": " + json.get("error");
    }

    @Override
    public void close() {
        gate.open();
        server.close();
        service.close();
    }
}
