package org.clinfer.serve.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * The content that a call receives, as part of what all may hold at one time. It counts from the first bytes of a message, so that
 * messages which never become whole count, too, and for a compressed one as it is unpacked; to the end of the call, or of a
 * stream's message when that is answered. A call for which no memory is left is refused.
 */
final class CallContent extends ServerStreamTracer {

    private static final Context.Key<CallContent> KEY = Context.key("clinfer-content");

    /** The sentence for a call for which no memory is left. */
    static final String NO_MEMORY = "the server has no memory for more requests now";

    private final ContentBudget budget;

    // guarded by this object
    private @Nullable Runnable refusal;
    private long wire;
    private long unpacked;
    private long message;
    private long held;
    private boolean over;

    private CallContent(ContentBudget budget) {
        this.budget = budget;
    }

    /** Makes one of these for each call. */
    static ServerStreamTracer.Factory factory(ContentBudget budget) {
        return new ServerStreamTracer.Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                return new CallContent(budget);
            }
        };
    }

    /** The content of the call that is worked on now. */
    static CallContent current() {
        return KEY.get();
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(KEY, this);
    }

    /** @param refuse closes the call */
    synchronized void refuseBy(Runnable refuse) {
        refusal = refuse;
    }

    @Override
    public void inboundWireSize(long bytes) {
        received(bytes, 0);
    }

    @Override
    public void inboundUncompressedSize(long bytes) {
        received(0, bytes);
    }

    private void received(long moreWire, long moreUnpacked) {
        Runnable refuse;
        synchronized (this) {
            if (over) {
                return;
            }
            wire += moreWire;
            unpacked += moreUnpacked;
            long more = Math.max(wire, unpacked) - message;
            if (budget.take(more)) {
                message += more;
                held += more;
                return;
            }
            over = true;
            refuse = refusal;
        }
        if (refuse != null) {
            refuse.run();
        }
    }

    /** The end of a message: the bytes that it holds until they are {@linkplain #give given back}. */
    synchronized long endMessage() {
        long bytes = message;
        wire = 0;
        unpacked = 0;
        message = 0;
        return bytes;
    }

    /**
     * Takes memory for tensors that are made from a message.
     *
     * @throws ServiceException if there is none, or the call is over
     */
    synchronized void take(long bytes) {
        if (over || !budget.take(bytes)) {
            throw new ServiceException(ServiceError.UNAVAILABLE, NO_MEMORY);
        }
        held += bytes;
    }

    /** Counts the memory of an answer, also where there is none left: it would not be less without the answer. */
    synchronized void count(long bytes) {
        if (!over) {
            budget.count(bytes);
            held += bytes;
        }
    }

    /** Gives back what a message held. */
    synchronized void give(long bytes) {
        long given = Math.min(bytes, held);
        held -= given;
        budget.give(given);
    }

    @Override
    public void streamClosed(Status status) {
        synchronized (this) {
            over = true;
        }
        give(Long.MAX_VALUE);
    }
}
