package org.clinfer.serve.rest;

import org.clinfer.errors.ClinferException;
import org.clinfer.serve.ServiceException;

/** An answer that is no success: a status and one sentence. */
final class RestException extends ClinferException {

    private static final long serialVersionUID = 1L;

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

    static RestException of(ServiceException refused) {
        return new RestException(refused.error().httpStatus(), String.valueOf(refused.getMessage()));
    }

    int status() {
        return status;
    }
}
