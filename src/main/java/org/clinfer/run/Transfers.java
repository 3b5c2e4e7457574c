package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClQueue;

/** Values of one run that cross between host and device: through pinned memory where there is some, else from and to where they are. */
final class Transfers implements AutoCloseable {

    private record Arrival(ByteBuffer staged, ByteBuffer target) {}

    private final StagedValues staged;
    private final Optional<PinnedMemory> pinned;
    private final Optional<PieceTransfers> pieces;
    private final List<Arrival> arrivals = new ArrayList<>();

    /**
     * No transfers yet.
     *
     * @param pinned memory for all staged values; empty where there is none
     * @param parallel threads that copy pieces of large ones
     */
    Transfers(StagedValues staged, Optional<PinnedMemory> pinned, Parallel parallel) {
        this.staged = staged;
        this.pinned = pinned;
        this.pieces =
                pinned.filter(memory -> staged.slots() > 0).map(memory -> new PieceTransfers(staged, memory, parallel));
    }

    /**
     * Copies a value to the device, or starts to.
     *
     * @param isKept whether the source stays as it is until the queue is finished; else it has been read on return
     */
    void send(ClQueue queue, String value, ClBuffer target, ByteBuffer source, boolean isKept) {
        Optional<ByteBuffer> between = between(value, source.remaining());
        if (between.isPresent()) {
            between.get().duplicate().put(source.duplicate());
            queue.writeAsync(target, 0, between.get());
        } else if (pieces.isPresent()) {
            pieces.get().send(queue, target, source);
        } else if (isKept) {
            queue.writeAsync(target, 0, source);
        } else {
            queue.write(target, 0, source);
        }
    }

    /** Takes a value, once all commands are done, from memory of the device that the host sees. */
    void show(ByteBuffer visible, ByteBuffer target) {
        arrivals.add(new Arrival(visible, target));
    }

    /** Starts to copy a value from the device. */
    void fetch(ClQueue queue, String value, ClBuffer source, ByteBuffer target) {
        Optional<ByteBuffer> between = between(value, target.remaining());
        if (between.isPresent()) {
            arrivals.add(new Arrival(between.get(), target));
            queue.readAsync(source, 0, between.get());
        } else if (pieces.isPresent()) {
            pieces.get().fetch(queue, source, target);
        } else {
            queue.readAsync(source, 0, target);
        }
    }

    /** The pinned memory of a value that has a place there. */
    private Optional<ByteBuffer> between(String value, int bytes) {
        Integer place = staged.places().get(value);
        return place == null ? Optional.empty() : pinned.map(memory -> memory.part(place, bytes));
    }

    /** Waits until all commands are done and the values are where they are wanted. */
    void arrive(ClQueue queue) {
        pieces.ifPresent(values -> values.arrive(queue));
        queue.finish();
        arrived();
    }

    /** Brings values where they are wanted; all commands are done. */
    void arrived() {
        arrivals.forEach(
                arrival -> arrival.target().duplicate().put(arrival.staged().duplicate()));
        arrivals.clear();
    }

    @Override
    public void close() {
        pieces.ifPresent(PieceTransfers::close);
    }
}
