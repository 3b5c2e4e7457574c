package org.clinfer.serve;

import java.time.Instant;
import java.util.Optional;

/**
 * Counts and times of a version since the model was loaded first, or after it was unloaded, with the meanings of the protocol's statistics extension.
 *
 * @param name the model's name
 * @param version the version
 * @param lastInference when the last request that succeeded came
 * @param inferences rows of requests that succeeded: the first dimension where requests are joined, else 1 for each
 * @param executions runs of the network that have ended with outputs; fewer than the requests where they were joined
 * @param success requests that succeeded, from their arrival to their answer
 * @param fail requests that failed, from their arrival to their answer
 * @param queue requests of these runs, and their waits before
 * @param compute these runs, and their times
 */
public record ModelStatistics(
        String name,
        String version,
        Optional<Instant> lastInference,
        long inferences,
        long executions,
        Timed success,
        Timed fail,
        Timed queue,
        Timed compute) {

    /**
     * A number of times and their sum.
     *
     * @param count how many
     * @param nanos nanoseconds, all together
     */
    public record Timed(long count, long nanos) {}
}
