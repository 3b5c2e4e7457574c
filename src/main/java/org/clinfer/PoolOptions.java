package org.clinfer;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * Options of a {@link SessionPool}.
 *
 * @param runs runs in flight at most, each with memory of its own for values, at least 1; empty: two for each OpenCL
 *     device, on one that is a processor as many as its compute units if those are more, and one for each of the engine's
 *     threads where there is no device
 * @param queue requests that may wait for a run, at least 1
 * @param whenFull the answer to a request beyond these
 * @param maxBatch rows, along the first dimension, of requests that are joined into one run at most; 1: none are joined
 * @param maxDelay the time that a request waits at most for others to be joined with, from its arrival, of which half of
 *     its deadline is the most; zero: joined are only those that wait anyway
 * @param closing the time that {@link SessionPool#close} waits at most for what was submitted before
 */
public record PoolOptions(
        OptionalInt runs, int queue, WhenFull whenFull, int maxBatch, Duration maxDelay, Duration closing) {

    private static final int USUAL_QUEUE = 256;
    private static final Duration USUAL_CLOSING = Duration.ofSeconds(30);

    /** The answers to a request for which there is no place in the queue. */
    public enum WhenFull {
        /** It is refused at once, by a {@link org.clinfer.errors.RefusedException}. */
        REFUSE,
        /** Its caller waits for a place, until the deadline of the request if it has one. */
        WAIT
    }

    public PoolOptions {
        requireAtLeastOne("runs in flight", runs.orElse(1));
        requireAtLeastOne("places in the queue", queue);
        requireAtLeastOne("rows of a batch", maxBatch);
        if (maxDelay.isNegative() || closing.isNegative()) {
            throw new IllegalArgumentException("a pool's times must not be negative: " + maxDelay + ", " + closing);
        }
    }

    private static void requireAtLeastOne(String what, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(what + " must be >= 1, but are " + count);
        }
    }

    /**
     * {@return the options of as many runs as the device bears, and 256 places in the queue, refusing beyond; nothing is
     * joined; 30 seconds to close}
     */
    public static PoolOptions defaults() {
        return new PoolOptions(OptionalInt.empty(), USUAL_QUEUE, WhenFull.REFUSE, 1, Duration.ZERO, USUAL_CLOSING);
    }

    /**
     * {@return these options with this many runs in flight at most}
     *
     * @param count how many, at least 1
     */
    public PoolOptions withRuns(int count) {
        return new PoolOptions(OptionalInt.of(count), queue, whenFull, maxBatch, maxDelay, closing);
    }

    /**
     * {@return these options with this many places for requests that wait}
     *
     * @param places how many, at least 1
     */
    public PoolOptions withQueue(int places) {
        return new PoolOptions(runs, places, whenFull, maxBatch, maxDelay, closing);
    }

    /**
     * {@return these options with another answer to requests beyond the queue's places}
     *
     * @param answer the answer
     */
    public PoolOptions withWhenFull(WhenFull answer) {
        return new PoolOptions(runs, queue, answer, maxBatch, maxDelay, closing);
    }

    /**
     * {@return these options with requests joined into one run that differ in the size of the first dimension alone} The model
     * must treat its rows independently of one another; the first joined run is compared with one that is not.
     *
     * @param rows of a joined run at most, at least 1
     * @param delay the time that a request waits at most for others; zero: none
     */
    public PoolOptions withBatches(int rows, Duration delay) {
        return new PoolOptions(runs, queue, whenFull, rows, delay, closing);
    }

    /**
     * {@return these options with another time that closing waits at most}
     *
     * @param time not negative
     */
    public PoolOptions withClosing(Duration time) {
        return new PoolOptions(runs, queue, whenFull, maxBatch, maxDelay, time);
    }
}
