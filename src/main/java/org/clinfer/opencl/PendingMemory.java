package org.clinfer.opencl;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/**
 * The host memory of transfers that may still run: the device has its address, so it must not be collected. Thread-safe;
 * transfers are queued one at a time, so that those queued during a wait keep their memory.
 */
final class PendingMemory {

    private final Object lock = new Object();
    private List<ByteBuffer> pending = new ArrayList<>();

    /** Queues a transfer, whose memory is kept from before it is begun. */
    void queueing(ByteBuffer host, Runnable transfer) {
        synchronized (lock) {
            pending.add(host);
            transfer.run();
        }
    }

    /**
     * Makes a call after which, where its status is 0, all transfers that were queued before it are done with their memory.
     *
     * @param check throws for a status that is a failure
     */
    void waiting(IntSupplier call, IntConsumer check) {
        List<ByteBuffer> finishing = take();
        int status = ClStatus.CL_INVALID_OPERATION.code();
        try {
            status = call.getAsInt();
            check.accept(status);
        } finally {
            if (status != 0) {
                synchronized (lock) {
                    pending.addAll(finishing);
                }
            }
            Reference.reachabilityFence(finishing);
        }
    }

    /** Gives up what is kept, which the caller holds until the transfers are done. */
    List<ByteBuffer> take() {
        synchronized (lock) {
            if (pending.isEmpty()) {
                return List.of();
            }
            List<ByteBuffer> taken = pending;
            pending = new ArrayList<>();
            return taken;
        }
    }
}
