package org.clinfer.serve.grpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The status of a call that fails, with one sentence for the client. */
final class Statuses {

    private static final Logger LOG = LoggerFactory.getLogger(Statuses.class);

    private Statuses() {}

    /** The exception that ends a call. What nobody foresaw is logged, and the client told no more than that it happened. */
    static StatusRuntimeException of(Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof ServiceException refused) {
            return of(refused.error(), String.valueOf(refused.getMessage()));
        }
        if (failure instanceof CancellationException) {
            return Status.CANCELLED.withDescription("the request was given up").asRuntimeException();
        }
        if (failure instanceof OutOfMemoryError) {
            LOG.warn("a call is refused: {}", failure.toString());
            return of(ServiceError.UNAVAILABLE, CallContent.NO_MEMORY);
        }
        LOG.error("a call failed", failure);
        return of(ServiceError.INTERNAL, "the server failed");
    }

    static StatusRuntimeException of(ServiceError error, String sentence) {
        return code(error).withDescription(sentence).asRuntimeException();
    }

    private static Status code(ServiceError error) {
        return switch (error) {
            case INVALID -> Status.INVALID_ARGUMENT;
            case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
            case NOT_FOUND -> Status.NOT_FOUND;
            case TOO_LARGE, BUSY -> Status.RESOURCE_EXHAUSTED;
            case INTERNAL -> Status.INTERNAL;
            case UNAVAILABLE -> Status.UNAVAILABLE;
            case TIMED_OUT -> Status.DEADLINE_EXCEEDED;
        };
    }
}
