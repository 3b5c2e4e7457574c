package org.clinfer.cli.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.MemoryUse;
import org.clinfer.device.CommandCounts;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.trace.TraceEvent;

/**
 * The measurements of one model.
 *
 * @param model its file
 * @param device where it ran: the OpenCL device, or {@code cpu}
 * @param threads of operators on the CPU, and of the peer
 * @param multiplyAdds of one run; empty where not everything can be counted
 * @param own what Clinfer took
 * @param memory what its session takes
 * @param commands what a run asks of the OpenCL device; none without one
 * @param peer what the other program took
 * @param operators where Clinfer's time goes, if that was asked for
 * @param steps what a run does step by step, if that was asked for
 */
public record BenchRecord(
        String model,
        String device,
        int threads,
        OptionalLong multiplyAdds,
        Side own,
        MemoryUse memory,
        CommandCounts commands,
        Optional<Peer> peer,
        Optional<OperatorTimes> operators,
        Steps steps) {

    /**
     * Steps of runs beside the measured ones; none where they were not asked for.
     *
     * @param run of a run as usual
     * @param oneByOne of one whose nodes are waited for one by one
     */
    public record Steps(List<TraceEvent.Step> run, List<TraceEvent.Step> oneByOne) {

        static final Steps NONE = new Steps(List.of(), List.of());

        public Steps {
            run = List.copyOf(run);
            oneByOne = List.copyOf(oneByOne);
        }
    }

    /**
     * One program.
     *
     * @param firstResultMillis from the file to the outputs of the first run
     */
    public record Side(double firstResultMillis, Timings timings) {}

    /**
     * The other program.
     *
     * @param agreement of the outputs
     */
    public record Peer(String name, String version, Side side, Agreement agreement) {}

    /** Floating-point operations each second in billions, a multiplication with an addition being two. */
    Optional<Double> gflops() {
        return multiplyAdds.isEmpty()
                ? Optional.empty()
                : Optional.of(2.0 * multiplyAdds.getAsLong() / own.timings().medianMillis() / 1e6);
    }

    /** Weights and values, in bytes: those of the device where there are any there, else those of the host. */
    long memoryBytes() {
        long onDevice = memory.deviceWeights() + memory.deviceValues();
        return onDevice > 0 ? onDevice : memory.weights() + memory.hostValues();
    }

    /** Of what the device can do at most; beyond 1 where an algorithm needs fewer operations than are counted. */
    Optional<Double> share(Optional<DeviceSpeed> most) {
        return most.flatMap(speed -> gflops().map(value -> value / speed.gflops()));
    }

    /** The median by the launches of a run, in microseconds; empty without a launch. */
    Optional<Double> launchMicros() {
        return byLaunch(own.timings().medianMillis());
    }

    /** Time of a run beyond its kernels, by its launches, in microseconds; empty where it was not measured. */
    Optional<Double> launchMicrosBeyondKernels() {
        return operators
                .filter(times -> times.kernelMillis() > 0)
                .flatMap(times -> byLaunch(times.runMillis() - times.kernelMillis()));
    }

    private Optional<Double> byLaunch(double millis) {
        return commands.launches() == 0 ? Optional.empty() : Optional.of(1000 * millis / commands.launches());
    }

    /** Own p10 by the peer's: below 1 Clinfer is faster. */
    Optional<Double> ratio() {
        return peer.map(
                other -> own.timings().p10Millis() / other.side().timings().p10Millis());
    }
}
