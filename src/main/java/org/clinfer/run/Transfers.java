package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClQueue;

/** Inputs and results of one run on their way: through pinned memory where there is some, else from and to where they are. */
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

    /** Starts to copy an input to the device; the source is in use until the queue is finished. */
    void send(ClQueue queue, String value, ClBuffer target, ByteBuffer source) {
        Integer place = staged.places().get(value);
        if (pinned.isEmpty()) {
            queue.writeAsync(target, 0, source);
        } else if (place != null) {
            ByteBuffer between = pinned.get().part(place, source.remaining());
            between.duplicate().put(source.duplicate());
            queue.writeAsync(target, 0, between);
        } else {
            pieces.orElseThrow().send(queue, target, source);
        }
    }

    /** Starts to copy a result from the device. */
    void fetch(ClQueue queue, String value, ClBuffer source, ByteBuffer target) {
        Integer place = staged.places().get(value);
        if (pinned.isEmpty()) {
            queue.readAsync(source, 0, target);
        } else if (place != null) {
            ByteBuffer between = pinned.get().part(place, target.remaining());
            arrivals.add(new Arrival(between, target));
            queue.readAsync(source, 0, between);
        } else {
            pieces.orElseThrow().fetch(queue, source, target);
        }
    }

    /** Waits until all commands are done and the results are where they are wanted. */
    void arrive(ClQueue queue) {
        pieces.ifPresent(values -> values.arrive(queue));
        queue.finish();
        arrivals.forEach(
                arrival -> arrival.target().duplicate().put(arrival.staged().duplicate()));
        arrivals.clear();
    }

    @Override
    public void close() {
        pieces.ifPresent(PieceTransfers::close);
    }
}
