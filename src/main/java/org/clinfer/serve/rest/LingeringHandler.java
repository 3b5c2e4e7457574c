package org.clinfer.serve.rest;

import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Reads what clients still send after they were answered, for a while, and throws it away. A connection that is closed while
 * its client sends is reset, and the reset can overtake the answer, so that the client learns nothing of why it was refused.
 */
final class LingeringHandler extends Handler.Wrapper {

    /** A client that sends for longer is cut off. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    LingeringHandler(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Runnable answered = () -> {
            if (response.getStatus() == RestException.TOO_SLOW) {
                callback.succeeded(); // it had its time, and what waits for its content waits still
            } else {
                new Leftover(request, callback).read();
            }
        };
        return super.handle(request, response, Callback.from(callback.getInvocationType(), answered, callback::failed));
    }

    /** The content of a request that nobody wants. */
    private static final class Leftover {
        private final Request request;
        private final Callback callback;
        private final long begun = System.nanoTime();

        private Leftover(Request request, Callback callback) {
            this.request = request;
            this.callback = callback;
        }

        private void read() {
            while (System.nanoTime() - begun < LONGEST.toNanos()) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    if (waitsForContinue()) {
                        break;
                    }
                    request.demand(this::read);
                    return;
                }
                chunk.release();
                if (chunk.isLast() || Content.Chunk.isFailure(chunk)) {
                    break;
                }
            }
            callback.succeeded();
        }

        /** Such a client sends its content once it is asked for it, and has its answer instead. */
        private boolean waitsForContinue() {
            return request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())
                    && Request.getContentBytesRead(request) == 0;
        }
    }
}
