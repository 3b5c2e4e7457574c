package org.clinfer.serve;

import java.util.List;
import org.clinfer.PoolStatistics;

/**
 * The status of a service as people are shown it.
 *
 * @param version the product's version
 * @param live whether it works
 * @param ready whether all models that are to be loaded are ready
 * @param uptimeSeconds since when it runs
 * @param memoryBytes memory of models and sessions, on the host and on devices
 * @param devices one line for each
 * @param intervalSeconds length of the intervals of loads
 * @param models the models of the repository
 */
public record ServiceStatus(
        String version,
        boolean live,
        boolean ready,
        long uptimeSeconds,
        long memoryBytes,
        List<String> devices,
        int intervalSeconds,
        List<VersionStatus> models) {

    /**
     * A version of a model, or a model without one.
     *
     * @param name the model's name
     * @param version the version; empty where none is loaded
     * @param state its state
     * @param reason why it is not ready; empty where it is
     * @param instances runs in flight at most
     * @param maxBatch rows of joined requests at most
     * @param waiting requests that wait for a run
     * @param running requests whose runs go on
     * @param onDevice nodes that run on a device
     * @param onProcessor nodes that run on the CPU
     * @param requests requests that succeeded
     * @param runs runs of the network
     * @param succeeded requests that succeeded by interval, the oldest first
     * @param failed requests that failed by interval
     * @param bounds upper bounds of classes of latencies, in milliseconds
     * @param latencies requests by class in all intervals; one class more than bounds
     */
    public record VersionStatus(
            String name,
            String version,
            String state,
            String reason,
            int instances,
            int maxBatch,
            int waiting,
            int running,
            long onDevice,
            long onProcessor,
            long requests,
            long runs,
            List<Long> succeeded,
            List<Long> failed,
            List<Double> bounds,
            List<Long> latencies) {

        static VersionStatus without(ModelStatus status) {
            return new VersionStatus(
                    status.name(),
                    status.version(),
                    status.state().name(),
                    status.reason(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of());
        }

        static VersionStatus of(ModelStatus status, LoadedVersion version) {
            PoolStatistics counts = version.counts().pools();
            LoadHistory.Shown history = version.counts().history().shown();
            return new VersionStatus(
                    status.name(),
                    status.version(),
                    status.state().name(),
                    status.reason(),
                    version.instances(),
                    version.options().maxBatch(),
                    counts.waiting(),
                    counts.running(),
                    version.warmUp().onDevice(),
                    version.warmUp().onProcessor(),
                    version.statistics().success().count(),
                    counts.runs(),
                    history.succeeded(),
                    history.failed(),
                    history.bounds(),
                    history.times());
        }
    }
}
