package org.clinfer.serve;

import java.time.Duration;
import java.util.OptionalInt;
import org.clinfer.EngineOptions;
import org.clinfer.PoolOptions;

/**
 * Options of a {@link RepositoryService}, which a model's {@code config.pbtxt} may change for that model.
 *
 * @param engine the devices and how they are used
 * @param maxBatch rows of requests that are joined into one run at most, at least 1; 1: none are joined
 * @param maxDelay the time that a request waits at most for others to be joined with
 * @param instances runs of a version in flight at most; empty: as many as the device bears
 * @param queue requests that may wait for a version, at least 1
 * @param timeout the time that a request may take at most, longer than zero
 * @param closing the time that requests in flight have when the service ends or a version is replaced
 */
public record ServiceOptions(
        EngineOptions engine,
        int maxBatch,
        Duration maxDelay,
        OptionalInt instances,
        int queue,
        Duration timeout,
        Duration closing) {

    private static final Duration USUAL_TIME = Duration.ofSeconds(30);

    public ServiceOptions {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the time of a request must be longer than zero, but is " + timeout);
        }
    }

    /** {@return options that join no requests, with 256 places in each queue and 30 seconds for a request and for closing} */
    public static ServiceOptions of(EngineOptions engine) {
        PoolOptions usual = PoolOptions.defaults();
        return new ServiceOptions(engine, 1, Duration.ZERO, OptionalInt.empty(), usual.queue(), USUAL_TIME, USUAL_TIME);
    }

    /** The options of a version's pool. */
    PoolOptions pool(ModelConfig config) {
        PoolOptions options = PoolOptions.defaults()
                .withQueue(config.queue().orElse(queue))
                .withBatches(
                        config.maxBatch().orElse(maxBatch), config.maxDelay().orElse(maxDelay))
                .withClosing(closing);
        OptionalInt runs = config.instances().isPresent() ? config.instances() : instances;
        return runs.isPresent() ? options.withRuns(runs.getAsInt()) : options;
    }
}
