package org.clinfer.cli.bench;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/** Keeps the steps of runs while it is told to, and costs measured runs nothing otherwise. */
public final class StepTrace implements TraceSink {

    private final List<TraceEvent.Step> steps = new CopyOnWriteArrayList<>();
    private volatile boolean isOn;

    @Override
    public Detail detail() {
        return isOn ? Detail.STEPS : Detail.NONE;
    }

    @Override
    public void accept(TraceEvent event) {
        if (isOn && event instanceof TraceEvent.Step step) {
            steps.add(step);
        }
    }

    /** The steps of what is run here. */
    List<TraceEvent.Step> of(Runnable runs) {
        steps.clear();
        isOn = true;
        try {
            runs.run();
        } finally {
            isOn = false;
        }
        return List.copyOf(steps);
    }
}
