package org.clinfer.serve.grpc;

import java.time.Duration;
import org.clinfer.serve.ListenOptions;

/**
 * Options of a {@link GrpcServer}.
 *
 * @param listen the address, the size of a message at most (uncompressed), the token and TLS
 * @param maxCalls calls in progress at most, of all clients together
 * @param receiving the time that a client has to send a request, from the beginning of its call
 * @param closing the time that calls in progress have when the server is closed
 */
public record GrpcOptions(ListenOptions listen, int maxCalls, Duration receiving, Duration closing) {

    private static final int USUAL_CALLS = 256;
    private static final Duration USUAL_TIME = Duration.ofSeconds(30);

    public GrpcOptions {
        if (maxCalls < 1) {
            throw new IllegalArgumentException("the calls in progress must be at least 1, but are " + maxCalls);
        }
        if (receiving.isNegative() || receiving.isZero()) {
            throw new IllegalArgumentException("the time to send a request must be longer than zero, not " + receiving);
        }
    }

    /** {@return options with 256 calls and 30 seconds to send a request and for closing} */
    public static GrpcOptions of(ListenOptions listen) {
        return new GrpcOptions(listen, USUAL_CALLS, USUAL_TIME, USUAL_TIME);
    }

    /** {@return these options with another time for closing} */
    public GrpcOptions withClosing(Duration time) {
        return new GrpcOptions(listen, maxCalls, receiving, time);
    }
}
