package org.clinfer.serve.rest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Notices that a client of HTTP/1 has gone while its request is carried out: nobody reads from the connection then, so that its
 * end would show with the answer only. Begins after a while, because most answers are there before. A client that closes only
 * its own side of the connection counts as gone, since it cannot be told from one that has closed both. One that sends its next
 * request before it has the answer gets the answer, and the connection is closed after it.
 */
final class DisconnectWatch {

    private static final long DELAY_MILLIS = 100;

    private final AbstractEndPoint connection;
    private final Request request;
    private final Response response;
    private final Runnable gone;
    private final Scheduler.Task start;
    private boolean ended;
    private boolean watches;

    private DisconnectWatch(AbstractEndPoint connection, Request request, Response response, Runnable gone) {
        this.connection = connection;
        this.request = request;
        this.response = response;
        this.gone = gone;
        this.start = request.getComponents().getScheduler().schedule(this::begin, DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Watches the connection of a request whose content was read.
     *
     * @param gone called once the client has gone, at most once
     * @return ends the watch, before anything is answered
     */
    static Runnable of(Request request, Response response, Runnable gone) {
        EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
        HttpVersion version = request.getConnectionMetaData().getHttpVersion();
        if (version.getVersion() < HttpVersion.HTTP_2.getVersion() && connection instanceof AbstractEndPoint endPoint) {
            return new DisconnectWatch(endPoint, request, response, gone)::end;
        }
        return () -> {};
    }

    private synchronized void begin() {
        if (!ended) {
            watches = connection.tryFillInterested(Callback.from(this::readable, failure -> {}));
        }
    }

    private void readable() {
        synchronized (this) {
            watches = false;
            int read = ended ? 0 : read();
            if (read > 0) {
                response.getHeaders().put(HttpHeader.CONNECTION, "close");
            } else if (read == 0) {
                begin();
            }
            if (read >= 0) {
                return;
            }
            ended = true;
        }
        gone.run();
    }

    /** Reads one byte, if there is one; negative at the end. */
    private int read() {
        try {
            return connection.fill(ByteBuffer.allocate(1).limit(0)); // empty, as Jetty's buffers are
        } catch (IOException broken) {
            return -1;
        }
    }

    private void end() {
        start.cancel();
        boolean cancels;
        synchronized (this) {
            cancels = watches && !ended;
            ended = true;
        }
        if (cancels) {
            connection.getFillInterest().onFail(new CancellationException(request.getId()));
        }
    }
}
