package org.clinfer.serve.grpc;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.errors.InputException;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ListenOptions;
import org.clinfer.tensor.Tensor;

/**
 * A server of the gRPC protocol, with health and reflection. The service itself stays the caller's, who closes it after the
 * server.
 *
 * <p>Clients that are slow or gone: one that does not answer a ping within 20 seconds is disconnected, as is one without calls
 * for five minutes; a request must come within {@link GrpcOptions#receiving()}. Clients may ping every 10 seconds.
 * Thread-safe.
 */
public final class GrpcServer implements AutoCloseable {

    private static final int PING_SECONDS = 30;
    private static final int PING_ANSWER_SECONDS = 20;
    private static final int CLIENT_PING_SECONDS = 10;
    private static final int IDLE_MINUTES = 5;
    private static final int HANDSHAKE_SECONDS = 10;
    private static final int LOADS_WAITING = 64;
    private static final int HEALTH_SECONDS = 1;

    private final Server server;
    private final Health health;
    private final InferenceGrpc inference;
    private final CallLimits limits;
    private final Duration closing;
    private final ThreadPoolExecutor loads;
    private final ScheduledThreadPoolExecutor timer;

    private GrpcServer(InferenceService service, GrpcOptions options, ContentBudget budget) {
        loads = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(LOADS_WAITING), threads("grpc-load-"));
        loads.allowCoreThreadTimeOut(true);
        timer = new ScheduledThreadPoolExecutor(1, threads("grpc-timer-"));
        timer.setRemoveOnCancelPolicy(true);
        health = new Health(service);
        inference = new InferenceGrpc(service, loads);
        limits = new CallLimits(options.maxCalls(), options.receiving(), timer);
        closing = options.closing();
        ListenOptions listen = options.listen();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(listen.host(), listen.port()), credentials(listen))
                .directExecutor() // no method waits, and to wake another thread takes longer than most of them
                .addService(inference.definition())
                .addService(health)
                .addService(ProtoReflectionServiceV1.newInstance())
                .addService(ProtoReflectionService.newInstance())
                .addStreamTracerFactory(CallContent.factory(budget))
                .intercept(limits);
        listen.token().ifPresent(token -> builder.intercept(new TokenCheck(token)));
        server = limited(builder, options).build();
    }

    /**
     * Starts a server, which takes calls when this returns.
     *
     * @throws InputException if the address cannot be bound
     */
    public static GrpcServer start(InferenceService service, GrpcOptions options) {
        return start(service, options, ContentBudget.usual(options.listen().maxRequestBytes()));
    }

    /** The same with another bound of what the messages of all calls may hold. */
    static GrpcServer start(InferenceService service, GrpcOptions options, ContentBudget budget) {
        GrpcServer started = new GrpcServer(service, options, budget);
        try {
            started.server.start();
        } catch (IOException failed) {
            started.stopThreads();
            throw new InputException("gRPC cannot listen at " + options.listen().host() + ":"
                    + options.listen().port() + ": " + reason(failed));
        }
        var ignored = started.timer.scheduleWithFixedDelay(started.health::update, 0, HEALTH_SECONDS, TimeUnit.SECONDS);
        return started;
    }

    private static String reason(IOException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return String.valueOf(cause.getMessage());
    }

    private static NettyServerBuilder limited(NettyServerBuilder builder, GrpcOptions options) {
        return builder.maxInboundMessageSize((int) Math.min(options.listen().maxRequestBytes(), Tensor.MAX_BYTES))
                .maxConcurrentCallsPerConnection(options.maxCalls())
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_ANSWER_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(CLIENT_PING_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES);
    }

    private static ServerCredentials credentials(ListenOptions listen) {
        return listen.tls()
                .map(identity -> TlsServerCredentials.newBuilder()
                        .keyManager(identity.keyManagers().getKeyManagers())
                        .build())
                .orElseGet(InsecureServerCredentials::create);
    }

    /** {@return the port that the server listens at} */
    public int port() {
        return server.getPort();
    }

    /** Ends the server as {@link #close(Duration)} does, with the time of the options. */
    @Override
    public void close() {
        close(closing);
    }

    /**
     * Takes no more calls, lets those in progress end, and streams when their requests are answered, and cancels what is left of them after a time. Returns when none is
     * left.
     *
     * @param time for calls in progress
     */
    public void close(Duration time) {
        health.drain();
        server.shutdown();
        limits.drain();
        inference.drain();
        try {
            if (!server.awaitTermination(time.toNanos(), TimeUnit.NANOSECONDS)) {
                server.shutdownNow().awaitTermination();
            }
        } catch (InterruptedException interrupted) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            stopThreads();
        }
    }

    private void stopThreads() {
        timer.shutdownNow();
        loads.shutdown();
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = Executors.defaultThreadFactory().newThread(task);
            thread.setName(name + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
