package org.clinfer.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium with one page, spoken to in the DevTools protocol. */
public final class Chromium implements AutoCloseable {

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Process process;
    private final Path folder;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private volatile CompletableFuture<Void> loaded = new CompletableFuture<>();
    private String session = "";

    private Chromium(Process process, Path folder, URI address) {
        this.process = process;
        this.folder = folder;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, new Listener())
                .join();
    }

    /** The program, if there is one on the path. */
    public static Optional<Path> find() {
        String path = System.getenv().getOrDefault("PATH", "");
        return NAMES.stream()
                .flatMap(name -> Stream.of(path.split(":", -1)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it with an empty profile, and opens a window of this size. */
    public static Chromium start(Path program, int width, int height) throws IOException {
        Path folder = Files.createTempDirectory("chromium");
        ProcessBuilder builder = new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + folder,
                "about:blank");
        // What the virtual machine needs for OpenCL is not for other programs.
        builder.environment().remove("LD_PRELOAD");
        builder.environment().put("TMPDIR", folder.toString());
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        try {
            Chromium chromium = new Chromium(process, folder, address(process));
            chromium.openPage(width, height);
            return chromium;
        } catch (IOException | RuntimeException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private static URI address(Process process) throws IOException {
        BufferedReader errors =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        List<String> said = new ArrayList<>();
        for (String line = errors.readLine(); line != null; line = errors.readLine()) {
            said.add(line);
            if (line.startsWith("DevTools listening on ")) {
                Thread drain = new Thread(() -> errors.lines().forEach(ignored -> {}), "chromium");
                drain.setDaemon(true);
                drain.start();
                return URI.create(line.substring("DevTools listening on ".length()));
            }
        }
        throw new IOException("Chromium did not start: " + said);
    }

    private void openPage(int width, int height) {
        String target = call("Target.createTarget", Map.of("url", "about:blank"))
                .get("targetId")
                .asString();
        session = call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .asString();
        call("Runtime.enable", Map.of());
        call("Log.enable", Map.of());
        call("Page.enable", Map.of());
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /**
     * Opens a file and waits until it is drawn.
     *
     * @param fragment what stands behind the file's address, with its #; may be empty
     */
    void open(Path file, String fragment) {
        open(URI.create(file.toUri() + fragment));
    }

    /** Opens an address and waits until it is drawn. */
    public void open(URI address) {
        loaded = new CompletableFuture<>();
        call("Page.navigate", Map.of("url", address.toString()));
        get(loaded, "load");
        settle();
    }

    /** Waits for the next two frames. */
    void settle() {
        evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    }

    void dark(boolean isDark) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"))));
        settle();
    }

    /** The value of an expression, as text. */
    public String evaluate(String expression) {
        JsonNode answer =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(answer.get("exceptionDetails").toString());
        }
        return answer.at("/result/value").asString("");
    }

    /** A click in the middle of what a selector finds first. */
    void click(String selector) {
        String found = "document.querySelector(" + MAPPER.writeValueAsString(selector) + ").getBoundingClientRect()";
        double x = Double.parseDouble(evaluate("((at) => String(at.x + at.width / 2))(" + found + ")"));
        double y = Double.parseDouble(evaluate("((at) => String(at.y + at.height / 2))(" + found + ")"));
        for (String type : List.of("mousePressed", "mouseReleased")) {
            call("Input.dispatchMouseEvent", Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", 1));
        }
        settle();
    }

    void wheel(int x, int y, int pixels) {
        call("Input.dispatchMouseEvent", Map.of("type", "mouseWheel", "x", x, "y", y, "deltaX", 0, "deltaY", pixels));
        settle();
    }

    /** A key by its name, such as {@code ArrowDown}, or by its character. */
    void press(String key) {
        String text = key.length() == 1 ? key : key.equals("Enter") ? "\r" : "";
        Map<String, Object> event = Map.of(
                "type",
                text.isEmpty() ? "rawKeyDown" : "keyDown",
                "key",
                key,
                "text",
                text,
                "code",
                key,
                "windowsVirtualKeyCode",
                keyCode(key));
        call("Input.dispatchKeyEvent", event);
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", keyCode(key)));
        settle();
    }

    private static int keyCode(String key) {
        return switch (key) {
            case "Tab" -> 9;
            case "Enter" -> 13;
            case "Escape" -> 27;
            case "End" -> 35;
            case "Home" -> 36;
            case "ArrowLeft" -> 37;
            case "ArrowUp" -> 38;
            case "ArrowRight" -> 39;
            case "ArrowDown" -> 40;
            default -> 0;
        };
    }

    void type(String text) {
        call("Input.insertText", Map.of("text", text));
        settle();
    }

    /** Goes one step back, and waits until the page is drawn. */
    void back() {
        evaluate("new Promise((done) => { addEventListener('popstate', done, {once: true}); history.back(); })"
                + ".then(() => 'done')");
        settle();
    }

    /** The page on paper, as a PDF document. */
    byte[] pdf() {
        return Base64.getDecoder()
                .decode(call("Page.printToPDF", Map.of("printBackground", true))
                        .get("data")
                        .asString());
    }

    /** Lets what is saved go to a folder. */
    void downloads(Path to) {
        call("Browser.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", to.toString()));
    }

    /** Lets pages read and write the clipboard. */
    void clipboard() {
        call(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
    }

    public byte[] screenshot() {
        return Base64.getDecoder()
                .decode(call("Page.captureScreenshot", Map.of("format", "png"))
                        .get("data")
                        .asString());
    }

    /** Everything that the console showed and every exception that nobody caught, since the last time. */
    public List<String> complaints() {
        synchronized (complaints) {
            List<String> since = List.copyOf(complaints);
            complaints.clear();
            return since;
        }
    }

    private JsonNode call(String method, Map<String, Object> parameters) {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        Map<String, Object> message = session.isEmpty()
                ? Map.of("id", id, "method", method, "params", parameters)
                : Map.of("id", id, "method", method, "params", parameters, "sessionId", session);
        socket.sendText(MAPPER.writeValueAsString(message), true).join();
        JsonNode reply = get(answer, method);
        if (reply.has("error")) {
            throw new IllegalStateException(method + ": " + reply.get("error"));
        }
        return reply.get("result");
    }

    private static <T> T get(CompletableFuture<T> future, String what) {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(what, interrupted);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException(what, failed);
        }
    }

    private void received(JsonNode message) {
        if (message.has("id")) {
            Optional.ofNullable(waiting.remove(message.get("id").asInt())).ifPresent(call -> call.complete(message));
            return;
        }
        String method = message.path("method").asString("");
        if (method.equals("Page.loadEventFired")) {
            loaded.complete(null);
        }
        if (List.of("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
                .contains(method)) {
            complaints.add(message.toString());
        }
    }

    private final class Listener implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                received(MAPPER.readTree(text.toString()));
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(from, part, isLast);
        }
    }

    @Override
    public void close() {
        socket.sendText("{\"id\": 0, \"method\": \"Browser.close\"}", true).join();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            // Of its own files, of which some are links.
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            socket.abort();
        }
    }
}
