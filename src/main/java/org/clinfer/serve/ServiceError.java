package org.clinfer.serve;

/** Why a request is refused, from which each protocol has its own status. */
public enum ServiceError {
    /** The request is malformed, or does not fit the model. HTTP 400, gRPC INVALID_ARGUMENT. */
    INVALID(400),
    /** The server asks for a token that the request does not have. HTTP 401, gRPC UNAUTHENTICATED. */
    UNAUTHENTICATED(401),
    /** No such model, version or path. HTTP 404, gRPC NOT_FOUND. */
    NOT_FOUND(404),
    /** The request is larger than the server takes. HTTP 413, gRPC RESOURCE_EXHAUSTED. */
    TOO_LARGE(413),
    /** The queue is full. HTTP 429, gRPC RESOURCE_EXHAUSTED. */
    BUSY(429),
    /** The server failed. HTTP 500, gRPC INTERNAL. */
    INTERNAL(500),
    /** The model is not ready, or the server drains. HTTP 503, gRPC UNAVAILABLE. */
    UNAVAILABLE(503),
    /** The request's time, or the server's bound for one, passed. HTTP 504, gRPC DEADLINE_EXCEEDED. */
    TIMED_OUT(504);

    private final int httpStatus;

    ServiceError(int httpStatus) {
        this.httpStatus = httpStatus;
    }

    /** The status of an HTTP response. */
    public int httpStatus() {
        return httpStatus;
    }
}
