package org.clinfer.serve.rest;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.ContentShare;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.InferenceService;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** A request for inference from its content to its answer. */
final class InferExchange implements BodyReader.Receiver {

    private static final int SMALL = 4096;

    private final InferenceService service;
    private final String model;
    private final Optional<String> version;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Executor answers;
    private final ContentMemory memory;

    /** True if nothing reads the content any more once the request is over: no run that was given up. */
    private volatile boolean isRead;

    /**
     * A request whose content is still to come.
     *
     * @param answers writes large answers, so that what runs models does not
     * @param memory takes the memory of the content back
     */
    InferExchange(
            InferenceService service,
            String model,
            Optional<String> version,
            Request request,
            Response response,
            Callback callback,
            Executor answers,
            ContentMemory memory) {
        this.service = service;
        this.model = model;
        this.version = version;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.answers = answers;
        this.memory = memory;
    }

    @Override
    public void failed(RestException failure) {
        Answer.error(response, callback, failure);
    }

    @Override
    public void received(Body body) {
        Request.addCompletionListener(request, failure -> {
            if (isRead) {
                memory.give(body.binary());
            }
        });
        InferRequestReader.Read read;
        try {
            read = InferRequestReader.read(body, model, version);
        } catch (RuntimeException | Error failed) {
            isRead = true;
            throw failed;
        }
        CompletableFuture<InferenceResponse> future = service.infer(read.request());
        request.addIdleTimeoutListener(timeout -> false); // the service has its own limit of time
        request.addFailureListener(gone -> future.cancel(true));
        Runnable watched =
                future.isDone() ? () -> {} : DisconnectWatch.of(request, response, () -> future.cancel(true));
        var unused = future.whenComplete((answer, failure) -> {
            Runnable writing = () -> {
                watched.run();
                answer(read, body.share(), answer, failure);
            };
            if (answer == null || isSmall(answer)) {
                writing.run();
            } else {
                elsewhere(writing);
            }
        });
    }

    private void elsewhere(Runnable writing) {
        try {
            answers.execute(writing);
        } catch (RejectedExecutionException ended) {
            writing.run(); // the server ends, and this is one of its last answers
        }
    }

    /** {@return true if to write it takes less than to wake another thread} */
    private static boolean isSmall(InferenceResponse answer) {
        return answer.outputs().values().stream()
                        .mapToLong(tensor -> tensor.type().bytes())
                        .sum()
                <= SMALL;
    }

    /** Exactly one of answer and failure is there. */
    private void answer(
            InferRequestReader.Read read,
            ContentShare share,
            @Nullable InferenceResponse answer,
            @Nullable Throwable failure) {
        if (answer == null) {
            RestException error = failure instanceof CancellationException
                    ? new RestException(RestException.UNAVAILABLE, "the client went away before the answer")
                    : RestException.of(Objects.requireNonNull(failure));
            isRead = error.status() == RestException.INVALID;
            failed(error);
            return;
        }
        isRead = true;
        Callback closing = Callback.from(callback, answer::close);
        try {
            Answer.content(response, closing, InferResponseWriter.content(answer, read, share));
        } catch (RuntimeException | Error failed) {
            Answer.error(response, closing, RestException.of(failed));
        }
    }
}
