package org.clinfer.tracesinks;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.clinfer.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/**
 * Events of the Flight Recorder. Each is recorded when what it tells of has come to its end, with the time that it took; its
 * own begin is that moment.
 */
@SuppressWarnings({"NullAway.Init", "unused"}) // the recorder reads the fields
final class JfrEvents {

    private JfrEvents() {}

    /** The fields that all events have. */
    @Category("Clinfer")
    @StackTrace(false)
    abstract static class Timed extends Event {

        @Label("Time")
        @Description("What it took by the host's clock")
        @Timespan(Timespan.NANOSECONDS)
        long time;

        final Timed took(TraceEvent.Time taken) {
            time = taken.nanos();
            return this;
        }
    }

    @Name("org.clinfer.Run")
    @Label("Run")
    @Description("One run of a session, with the plans and builds that it waited for")
    static final class Run extends Timed {
        @Label("Number")
        long number;

        @Label("Network")
        String network;

        @Label("One by One")
        boolean oneByOne;

        @Label("Steps")
        int steps;

        @Label("Device Time")
        @Description("All commands of the device; 0 where steps are not recorded")
        @Timespan(Timespan.NANOSECONDS)
        long deviceTime;

        @Label("Failure")
        @Nullable
        String failure;
    }

    @Name("org.clinfer.Step")
    @Label("Step")
    @Description("The nodes that one step of a run computes")
    @Enabled(false)
    static final class Step extends Timed {
        @Label("Run")
        long run;

        @Label("Index")
        int index;

        @Label("Kind")
        String kind;

        @Label("Nodes")
        String nodes;

        @Label("Operators")
        String operators;

        @Label("Variants")
        String variants;

        @Label("Device Time")
        @Timespan(Timespan.NANOSECONDS)
        long deviceTime;

        @Label("Multiply-Adds")
        long multiplyAdds;

        @Label("Bytes")
        @DataAmount
        long bytes;
    }

    @Name("org.clinfer.Transfer")
    @Label("Transfer")
    @Description("A value that goes to or comes from a device")
    @Enabled(false)
    static final class Transfer extends Timed {
        @Label("Run")
        long run;

        @Label("Kind")
        String kind;

        @Label("Value")
        String value;

        @Label("Device Time")
        @Timespan(Timespan.NANOSECONDS)
        long deviceTime;

        @Label("Bytes")
        @DataAmount
        long bytes;
    }

    @Name("org.clinfer.Plan")
    @Label("Plan")
    static final class Plan extends Timed {
        @Label("Network")
        String network;

        @Label("Device")
        String device;

        @Label("Inputs")
        String inputs;

        @Label("Nodes on Device")
        int nodesOnDevice;

        @Label("Nodes on CPU")
        int nodesOnCpu;

        @Label("Launches")
        int launches;
    }

    @Name("org.clinfer.Build")
    @Label("Build")
    static final class Build extends Timed {
        @Label("Program")
        String program;

        @Label("Device")
        String device;

        @Label("Kept Binary")
        boolean keptBinary;

        @Label("Failure")
        @Nullable
        String failure;
    }

    @Name("org.clinfer.Fallback")
    @Label("Fallback")
    @Description("A node is planned for the CPU although there is a device")
    static final class Fallback extends Timed {
        @Label("Network")
        String network;

        @Label("Node")
        String node;

        @Label("Operator")
        String operator;

        @Label("Reasons")
        String reasons;
    }

    @Name("org.clinfer.Recovery")
    @Label("Recovery")
    @Description("A step was taken after a failure of a device")
    static final class Recovery extends Timed {
        @Label("Device")
        String device;

        @Label("Step")
        String step;
    }

    /** The event as the recorder takes it; null for one that has no use there, or is not wanted. */
    static @Nullable Event of(TraceEvent event) {
        Timed made = made(event);
        return made == null || !made.isEnabled() ? null : made.took(event.time());
    }

    private static @Nullable Timed made(TraceEvent event) {
        if (event instanceof TraceEvent.Run run) {
            return of(run);
        }
        if (event instanceof TraceEvent.Step step) {
            return step.work().isEmpty() ? transfer(step) : of(step);
        }
        if (event instanceof TraceEvent.Plan plan) {
            return of(plan);
        }
        if (event instanceof TraceEvent.Build build) {
            Build made = new Build();
            made.program = build.program();
            made.device = build.device();
            made.keptBinary = build.isCached();
            made.failure = build.failure().orElse(null);
            return made;
        }
        if (event instanceof TraceEvent.Fallback fallback) {
            Fallback made = new Fallback();
            made.network = fallback.network();
            made.node = fallback.node();
            made.operator = fallback.op();
            made.reasons = String.join("; ", fallback.reasons());
            return made;
        }
        if (event instanceof TraceEvent.Recovery recovery) {
            Recovery made = new Recovery();
            made.device = recovery.device();
            made.step = recovery.step();
            return made;
        }
        return null;
    }

    private static Timed of(TraceEvent.Run run) {
        Run made = new Run();
        made.number = run.number();
        made.network = run.network();
        made.oneByOne = run.isOneByOne();
        made.steps = run.steps();
        made.deviceTime = run.device().orElse(0);
        made.failure = run.failure().orElse(null);
        return made;
    }

    private static @Nullable Timed of(TraceEvent.Step step) {
        Step made = new Step();
        if (!made.isEnabled()) {
            return null;
        }
        made.run = step.run();
        made.index = step.index();
        made.kind = step.kind().word();
        made.nodes = step.label();
        made.operators = step.operators();
        made.variants = step.variants();
        made.deviceTime = step.deviceNanos();
        made.multiplyAdds = step.multiplyAdds().orElse(0);
        made.bytes = step.bytes();
        return made;
    }

    private static Timed transfer(TraceEvent.Step step) {
        Transfer made = new Transfer();
        made.run = step.run();
        made.kind = step.kind().word();
        made.value = step.value();
        made.deviceTime = step.deviceNanos();
        made.bytes = step.bytes();
        return made;
    }

    private static Timed of(TraceEvent.Plan plan) {
        Plan made = new Plan();
        made.network = plan.network();
        made.device = plan.device();
        made.inputs = plan.inputs();
        made.nodesOnDevice = plan.onDevice();
        made.nodesOnCpu = plan.onCpu();
        made.launches = plan.launches();
        return made;
    }
}
