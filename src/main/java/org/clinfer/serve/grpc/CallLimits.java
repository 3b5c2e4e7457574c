package org.clinfer.serve.grpc;

import io.grpc.Context;
import io.grpc.ForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.clinfer.serve.ServiceError;

/**
 * Bounds on calls: how many there are at a time, and how long a client has to send the request of one. A call counts from its
 * headers, before memory is spent on its message, to the moment when the client has its answer or is gone. Health is told
 * however many there are: a server that has much to do is not ill. Where memory is short ({@link CallContent}) calls are
 * refused, those for health as well.
 */
final class CallLimits implements ServerInterceptor {

    private static final Status NO_MEMORY = Status.UNAVAILABLE.withDescription(CallContent.NO_MEMORY);

    /** The end of a stream because the server ends. */
    static final Status SHUTS_DOWN = Status.UNAVAILABLE.withDescription("the server shuts down");

    private static final String REFLECTION = "grpc.reflection.";

    private final Set<ClosedOnce<?, ?>> endless = ConcurrentHashMap.newKeySet();
    private volatile boolean drains;
    private final Semaphore places;
    private final int most;
    private final Duration receiving;
    private final ScheduledExecutorService timer;

    /** @param timer ends calls whose time has passed */
    CallLimits(int most, Duration receiving, ScheduledExecutorService timer) {
        this.places = new Semaphore(most);
        this.most = most;
        this.receiving = receiving;
        this.timer = timer;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        ClosedOnce<Q, R> limited = new ClosedOnce<>(call);
        CallContent.current().refuseBy(() -> limited.close(NO_MEMORY, new Metadata()));
        MethodDescriptor<Q, R> method = call.getMethodDescriptor();
        if (isEndless(method)) {
            endAtDrain(limited);
        }
        if (HealthGrpc.SERVICE_NAME.equals(method.getServiceName())) {
            return next.startCall(limited, headers);
        }
        if (!places.tryAcquire()) {
            Status busy = Statuses.of(ServiceError.BUSY, "the server has " + most + " calls in progress, its most")
                    .getStatus();
            call.close(busy, new Metadata());
            return new ServerCall.Listener<>() {};
        }
        boolean isUnary = method.getType().clientSendsOneMessage();
        Future<?> late = isUnary
                ? timer.schedule(() -> close(limited), receiving.toNanos(), TimeUnit.NANOSECONDS)
                : CompletableFuture.completedFuture(null);
        try {
            return new Counted<>(next.startCall(limited, headers), limited, late);
        } catch (RuntimeException failed) {
            late.cancel(false);
            places.release();
            throw failed;
        }
    }

    /** {@return true for streams that only their clients end, and that wait for nothing which the server works on} */
    private static boolean isEndless(MethodDescriptor<?, ?> method) {
        String service = String.valueOf(method.getServiceName());
        return method.getType() != MethodDescriptor.MethodType.UNARY
                && (service.equals(HealthGrpc.SERVICE_NAME) || service.startsWith(REFLECTION));
    }

    private void endAtDrain(ClosedOnce<?, ?> call) {
        endless.add(call);
        Context.current().addListener(ended -> endless.remove(call), Runnable::run);
        if (drains) {
            call.close(SHUTS_DOWN, new Metadata());
        }
    }

    /** Ends the streams, now and from now on, that only their clients would end. */
    void drain() {
        drains = true;
        endless.forEach(call -> call.close(SHUTS_DOWN, new Metadata()));
    }

    private void close(ClosedOnce<?, ?> call) {
        String sentence = "the request did not come within " + receiving.toMillis() + " ms";
        call.close(Statuses.of(ServiceError.TIMED_OUT, sentence).getStatus(), new Metadata());
    }

    /** A call that may be closed from two sides, of which the first counts. */
    private static final class ClosedOnce<Q, R> extends ForwardingServerCall.SimpleForwardingServerCall<Q, R> {

        private final AtomicBoolean closed = new AtomicBoolean();

        ClosedOnce(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (closed.compareAndSet(false, true)) {
                super.close(status, trailers);
            }
        }

        @Override
        public boolean isReady() {
            return !closed.get() && super.isReady();
        }
    }

    private final class Counted<Q> extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {

        private final ClosedOnce<Q, ?> call;
        private final Future<?> late;

        Counted(ServerCall.Listener<Q> listener, ClosedOnce<Q, ?> call, Future<?> late) {
            super(listener);
            this.call = call;
            this.late = late;
        }

        @Override
        public void onMessage(Q message) {
            if (!call.closed.get()) {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            late.cancel(false);
            if (!call.closed.get()) {
                super.onHalfClose();
            }
        }

        @Override
        public void onCancel() {
            end();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            end();
            super.onComplete();
        }

        private void end() {
            late.cancel(false);
            places.release();
        }
    }
}
