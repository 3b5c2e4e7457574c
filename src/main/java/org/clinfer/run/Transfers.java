package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClQueue;

/** Inputs and results of one run on their way: through pinned memory where there is some, else from and to where they are. */
final class Transfers {

    private record Arrival(ByteBuffer staged, ByteBuffer target) {}

    private final StagedValues staged;
    private final Optional<PinnedMemory> pinned;
    private final List<Arrival> arrivals = new ArrayList<>();

    /** @param pinned memory for all staged values; empty where there is none */
    Transfers(StagedValues staged, Optional<PinnedMemory> pinned) {
        this.staged = staged;
        this.pinned = pinned;
    }

    /** Starts to copy an input to the device; the source is in use until the queue is finished. */
    void send(ClQueue queue, String value, ClBuffer target, ByteBuffer source) {
        Optional<ByteBuffer> between = between(value, source.remaining());
        between.ifPresent(memory -> memory.duplicate().put(source.duplicate()));
        queue.writeAsync(target, 0, between.orElse(source));
    }

    /** Starts to copy a result from the device. */
    void fetch(ClQueue queue, String value, ClBuffer source, ByteBuffer target) {
        Optional<ByteBuffer> between = between(value, target.remaining());
        between.ifPresent(memory -> arrivals.add(new Arrival(memory, target)));
        queue.readAsync(source, 0, between.orElse(target));
    }

    private Optional<ByteBuffer> between(String value, int bytes) {
        Integer place = staged.places().get(value);
        return place == null ? Optional.empty() : pinned.map(memory -> memory.part(place, bytes));
    }

    /** Brings results to where they are wanted, once the queue is finished. */
    void arrived() {
        arrivals.forEach(
                arrival -> arrival.target().duplicate().put(arrival.staged().duplicate()));
        arrivals.clear();
    }
}
