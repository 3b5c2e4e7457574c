package org.clinfer.serve.grpc;

import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.ModelInferResponse;
import org.clinfer.serve.grpc.proto.ModelStreamInferResponse;

/**
 * One call of {@code ModelStreamInfer}: responses come in the order of the requests, of which up to {@link #IN_FLIGHT} are
 * worked on at a time; more are taken when the client has read an answer. A request that fails has an answer with an error
 * message, and the stream goes on.
 */
final class InferStream implements StreamObserver<InferMessage> {

    /** Requests of a stream in progress at most. */
    static final int IN_FLIGHT = 16;

    private final InferenceService service;
    private final ContentMemory memory;
    private final ServerCallStreamObserver<ModelStreamInferResponse> client;
    private final CallContent content = CallContent.current();
    private final Deque<Pending> pending = new ArrayDeque<>();
    private final Consumer<InferStream> ended;
    private boolean finished;
    private boolean drains;
    private boolean over;

    private record Pending(InferMessage message, long bytes, CompletableFuture<InferenceResponse> response) {

        void giveUp() {
            response.cancel(true);
            var ignored = response.thenAccept(InferenceResponse::close);
        }
    }

    /** @param ended told when the call is over */
    InferStream(
            InferenceService service,
            ContentMemory memory,
            ServerCallStreamObserver<ModelStreamInferResponse> client,
            Consumer<InferStream> ended) {
        this.service = service;
        this.memory = memory;
        this.client = client;
        this.ended = ended;
        client.disableAutoRequest();
        client.setOnReadyHandler(this::flush);
        client.setOnCancelHandler(this::giveUp);
        client.setOnCloseHandler(this::giveUp);
        client.request(IN_FLIGHT);
    }

    @Override
    public void onNext(InferMessage message) {
        long bytes = content.endMessage();
        CompletableFuture<InferenceResponse> response;
        try {
            long typed = InferRequests.typedBytes(message);
            content.take(typed);
            bytes += typed;
            response = service.infer(InferRequests.of(message, Context.current().getDeadline()));
        } catch (RuntimeException | OutOfMemoryError refused) {
            response = CompletableFuture.failedFuture(refused);
        }
        Pending each = new Pending(message, bytes, response);
        synchronized (this) {
            if (over) {
                each.giveUp();
                return;
            }
            pending.add(each);
        }
        var ignored = response.whenComplete((done, failure) -> flush());
    }

    @Override
    public void onCompleted() {
        synchronized (this) {
            finished = true;
        }
        flush();
    }

    @Override
    public void onError(Throwable failure) {
        giveUp();
    }

    /** Sends what is there at the head of the queue, as far as the client reads it. */
    private synchronized void flush() {
        while (!over
                && client.isReady()
                && !pending.isEmpty()
                && pending.getFirst().response.isDone()) {
            Pending done = pending.removeFirst();
            send(done);
            content.give(done.bytes);
            client.request(1);
        }
        if (!over && (finished || drains) && pending.isEmpty()) {
            over = true;
            if (finished) {
                client.onCompleted();
            } else {
                client.onError(CallLimits.SHUTS_DOWN.asRuntimeException());
            }
        }
    }

    /** Ends the call once the requests that have come are answered. */
    void drain() {
        synchronized (this) {
            drains = true;
        }
        flush();
    }

    private void send(Pending done) {
        ModelStreamInferResponse.Builder message = ModelStreamInferResponse.newBuilder();
        long answer = 0;
        try (InferenceResponse response = done.response.join()) {
            answer = Messages.bytes(response);
            content.count(answer);
            client.onNext(message.setInferResponse(Messages.inference(response)).build());
            done.message.giveBack(memory);
        } catch (CompletionException | CancellationException | ServiceException failed) {
            message.setErrorMessage(sentence(failed))
                    .setInferResponse(ModelInferResponse.newBuilder()
                            .setId(done.message.request().getId()));
            client.onNext(message.build());
        } finally {
            content.give(answer);
        }
    }

    private static String sentence(Throwable failure) {
        return String.valueOf(Statuses.of(failure).getStatus().getDescription());
    }

    private synchronized void giveUp() {
        ended.accept(this);
        over = true;
        pending.forEach(Pending::giveUp);
        pending.clear();
    }
}
