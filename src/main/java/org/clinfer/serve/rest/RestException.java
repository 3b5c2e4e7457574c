package org.clinfer.serve.rest;

import java.util.concurrent.CompletionException;
import org.clinfer.errors.ClinferException;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An answer that is no success: a status and one sentence. */
final class RestException extends ClinferException {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RestException.class);

    static final int INVALID = 400;
    static final int NOT_FOUND = 404;
    static final int NO_SUCH_METHOD = 405;
    static final int TOO_SLOW = 408;
    static final int TOO_LARGE = 413;
    static final int UNAVAILABLE = 503;

    private final int status;

    RestException(int status, String sentence) {
        super(sentence);
        this.status = status;
    }

    /** A request that is malformed. */
    static RestException invalid(String sentence) {
        return new RestException(INVALID, sentence);
    }

    /** The answer to a failure. What nobody foresaw is logged, and the client told no more than that it happened. */
    static RestException of(Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof RestException known) {
            return known;
        }
        if (failure instanceof ServiceException refused) {
            return new RestException(refused.error().httpStatus(), String.valueOf(refused.getMessage()));
        }
        if (failure instanceof OutOfMemoryError) {
            LOG.warn("a request is refused: {}", failure.toString());
            return new RestException(UNAVAILABLE, "the server has no memory for more requests now");
        }
        LOG.error("a request failed", failure);
        return new RestException(ServiceError.INTERNAL.httpStatus(), "the server failed; its log says more");
    }

    int status() {
        return status;
    }
}
