package org.clinfer;

import java.time.Duration;

/**
 * Counts of a {@link SessionPool}: {@code waiting} and {@code running} at this time, everything else since it was opened,
 * and never less than before. A request counts under one of {@code done}, {@code failed}, {@code late} and
 * {@code cancelled} when its future is done, or under {@code refused}.
 *
 * @param waiting requests that no run has taken yet
 * @param running requests that a run has taken and whose futures are not done
 * @param done requests with a result
 * @param failed requests that ended with an exception of their own, or because the pool was closed
 * @param refused requests for which there was no place in the queue
 * @param late requests whose deadlines passed
 * @param cancelled requests whose futures were cancelled
 * @param runs runs of the model that have ended with outputs: none that failed, or that were given up
 * @param batches runs among these that several requests shared
 * @param batched requests that shared runs
 * @param waited the time from arrival to the beginning of a run, of the requests of these runs
 * @param ran the time of these runs
 */
public record PoolStatistics(
        int waiting,
        int running,
        long done,
        long failed,
        long refused,
        long late,
        long cancelled,
        long runs,
        long batches,
        long batched,
        Duration waited,
        Duration ran) {

    /** {@return requests by run, 1 where none are joined; 0 before the first run} */
    public double meanBatch() {
        return runs == 0 ? 0 : (double) taken() / runs;
    }

    /** {@return the mean time that a request waits for its run; zero before the first} */
    public Duration meanWait() {
        return runs == 0 ? Duration.ZERO : waited.dividedBy(taken());
    }

    /** {@return the mean time of a run; zero before the first} */
    public Duration meanRun() {
        return runs == 0 ? Duration.ZERO : ran.dividedBy(runs);
    }

    private long taken() {
        return runs - batches + batched;
    }
}
