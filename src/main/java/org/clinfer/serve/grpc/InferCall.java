package org.clinfer.serve.grpc;

import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.CompletableFuture;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.grpc.proto.ModelInferResponse;
import org.jspecify.annotations.Nullable;

/** One call of {@code ModelInfer}. A client that goes away, or whose deadline passes, cancels its work. */
final class InferCall {

    private InferCall() {}

    static void start(
            InferenceService service,
            ContentMemory memory,
            InferMessage message,
            ServerCallStreamObserver<ModelInferResponse> client) {
        CallContent content = CallContent.current();
        CompletableFuture<InferenceResponse> running;
        try {
            content.take(InferRequests.typedBytes(message));
            running = service.infer(InferRequests.of(message, Context.current().getDeadline()));
        } catch (RuntimeException | OutOfMemoryError refused) {
            client.onError(Statuses.of(refused));
            return;
        }
        client.setOnCancelHandler(() -> running.cancel(true));
        var ignored = running.whenComplete((response, failure) -> {
            answer(client, content, response, failure);
            if (response != null) { // else a run that was given up may still read it
                message.giveBack(memory);
            }
        });
    }

    /** Sends a response and closes it. */
    private static void answer(
            ServerCallStreamObserver<ModelInferResponse> client,
            CallContent content,
            @Nullable InferenceResponse response,
            @Nullable Throwable failure) {
        if (response == null) {
            client.onError(Statuses.of(failure == null ? new IllegalStateException("no response") : failure));
            return;
        }
        try (response) {
            content.count(Messages.bytes(response));
            client.onNext(Messages.inference(response));
            client.onCompleted();
        } catch (RuntimeException | OutOfMemoryError failed) {
            client.onError(Statuses.of(failed));
        }
    }
}
