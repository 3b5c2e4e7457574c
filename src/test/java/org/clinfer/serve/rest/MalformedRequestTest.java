package org.clinfer.serve.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that nobody should send: each is refused as the client's mistake, and costs no memory that stays. */
@Timeout(120)
class MalformedRequestTest extends ScaledModelTests {

    private static final long SEED = Long.getLong("seed", 1);
    private static final int REQUESTS = 10_000;
    private static final int CHANGED = 1_000;
    private static final int LINES = 200;
    private static final long MOST_MEMORY = 32 << 20;

    private static long memory() {
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return direct + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void stillServes() {
        assertThat(served().post(INFER, Served.input("[1, 2]")).statusCode()).isEqualTo(200);
    }

    @Test
    void everyOneIsTheClientsMistake() throws IOException {
        Random random = new Random(SEED);
        stillServes();
        long before = memory();
        try (RawClient client = new RawClient(served())) {
            for (int i = 0; i < REQUESTS; i++) {
                MalformedRequest request = MalformedRequest.of(random);
                RawClient.Answered answer = client.post(
                        request.path(), request.content().getBytes(StandardCharsets.ISO_8859_1), request.headers());
                assertThat(answer.status())
                        .as("number %d of seed %d: %s", i, SEED, request)
                        .isBetween(400, 499);
                assertThat(Served.error(answer.content())).startsWith("1: ").hasSizeLessThan(2100);
            }
        }
        while (served().server().contentBytes() > 0) {
            Thread.onSpinWait(); // the last answer may be read before its request is over
        }
        assertThat(memory() - before).isLessThan(MOST_MEMORY);
        stillServes();
    }

    @Test
    void aFewWrongBytesAreNoMistakeOfTheServer() throws IOException {
        Random random = new Random(SEED);
        try (RawClient client = new RawClient(served())) {
            for (int i = 0; i < CHANGED; i++) {
                byte[] content = MalformedRequest.changed(random);
                assertThat(client.post(INFER, content, List.of()).status())
                        .as("number %d of seed %d: %s", i, SEED, new String(content, StandardCharsets.ISO_8859_1))
                        .isBetween(200, 499);
            }
        }
        stillServes();
    }

    @Test
    void linesThatAreNotHttpAreRefused() throws IOException {
        Random random = new Random(SEED);
        String valid = "POST /v2/models/scaled/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
        for (int i = 0; i < LINES; i++) {
            byte[] bytes = valid.getBytes(StandardCharsets.ISO_8859_1);
            for (int j = random.nextInt(6); j >= 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            String first = first(bytes);
            assertThat(first).as("number %d of seed %d", i, SEED).matches("(HTTP/1.1 4[0-9]{2}|HTTP/1.1 505|)");
        }
        stillServes();
    }

    /** The beginning of the answer to bytes after which nothing comes; empty where the connection is closed at once. */
    private String first(byte[] bytes) throws IOException {
        try (Socket socket = served().socket()) {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
        } catch (SocketException closed) {
            return "";
        }
    }
}
