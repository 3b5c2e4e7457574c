package org.clinfer.serve.rest;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.ContentShare;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Reads the content of a request as it comes, without a thread that waits. Memory grows with what has come, not with what was
 * announced, and ends at the limit; a client that is too slow is given up.
 */
final class BodyReader {

    /** Length of the JSON where tensors follow it as bytes. */
    static final String JSON_LENGTH = "Inference-Header-Content-Length";

    /** Up to this size, memory is taken at once for what is announced. */
    private static final int TRUSTED = 1 << 20;

    private static final int FIRST = 4096;
    private static final int PIECE = 8192;
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");

    private final Request request;
    private final long limit;
    private final ContentShare share;
    private final ContentMemory memory;
    private final Receiver receiver;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Scheduler.Task patience;
    private final boolean isGzip;

    /** Bytes of the JSON; {@code jsonLimit} is another while what comes is to be unpacked. */
    private final int realJsonLimit;

    private int jsonLimit;
    private byte[] json;
    private int jsonLength;
    private ByteBuffer binary = ByteBuffer.allocateDirect(0);

    /** Told of the end, once. */
    interface Receiver {

        void received(Body body);

        void failed(RestException failure);
    }

    /**
     * A reader of one request.
     *
     * @param limit bytes at most
     * @param budget of all requests, from which memory is taken until this one is answered
     * @param memory where tensors come to lie
     * @param seconds in which all of it has to come
     * @throws RestException for a length of the JSON that is no number, or content that is announced larger than the limit
     */
    BodyReader(
            Request request, long limit, ContentBudget budget, ContentMemory memory, long seconds, Receiver receiver) {
        this.request = request;
        this.limit = limit;
        this.share = new ContentShare(budget);
        this.memory = memory;
        this.receiver = receiver;
        this.isGzip = isGzip(request);
        this.realJsonLimit = jsonLimit(request);
        this.jsonLimit = isGzip ? Integer.MAX_VALUE : realJsonLimit;
        long announced = Math.max(0, request.getLength());
        if (announced > limit) {
            throw tooLarge();
        }
        Request.addCompletionListener(request, failure -> share.close());
        int expected = (int) Math.min(announced, jsonLimit);
        this.json = new byte[hold(Math.max(FIRST, Math.min(TRUSTED, expected)))];
        long rest = announced - expected;
        if (rest > 0) {
            binary = memory.take(hold(ContentMemory.capacity((int) Math.min(TRUSTED, rest))));
        }
        this.patience = request.getComponents().getScheduler().schedule(this::tooSlow, seconds, TimeUnit.SECONDS);
    }

    private static int jsonLimit(Request request) {
        String length = request.getHeaders().get(JSON_LENGTH);
        if (length == null) {
            return Integer.MAX_VALUE;
        }
        if (!LENGTH.matcher(length).matches()) {
            throw RestException.invalid(JSON_LENGTH + " must be a number of bytes");
        }
        return Integer.parseInt(length);
    }

    static boolean isGzip(Request request) {
        return "gzip".equalsIgnoreCase(request.getHeaders().get(HttpHeader.CONTENT_ENCODING));
    }

    private RestException tooLarge() {
        return new RestException(RestException.TOO_LARGE, "a request may have " + limit + " bytes at most");
    }

    /** Takes memory from the budget. */
    private int hold(int bytes) {
        share.take(bytes);
        return bytes;
    }

    /** Reads what is there, and goes on when more comes. */
    void read() {
        try {
            while (!ended.get()) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this::read);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    failed(chunk.getFailure());
                    return;
                }
                take(chunk);
                if (chunk.isLast()) {
                    finished();
                    return;
                }
            }
        } catch (RuntimeException | Error failed) {
            end(RestException.of(failed));
        }
    }

    private void take(Content.Chunk chunk) {
        try {
            take(chunk.getByteBuffer());
        } finally {
            chunk.release();
        }
    }

    private void take(ByteBuffer bytes) {
        if ((long) jsonLength + binary.position() + bytes.remaining() > limit) {
            throw tooLarge();
        }
        int forJson = Math.min(bytes.remaining(), jsonLimit - jsonLength);
        if (forJson > 0) {
            if (jsonLength + forJson > json.length) {
                byte[] smaller = json;
                json = Arrays.copyOf(smaller, hold((int) grown(jsonLength + forJson, smaller.length)));
                share.give(smaller.length);
            }
            bytes.get(json, jsonLength, forJson);
            jsonLength += forJson;
        }
        if (bytes.hasRemaining()) {
            int needed = binary.position() + bytes.remaining();
            if (needed > binary.capacity()) {
                int capacity = ContentMemory.capacity((int) grown(needed, binary.capacity()));
                ByteBuffer smaller = binary;
                binary = memory.take(hold(capacity)).put(smaller.flip());
                memory.give(smaller);
                share.give(smaller.capacity());
            }
            binary.put(bytes);
        }
    }

    /** Puts the content in the place of its packed form, which was taken as JSON. */
    private void unpack() {
        InputStream packed = new ByteArrayInputStream(json, 0, jsonLength);
        int packedCapacity = json.length;
        json = new byte[hold(FIRST)];
        jsonLength = 0;
        jsonLimit = realJsonLimit;
        byte[] piece = new byte[PIECE];
        try (GZIPInputStream content = new GZIPInputStream(packed, PIECE)) {
            for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
                take(ByteBuffer.wrap(piece, 0, read));
            }
        } catch (EOFException early) {
            throw RestException.invalid("the content in gzip ends too early");
        } catch (IOException wrong) {
            throw RestException.invalid("the content is no gzip, or damaged");
        }
        share.give(packedCapacity);
    }

    /** Twice as much, but not more than may come: unpacked content is larger than what was announced. */
    private long grown(long needed, long present) {
        long most = needed <= request.getLength() ? request.getLength() : limit;
        return Math.min(Integer.MAX_VALUE - 64, Math.max(needed, Math.min(most, 2 * present)));
    }

    private void finished() {
        if (isGzip) {
            unpack();
        }
        if (jsonLimit != Integer.MAX_VALUE && jsonLength < jsonLimit) {
            throw RestException.invalid(
                    JSON_LENGTH + " is " + jsonLimit + ", but the content has " + jsonLength + " bytes");
        }
        if (ended.compareAndSet(false, true)) {
            patience.cancel();
            try {
                receiver.received(new Body(ByteBuffer.wrap(json, 0, jsonLength), binary.flip(), share));
            } catch (RuntimeException | Error failed) {
                receiver.failed(RestException.of(failed));
            }
        }
    }

    private void tooSlow() {
        end(new RestException(RestException.TOO_SLOW, "the content of the request did not come in time"));
    }

    private void failed(Throwable failure) {
        if (failure instanceof TimeoutException) {
            tooSlow();
        } else {
            end(RestException.invalid("the content of the request has no end"));
        }
    }

    private void end(RestException failure) {
        if (ended.compareAndSet(false, true)) {
            patience.cancel();
            receiver.failed(failure);
        }
    }
}
