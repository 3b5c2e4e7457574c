package org.clinfer.opencl;

import java.util.concurrent.atomic.LongAdder;
import org.clinfer.device.CommandCounts;

/** Counts the commands of all contexts that were made through one binding. Thread-safe. */
final class CommandCounter {

    private final LongAdder launches = new LongAdder();
    private final LongAdder transfers = new LongAdder();
    private final LongAdder waits = new LongAdder();

    /** One more launch of a kernel. */
    void launched() {
        launches.increment();
    }

    /** One more transfer. */
    void transferred() {
        transfers.increment();
    }

    /** One more call that waits. */
    void waited() {
        waits.increment();
    }

    CommandCounts counts() {
        return new CommandCounts(launches.sum(), transfers.sum(), waits.sum());
    }
}
