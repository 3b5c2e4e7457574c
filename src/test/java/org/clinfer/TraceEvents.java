package org.clinfer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/** A sink that keeps everything. */
final class TraceEvents implements TraceSink {

    private final List<TraceEvent> events = new CopyOnWriteArrayList<>();
    private final Detail detail;

    TraceEvents(Detail detail) {
        this.detail = detail;
    }

    @Override
    public Detail detail() {
        return detail;
    }

    @Override
    public void accept(TraceEvent event) {
        events.add(event);
    }

    /** Those of a kind, in the order in which they came. */
    <E extends TraceEvent> List<E> of(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    void clear() {
        events.clear();
    }
}
