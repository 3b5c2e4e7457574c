package org.clinfer.runtime;

import java.util.Optional;
import java.util.function.Supplier;
import org.clinfer.tracesinks.Tracing;

/**
 * Tells of the runs of a network.
 *
 * @param network its name
 */
record RunTracing(String network, Tracing tracing) {

    /**
     * One run.
     *
     * @param isOneByOne whether its steps are waited for one by one
     */
    <T> T run(boolean isOneByOne, Supplier<T> run) {
        Optional<Tracing.OpenRun> open = tracing.beginRun();
        if (open.isEmpty()) {
            return run.get();
        }
        Throwable failure = null;
        try {
            return run.get();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            tracing.endRun(open.get(), network, isOneByOne, failure);
        }
    }
}
