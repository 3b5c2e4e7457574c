package org.clinfer.serve.rest;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.clinfer.errors.InputException;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.TlsIdentity;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.server.CompressionConfig;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A server of HTTP for a service. Connections that are idle for long are closed, and there is a most number of them; content has
 * to come in the time that a request may take. Thread-safe.
 */
public final class RestServer implements AutoCloseable {

    private static final int MOST_CONNECTIONS = 1024;
    private static final int MOST_THREADS = 64;
    private static final int LEAST_THREADS = 8;
    private static final int HEADER_BYTES = 16 * 1024;

    /** Read at once: tensors are large, and each read is a call of the system. */
    private static final int INPUT_BYTES = 64 * 1024;

    private static final int WAITING_CHANGES = 16;
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Server server;
    private final ServerConnector connector;
    private final ThreadPoolExecutor changes;
    private final ContentBudget budget;
    private final Duration closing;

    /** @param closing the time that requests in flight have when the server is closed */
    private RestServer(
            Server server,
            ServerConnector connector,
            ThreadPoolExecutor changes,
            ContentBudget budget,
            Duration closing) {
        this.server = server;
        this.connector = connector;
        this.changes = changes;
        this.budget = budget;
        this.closing = closing;
    }

    /**
     * Starts a server.
     *
     * @param service answers; not closed with the server
     * @param options where it listens
     * @param timeout the time in which the content of a request has to come, and that requests in flight have when it is closed
     * @param metrics the text of {@code /metrics}
     * @param status what the page shows, a value that JSON can be made of
     * @return the server, which listens
     * @throws InputException if it cannot listen there
     */
    public static RestServer start(
            InferenceService service,
            ListenOptions options,
            Duration timeout,
            Supplier<String> metrics,
            Supplier<Object> status) {
        return start(service, options, timeout, IDLE, metrics, status);
    }

    /** The same with another time after which a connection is closed on which nothing goes on. */
    static RestServer start(
            InferenceService service,
            ListenOptions options,
            Duration timeout,
            Duration idle,
            Supplier<String> metrics,
            Supplier<Object> status) {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, LEAST_THREADS);
        threads.setName("clinfer-rest");
        threads.setDaemon(true);
        Server server = new Server(threads);
        ServerConnector connector = connector(server, options, idle);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
        ThreadPoolExecutor changes = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING_CHANGES), work -> daemon(work));
        ContentBudget budget = ContentBudget.usual(options.maxRequestBytes());
        long seconds = Math.max(1, timeout.toSeconds());
        RestHandler handler = new RestHandler(service, options, seconds, budget, metrics, status, changes);
        server.setHandler(new GracefulHandler(new LingeringHandler(compressed(handler))));
        server.setErrorHandler((request, response, callback) -> {
            ErrorAnswer.answer(request, response, callback);
            return true;
        });
        server.setStopTimeout(timeout.toMillis());
        RestServer started = new RestServer(server, connector, changes, budget, timeout);
        try {
            server.start();
            return started;
        } catch (Exception failed) {
            started.close();
            throw new InputException("the server cannot listen at " + options.host() + ", port " + options.port() + ": "
                    + reason(failed));
        }
    }

    private static String reason(Exception failed) {
        Throwable cause = failed instanceof IOException && failed.getCause() != null ? failed.getCause() : failed;
        return String.valueOf(cause.getMessage());
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "clinfer-repository");
        thread.setDaemon(true);
        return thread;
    }

    private static ServerConnector connector(Server server, ListenOptions options, Duration idle) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setInputBufferSize(INPUT_BYTES);
        // names of models may have these characters; paths are decoded once, after they are split
        http.setUriCompliance(UriCompliance.DEFAULT.with(
                "CLINFER",
                UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS));
        http.setHeaderCacheCaseSensitive(true); // else a token that was right once is so in any case of letters
        ConnectionFactory plain = new HttpConnectionFactory(http);
        ServerConnector connector;
        if (options.tls().isPresent()) {
            SecureRequestCustomizer secure = new SecureRequestCustomizer();
            secure.setSniHostCheck(false);
            http.addCustomizer(secure);
            connector = new ServerConnector(
                    server, new SslConnectionFactory(tls(options.tls().get()), plain.getProtocol()), plain);
        } else {
            connector = new ServerConnector(server, plain);
        }
        connector.setHost(options.host());
        connector.setPort(options.port());
        connector.setIdleTimeout(idle.toMillis());
        return connector;
    }

    private static SslContextFactory.Server tls(TlsIdentity identity) {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(identity.keyStore());
        tls.setKeyStorePassword(identity.password());
        return tls;
    }

    /** Answers are in gzip where the client asks for it; content in gzip is unpacked by what reads it. */
    private static Handler compressed(Handler handler) {
        CompressionHandler compression = new CompressionHandler(handler);
        compression.putCompression(new GzipCompression());
        compression.putConfiguration(
                "/*",
                CompressionConfig.builder()
                        .compressIncludeMethod("GET")
                        .compressIncludeMethod("POST")
                        .decompressExcludeEncoding("gzip")
                        .build());
        return compression;
    }

    /** The port that it listens at. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Bytes that the content of requests takes now. */
    long contentBytes() {
        return budget.taken();
    }

    /** Takes no more connections, waits for requests in flight, and closes those there are. */
    @Override
    public void close() {
        try {
            server.stop();
            changes.shutdown();
            if (!changes.awaitTermination(closing.toMillis(), TimeUnit.MILLISECONDS)) {
                changes.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException("the server does not stop", e);
        }
    }
}
