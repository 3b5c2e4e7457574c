package org.clinfer.trace;

/**
 * A taker of {@link TraceEvent}s. It is called from all threads that use the engine, also at once, each time in the thread
 * that did what the event tells, and makes that thread wait as long as it takes. One that throws is not called again, which
 * is logged; no run fails because of it.
 */
public interface TraceSink {

    /** The events of runs that a sink wants. */
    enum Detail {
        /** None. */
        NONE,
        /** One {@link TraceEvent.Run} for each run. */
        RUNS,
        /** Also a {@link TraceEvent.Step} for each of its steps; the device then takes the time of every command. */
        STEPS
    }

    /** {@return the events that it wants of the next run; asked at the beginning of each} All other events come in any case. */
    default Detail detail() {
        return Detail.STEPS;
    }

    /**
     * Takes an event, after what it tells of has come to its end.
     *
     * @param event the event
     */
    void accept(TraceEvent event);

    /**
     * An engine begins to use this sink.
     *
     * @throws org.clinfer.errors.InputException if it cannot be used; then the engine is not opened
     */
    default void opened() {}

    /** An engine that began to use this sink is closed. */
    default void closed() {}
}
