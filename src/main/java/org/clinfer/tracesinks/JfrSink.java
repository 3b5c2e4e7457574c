package org.clinfer.tracesinks;

import java.util.Optional;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/** Gives events to recordings of the JDK's Flight Recorder that want them; costs nothing while there are none. */
final class JfrSink implements TraceSink {

    private static final String MODULE = "jdk.jfr";

    /** Made when there is a recorder: to start one takes as long as a small network. */
    private static final class Types {

        private static final EventType RUN = EventType.getEventType(JfrEvents.Run.class);
        private static final EventType STEP = EventType.getEventType(JfrEvents.Step.class);
        private static final EventType TRANSFER = EventType.getEventType(JfrEvents.Transfer.class);

        private Types() {}
    }

    private JfrSink() {}

    /** The sink; empty where the virtual machine has no Flight Recorder. */
    static Optional<TraceSink> find() {
        return ModuleLayer.boot().findModule(MODULE).isPresent() ? Optional.of(new JfrSink()) : Optional.empty();
    }

    @Override
    public Detail detail() {
        if (!FlightRecorder.isInitialized()) {
            return Detail.NONE;
        }
        if (Types.STEP.isEnabled() || Types.TRANSFER.isEnabled()) {
            return Detail.STEPS;
        }
        return Types.RUN.isEnabled() ? Detail.RUNS : Detail.NONE;
    }

    @Override
    public void accept(TraceEvent event) {
        if (FlightRecorder.isInitialized()) {
            Event recorded = JfrEvents.of(event);
            if (recorded != null) {
                recorded.commit();
            }
        }
    }

    @Override
    public String toString() {
        return "the Flight Recorder";
    }
}
