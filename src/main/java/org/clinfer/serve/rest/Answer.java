package org.clinfer.serve.rest;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.clinfer.text.Printable;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import tools.jackson.databind.json.JsonMapper;

/** Writes answers. */
final class Answer {

    static final String JSON = "application/json";

    private static final String BYTES = "application/octet-stream";

    /** Below this, what is answered goes into one buffer and so into one packet. */
    private static final int SMALL = 1 << 14;

    private static final JsonMapper MAPPER = new JsonMapper();

    private Answer() {}

    /** A value as JSON. */
    static void json(Response response, Callback callback, int status, Object value) {
        text(response, callback, status, JSON, ByteBuffer.wrap(MAPPER.writeValueAsBytes(value)));
    }

    static void text(Response response, Callback callback, int status, String type, ByteBuffer content) {
        HttpFields.Mutable headers = response.getHeaders();
        response.setStatus(status);
        headers.put(HttpHeader.CONTENT_TYPE, type);
        headers.put(HttpHeader.CONTENT_LENGTH, content.remaining());
        headers.put("X-Content-Type-Options", "nosniff");
        response.write(true, content, callback);
    }

    /** One sentence about what is wrong. */
    static void error(Response response, Callback callback, RestException error) {
        if (response.isCommitted()) {
            callback.failed(error);
            return;
        }
        if (error.status() == RestException.TOO_LARGE) {
            // its content is not read: the client must not send another request behind it
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
        }
        ErrorText text = new ErrorText(Printable.message(String.valueOf(error.getMessage())));
        json(response, callback, error.status(), text);
    }

    /** The form of errors in the protocol. */
    record ErrorText(String error) {}

    /** JSON with the bytes after it, piece by piece, as fast as the client takes them. */
    static void content(Response response, Callback callback, InferResponseWriter.Content content) {
        HttpFields.Mutable headers = response.getHeaders();
        if (content.binary().isEmpty()) {
            text(response, callback, 200, JSON, content.json());
            return;
        }
        response.setStatus(200);
        headers.put(HttpHeader.CONTENT_TYPE, BYTES);
        headers.put(BodyReader.JSON_LENGTH, content.json().remaining());
        headers.put(HttpHeader.CONTENT_LENGTH, content.bytes());
        if (content.bytes() <= SMALL) {
            ByteBuffer whole = ByteBuffer.allocate((int) content.bytes())
                    .put(content.json().duplicate());
            content.binary().forEach(part -> whole.put(part.duplicate()));
            response.write(true, whole.flip(), callback);
        } else {
            new Pieces(response, callback, content).iterate();
        }
    }

    private static final class Pieces extends IteratingCallback {
        private final Response response;
        private final Callback callback;
        private final Iterator<ByteBuffer> pieces;
        private ByteBuffer next;
        private boolean isDone;

        private Pieces(Response response, Callback callback, InferResponseWriter.Content content) {
            this.response = response;
            this.callback = callback;
            this.pieces = List.copyOf(content.binary()).iterator();
            this.next = content.json();
        }

        @Override
        protected Action process() {
            if (isDone) {
                return Action.SUCCEEDED;
            }
            ByteBuffer now = next;
            isDone = !pieces.hasNext();
            next = isDone ? BufferUtil.EMPTY_BUFFER : pieces.next().duplicate();
            response.write(isDone, now, this);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteSuccess() {
            callback.succeeded();
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            callback.failed(cause);
        }
    }
}
