package org.clinfer;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.Step;
import org.clinfer.runtime.PartTimes;

/**
 * The times of a run: what each node took alone. Their sum is not what a run takes, in which the device goes from one
 * kernel to the next by itself.
 *
 * @param entries in the order of the run
 * @param runNanos what a whole run took, by the host's clock
 * @param kernelNanos what its kernels took, by the device's clock: the rest are copies and the host
 */
public record RunProfile(List<Entry> entries, long runNanos, long kernelNanos) {

    /**
     * One node, or one copy between host and device.
     *
     * @param node the node's name, or that of the value
     * @param op its canonical operator, or {@code upload} or {@code download}
     * @param target where it ran
     * @param variant the kernel variant on the device, else empty
     * @param nanos its kernels by the device's clock, or what the host waited for it
     */
    public record Entry(String node, String op, Placement.Target target, String variant, long nanos) {}

    public RunProfile {
        entries = List.copyOf(entries);
    }

    /** The times of the parts of a network, which run after one another. */
    static RunProfile of(List<PartTimes> parts) {
        List<Entry> entries = new ArrayList<>();
        parts.forEach(part -> part.steps().forEach(time -> entries.add(entry(time.step(), time.nanos()))));
        return new RunProfile(
                entries,
                parts.stream().mapToLong(part -> part.whole().runNanos()).sum(),
                parts.stream().mapToLong(part -> part.whole().kernelNanos()).sum());
    }

    private static Entry entry(Step step, long nanos) {
        if (step instanceof Step.Launch launch) {
            return entry(launch.node(), Placement.Target.DEVICE, nanos);
        }
        if (step instanceof Step.HostCall call) {
            return entry(call.node(), Placement.Target.CPU, nanos);
        }
        return step instanceof Step.Upload upload
                ? new Entry(upload.value(), "upload", Placement.Target.DEVICE, "", nanos)
                : new Entry(((Step.Download) step).value(), "download", Placement.Target.DEVICE, "", nanos);
    }

    private static Entry entry(PlacedNode placed, Placement.Target target, long nanos) {
        return new Entry(placed.written().name(), placed.written().op(), target, placed.kernel(), nanos);
    }
}
